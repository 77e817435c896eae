// Errors: formats an error as one line, as compilers do, and aborts where a result is misused.
// SPDX-License-Identifier: MIT
#include "base/result.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

namespace valkyr {

namespace {

/// Stands for errors for which there was no memory. Its text is short enough for std::string to
/// keep it without memory of its own.
const Error kNoMemory{Errc::OutOfMemory, {}, "out of memory"};

template <typename Source>
const Error* on_heap(Source&& error) noexcept {
    try {
        return new Error(std::forward<Source>(error));
    } catch (const std::bad_alloc&) {
        return &kNoMemory;
    }
}

}  // namespace

HeldError::HeldError(Error error) noexcept
    : error_(on_heap(std::move(error))) {}

Error HeldError::take() noexcept {
    if (error_ == nullptr)
        check_failed_error();  // the result was moved from
    if (error_ == &kNoMemory)
        return *error_;
    return std::move(*const_cast<Error*>(error_));
}

const Error* HeldError::copy(const Error& error) noexcept {
    return on_heap(error);
}

void HeldError::free(const Error* error) noexcept {
    if (error != &kNoMemory)
        delete error;
}

void check_failed_value(const Error& error) noexcept {
    std::fprintf(stderr, "internal error: the value of a result that is an error: %s\n",
                 error.text.c_str());
    std::abort();
}

void check_failed_error() noexcept {
    std::fputs("internal error: the error of a result that has a value\n", stderr);
    std::abort();
}

std::string Error::format(const std::string& file_name) const {
    std::string out = file_name;
    if (pos.line != 0) {
        out += ":" + std::to_string(pos.line);
        if (pos.column != 0)
            out += ":" + std::to_string(pos.column);
    }
    return out + ": error: " + text;
}

}  // namespace valkyr
