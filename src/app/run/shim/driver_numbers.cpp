// Driver numbers: keeps the numbers apart that Mesa's driver gives to resources of two threads.
// SPDX-License-Identifier: MIT
#include "app/run/shim/driver_numbers.hpp"

#include "app/run/shim/creation_turn.hpp"

#include <dlfcn.h>
#include <link.h>

namespace valkyr::shim {
namespace {

/// The first one of a driver that was loaded.
constexpr uint32_t kFirstNumber = 1;

/// How many libraries this process has unloaded.
unsigned long long unloads() {
    unsigned long long result = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* count) {
            *static_cast<unsigned long long*>(count) = info->dlpi_subs;
            return 1;
        },
        &result);
    return result;
}

struct Driver {
    const void* library = nullptr;
    DriverNumbers numbers;
};
std::array<Driver, 8> g_drivers;

}  // namespace

uint32_t DriverNumbers::replaced(uint32_t number) const {
    // The variable has not changed since the last creation if this thread was the last.
    if (thread_ == this_thread() || !has_sent(number))
        return number;
    const bool loaded_again = number == kFirstNumber && unloads_ != unloads();
    return loaded_again ? number : first_ + count_;
}

void DriverNumbers::note(uint32_t number) {
    // A driver sends its numbers in order; another one means that it was loaded again.
    if (number != first_ + count_ || count_ == 0) {
        first_ = number;
        count_ = 0;
        unloads_ = unloads();
    }
    ++count_;
    thread_ = this_thread();
}

DriverNumbers& numbers_of(const void* code) {
    Dl_info info{};
    const void* const library = dladdr(code, &info) != 0 ? info.dli_fbase : nullptr;
    for (Driver& driver : g_drivers)
        if (driver.library == library || driver.library == nullptr) {
            driver.library = library;
            return driver.numbers;
        }
    return g_drivers.back().numbers;
}

}  // namespace valkyr::shim
