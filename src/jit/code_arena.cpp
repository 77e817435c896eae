// Executable memory of a recompiler's kernels.
// SPDX-License-Identifier: MIT
#include "jit/code_arena.hpp"

#include <string>

namespace valkyr::jit {

namespace {

constexpr uint32_t kBlockBytes = 1 << 20;
constexpr size_t kProbeBytes = 64;

asmjit::JitAllocator::CreateParams params() {
    asmjit::JitAllocator::CreateParams p{};
    p.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    p.blockSize = kBlockBytes;
    return p;
}

Error denied(const std::string& reason) {
    return {Errc::System, {}, "executable memory is denied: " + reason};
}

Error denied(asmjit::Error error) {
    return denied(asmjit::DebugUtils::errorAsString(error));
}

}  // namespace

CodeArena::CodeArena(size_t limit)
    : limit_(limit)
    , runtime_([] {
        static const asmjit::JitAllocator::CreateParams p = params();
        return &p;
    }()) {}

Result<void> CodeArena::take(size_t bytes) {
    if (taken_.fetch_add(bytes) + bytes <= limit_)
        return {};
    taken_ -= bytes;
    return denied("the limit is " + std::to_string(limit_) + " bytes");
}

Result<void> CodeArena::probe() {
    VALKYR_TRY_VOID(take(kProbeBytes));
    void* executable = nullptr;
    void* writable = nullptr;
    const asmjit::Error error = runtime_.allocator()->alloc(&executable, &writable, kProbeBytes);
    taken_ -= kProbeBytes;
    if (error)
        return denied(error);
    runtime_.allocator()->release(executable);
    return {};
}

Result<void*> CodeArena::add(asmjit::CodeHolder& code) {
    const size_t bytes = code.codeSize();
    VALKYR_TRY_VOID(take(bytes));
    void* entry = nullptr;
    if (const asmjit::Error error = runtime_.add(&entry, &code)) {
        taken_ -= bytes;
        return denied(error);
    }
    return entry;
}

void CodeArena::release(void* entry, size_t bytes) {
    runtime_.release(entry);
    taken_ -= bytes;
}

CodeStatistics CodeArena::statistics() const {
    const asmjit::JitAllocator::Statistics s = runtime_.allocator()->statistics();
    return {s.allocationCount(), s.usedSize(), s.reservedSize()};
}

}  // namespace valkyr::jit
