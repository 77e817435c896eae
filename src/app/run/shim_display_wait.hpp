// Display wait: lets the X server copy a frame to the screen while the program draws the next one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace valkyr::shim {

/// Waits until the X server has read all frames that were given to it. Call before a wait for
/// Valkyr's server, and before Valkyr's server writes to the memory of a frame.
void finish_frames();

/// Looks at a message to Valkyr's server: one that makes it write the memory of a frame calls
/// finish_frames().
void look_at_message(const void* bytes, size_t size);

}  // namespace valkyr::shim
