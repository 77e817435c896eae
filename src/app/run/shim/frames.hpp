// Frames: lets the X server copy a frame to the screen while the program draws the next one.
// SPDX-License-Identifier: MIT
//
// Mesa waits twice in each frame for the X server: after it has sent the frame, because it will use
// the frame's memory again, and when the next frame starts, for the size of the window. Either
// takes as long as the copy to the screen. Instead, the shim asks for the size before it sends a
// frame and for a sign after it (both answers come when they come):
//
//     - Mesa's question for the size gets the size that came with the last frame, if nothing can
//       have changed it that the program knows of: the program has sent no request and received no
//       event since.
//     - The sign is waited for before the frame's memory is written again, which needs a message to
//       Valkyr's server, and whenever the program waits for that server anyway.
#pragma once

#include "app/run/shim/xcb.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::shim {

/// A frame that is given to the X server.
struct Frame {
    XcbConnection* connection = nullptr;  ///< null: there is none
    uint32_t drawable = 0;
    XcbCookie geometry{};
    bool has_geometry = false;  ///< nobody has taken the reply with the size
    XcbCookie sign{};
    bool waits = false;        ///< the sign has been asked for and has not been seen
    uint64_t read_before = 0;  ///< bytes that were read when the size was asked for
};

/// Whether frames need not be waited for: the shim sees the messages that make Valkyr's server
/// write, and the program has XCB.
bool sends_frames();

/// Asks for the size of a window whose frame will be sent next.
Frame start_frame(XcbConnection* connection, uint32_t drawable);

/// Asks for a sign after a frame. Returns false if nobody will look for it: the caller must wait.
bool end_frame(Frame frame);

/// The size of a window that the X server told with its last frame, or null if it may have changed,
/// or nobody asked. The caller frees it.
XcbGeometry* told_geometry(XcbConnection* connection, uint32_t drawable);

/// Waits until the X server has read all frames that were given to it. Call before a wait for
/// Valkyr's server, and before the memory of a frame is written.
void finish_frames();

/// Looks at a message to Valkyr's server: one that makes it write the memory of a frame calls
/// finish_frames().
void look_at_message(const void* bytes, size_t size);

/// Forgets a connection, which ends.
void forget_frames(XcbConnection* connection);

}  // namespace valkyr::shim
