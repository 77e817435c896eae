// Float environment: sets the rounding and denormal modes that kernels run with.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace valkyr::exec {

/// Kernels run with round to nearest even, without flush to zero and without traps. On x86-64 that
/// is this value of MXCSR, on AArch64 FPCR 0. Kernels that change it put it back.
inline constexpr uint32_t kKernelMxcsr = 0x1F80;

/// Gives this thread the environment of kernels for as long as it lives. Code that calls kernels or
/// converts texels makes one, because applications may have changed the thread's modes. If the
/// thread has the modes of kernels already, it costs the reading of one register.
class FloatEnvironment {
public:
    FloatEnvironment() noexcept
        : saved_(read()) {
        if (differs(saved_))
            write(kKernelMode);
    }
    ~FloatEnvironment() {
        if (differs(saved_))
            write(saved_);
    }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
#if defined(__x86_64__)
    static constexpr uint32_t kKernelMode = kKernelMxcsr;
    static constexpr uint32_t kFlags = 0x3F;  ///< sticky flags of exceptions
    static uint32_t read() noexcept {
        // Not _mm_getcsr(): <immintrin.h> is 2 MB of text, for two instructions.
        return __builtin_ia32_stmxcsr();
    }
    static void write(uint32_t mode) noexcept {
        __builtin_ia32_ldmxcsr(mode);
    }
    static bool differs(uint32_t mode) noexcept {
        return (mode & ~kFlags) != kKernelMode;
    }
    uint32_t saved_;
#elif defined(__aarch64__)
    static constexpr uint64_t kKernelMode = 0;
    static uint64_t read() noexcept {
        uint64_t mode = 0;
        asm volatile("mrs %0, fpcr" : "=r"(mode));
        return mode;
    }
    static void write(uint64_t mode) noexcept {
        asm volatile("msr fpcr, %0" : : "r"(mode));
    }
    static bool differs(uint64_t mode) noexcept {
        return mode != kKernelMode;
    }
    uint64_t saved_;
#else
    static constexpr int kKernelMode = FE_TONEAREST;
    static int read() noexcept {
        return std::fegetround();
    }
    static void write(int mode) noexcept {
        std::fesetround(mode);
    }
    static bool differs(int mode) noexcept {
        return mode != kKernelMode;
    }
    int saved_;
#endif
};

}  // namespace valkyr::exec
