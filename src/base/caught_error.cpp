// Caught error: turns an exception of the standard library into an error value.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"

#include "base/check.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

namespace valkyr {
namespace {

/// Short enough for std::string to keep it without memory of its own.
constexpr const char* kOutOfMemory = "out of memory";
constexpr const char* kSystem = "system refused";

Error system_error(const std::system_error& error) noexcept {
    if (error.code() == std::errc::not_enough_memory)
        return {Errc::OutOfMemory, {}, kOutOfMemory};
    try {
        return {Errc::System, {}, error.what()};
    } catch (const std::bad_alloc&) {
        return {Errc::System, {}, kSystem};
    }
}

}  // namespace

Error caught_error() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {Errc::OutOfMemory, {}, kOutOfMemory};
    } catch (const std::length_error&) {
        return {Errc::OutOfMemory, {}, kOutOfMemory};
    } catch (const std::system_error& error) {
        return system_error(error);
    } catch (const std::exception& error) {
        check_failed(__FILE__, __LINE__, error.what());
    } catch (...) {
        check_failed(__FILE__, __LINE__, "an exception of an unknown type");
    }
}

}  // namespace valkyr
