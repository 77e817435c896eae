// Exit codes: names the results of the valkyr command.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;  ///< bad input, failed check, refused by the machine
inline constexpr int kExitUsage = 2;  ///< the command line itself is wrong

}  // namespace valkyr::app
