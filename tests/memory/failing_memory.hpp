// Failing memory: refuses requests for memory by their number, in the whole process.
// SPDX-License-Identifier: MIT
//
// It counts calls of operator new and, unless a sanitizer replaces them, of malloc and its
// relatives, mmap, memfd_create and pthread_create: the assembler's memory, code pages, guest
// storage and threads can be refused, too.
#pragma once

#include <cstdint>

namespace valkyr::test {

/// While it lives, it counts the requests of all threads that are not exempt, from 1.
class FailingMemory {
public:
    static constexpr uint64_t kForever = UINT64_MAX;

    /// Refuses `count` requests from number `first` on.
    explicit FailingMemory(uint64_t first, uint64_t count = 1);
    ~FailingMemory();
    FailingMemory(const FailingMemory&) = delete;
    FailingMemory& operator=(const FailingMemory&) = delete;

    /// Requests until now.
    [[nodiscard]] static uint64_t requests();
};

/// Exempts the current thread while it lives, for the test's own requests.
class ExemptThread {
public:
    ExemptThread();
    ~ExemptThread();
    ExemptThread(const ExemptThread&) = delete;
    ExemptThread& operator=(const ExemptThread&) = delete;
};

}  // namespace valkyr::test
