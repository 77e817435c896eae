// Float environment: sets the rounding and denormal modes that kernels run with.
// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>
#include <cstdint>

namespace valkyr::exec {

/// Kernels run with round to nearest even, without flush to zero and without traps. On x86-64 that
/// is this value of MXCSR, on AArch64 FPCR 0. Kernels that change it put it back.
inline constexpr uint32_t kKernelMxcsr = 0x1F80;

/// Gives this thread the environment of kernels for as long as it lives. Callers of kernels have
/// one: applications may have changed theirs.
class FloatEnvironment {
public:
    FloatEnvironment() noexcept {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~FloatEnvironment() { std::fesetenv(&saved_); }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    std::fenv_t saved_;
};

}  // namespace valkyr::exec
