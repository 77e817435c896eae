// Failing memory: refuses requests for memory by their number, in the whole process.
// SPDX-License-Identifier: MIT
//
// It counts operator new, and where no sanitizer has them already, malloc and its relatives, mmap,
// memfd_create and pthread_create, so that the assembler's memory, pages of code, guest storage and
// threads take part.
#pragma once

#include <cstdint>

namespace valkyr::test {

/// While it lives, requests of all threads but those that are exempt are counted from 1.
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

/// The thread that it lives in has memory all the same: a test's own side.
class ExemptThread {
public:
    ExemptThread();
    ~ExemptThread();
    ExemptThread(const ExemptThread&) = delete;
    ExemptThread& operator=(const ExemptThread&) = delete;
};

}  // namespace valkyr::test
