// Code arena: maps and frees the executable memory of kernels.
// SPDX-License-Identifier: MIT
//
// Pages are mapped twice: writable at one address, executable at another, never both at one
// (W^X), except under emulators that cannot cope with that (probe()). Kernels share blocks of a
// megabyte, so that most new kernels cost no system call.
#pragma once

#include "base/result.hpp"
#include "jit/recompiler.hpp"

#include <asmjit/core.h>
#include <atomic>
#include <memory>

namespace valkyr::jit {

/// Thread-safe. Kernels share its ownership, so it lives as long as the last kernel.
class CodeArena {
public:
    /// limit  bytes that kernels may take together
    explicit CodeArena(size_t limit);

    /// Maps the first block; call it before the other functions.
    /// errors  System: the system denies executable memory, or the limit is 0
    Result<void> probe();

    /// Copies finished code into the arena and makes its addresses final; returns its entry.
    /// errors  System: denied, or the limit is reached
    Result<void*> add(asmjit::CodeHolder& code);
    /// bytes  CodeHolder::codeSize() at add()
    void release(void* entry, size_t bytes);

    [[nodiscard]] CodeStatistics statistics() const;

private:
    Result<void> take(size_t bytes);

    const size_t limit_;
    std::atomic<size_t> taken_{0};
    std::unique_ptr<asmjit::JitRuntime> runtime_;
    bool writable_code_ = false;
};

}  // namespace valkyr::jit
