// Harness internals: declares functions that the harness's files share.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::test {

/// Instructions that a program may run.
inline constexpr uint64_t kStepLimit = 1 << 16;

}  // namespace valkyr::test
