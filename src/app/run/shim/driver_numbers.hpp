// Driver numbers: keeps the numbers apart that Mesa's driver gives to resources of two threads.
// SPDX-License-Identifier: MIT
//
// The driver of Mesa 22.3 reads a variable, sends it as the number of a new resource, reads it
// again and then increments it. A thread that waits between the first two sends a number that
// another thread's resource has got meanwhile. It gets the next one, which is what the driver reads
// afterwards. Whoever has the turn of creations calls these functions.
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::shim {

/// The numbers that a driver has sent.
class DriverNumbers {
public:
    /// The number that the server gets for one that the driver sends.
    [[nodiscard]] uint32_t replaced(uint32_t number) const;

    /// A resource with this number exists.
    void note(uint32_t number);

private:
    [[nodiscard]] bool has_sent(uint32_t number) const { return number - first_ < count_; }

    const void* thread_ = nullptr;  ///< the last one that made a resource
    uint32_t first_ = 0;
    uint32_t count_ = 0;
    unsigned long long unloads_ = 0;  ///< of libraries of this process, before the first
};

/// The numbers of the driver to which the code belongs. Each library of Mesa's has its own.
DriverNumbers& numbers_of(const void* code);

}  // namespace valkyr::shim
