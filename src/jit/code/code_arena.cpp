// Code arena: maps and frees the executable memory of kernels.
// SPDX-License-Identifier: MIT
#include "jit/code/code_arena.hpp"

#include <array>
#include <cstring>
#include <string>

namespace valkyr::jit {

namespace {

constexpr uint32_t kBlockBytes = 1 << 20;
constexpr size_t kProbeBytes = 64;

std::unique_ptr<asmjit::JitRuntime> make_runtime(asmjit::JitAllocatorOptions options) {
    asmjit::JitAllocator::CreateParams params{};
    params.options = options;
    params.blockSize = kBlockBytes;
    return std::make_unique<asmjit::JitRuntime>(&params);
}

/// Whether code that overwrites older code runs at the next call. Processors guarantee it after a
/// cache flush; qemu-user before version 8.1 misses writes through another mapping.
bool replaced_code_runs([[maybe_unused]] void* executable, [[maybe_unused]] void* writable) {
#if defined(__aarch64__)
    for (uint32_t number = 1; number <= 2; ++number) {
        const std::array<uint32_t, 2> code = {0x52800000 | number << 5, 0xD65F03C0};  // mov w0; ret
        std::memcpy(writable, code.data(), sizeof code);
        asmjit::VirtMem::flushInstructionCache(executable, sizeof code);
        if (reinterpret_cast<uint32_t (*)()>(executable)() != number)
            return false;
    }
#endif
    return true;
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
    , runtime_(make_runtime(asmjit::JitAllocatorOptions::kUseDualMapping)) {}

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
    const asmjit::Error error = runtime_->allocator()->alloc(&executable, &writable, kProbeBytes);
    taken_ -= kProbeBytes;
    if (error)
        return denied(error);
    const bool usable = replaced_code_runs(executable, writable);
    runtime_->allocator()->release(executable);
    if (!usable) {
        runtime_ = make_runtime(asmjit::JitAllocatorOptions::kNone);
        writable_code_ = true;
    }
    return {};
}

Result<void*> CodeArena::add(asmjit::CodeHolder& code) {
    const size_t bytes = code.codeSize();
    VALKYR_TRY_VOID(take(bytes));
    void* entry = nullptr;
    if (const asmjit::Error error = runtime_->add(&entry, &code)) {
        taken_ -= bytes;
        return denied(error);
    }
    return entry;
}

void CodeArena::release(void* entry, size_t bytes) {
    runtime_->release(entry);
    taken_ -= bytes;
}

CodeStatistics CodeArena::statistics() const {
    const asmjit::JitAllocator::Statistics s = runtime_->allocator()->statistics();
    return {s.allocationCount(), s.usedSize(), s.reservedSize(), writable_code_};
}

}  // namespace valkyr::jit
