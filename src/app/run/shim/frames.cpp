// Frames: lets the X server copy a frame to the screen while the program draws the next one.
// SPDX-License-Identifier: MIT
#include "app/run/shim/frames.hpp"

#include "app/run/shim/vtest_messages.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace valkyr::shim {
namespace {

/// Bytes of a reply without more data, as both of these are (X11 protocol, "Reply Format").
constexpr uint64_t kReplyBytes = 32;
/// The frames of more windows are waited for as Mesa does.
constexpr size_t kMostFrames = 8;

std::mutex g_mutex;  ///< for g_frames
std::array<Frame, kMostFrames> g_frames;
std::atomic<bool> g_waits;  ///< a frame may be waited for
/// A message that makes the server write has been seen: the shim sees all of them.
std::atomic<bool> g_sees_messages;

/// The entry of a window.
Frame* find_frame(const XcbConnection* connection, uint32_t drawable) {
    for (Frame& frame : g_frames)
        if (frame.connection == connection && frame.drawable == drawable)
            return &frame;
    return nullptr;
}

void drop_geometry(Frame& frame) {
    if (frame.has_geometry)
        xcb().discard_reply(frame.connection, frame.geometry.sequence);
    frame.has_geometry = false;
}

/// Sees whether the sign has come; with `wait`, waits for it.
bool look_for_sign(Frame& frame, bool wait) {
    if (!frame.waits)
        return true;
    void* reply = nullptr;
    void* error = nullptr;
    if (wait)
        reply = xcb().wait_for_reply(frame.connection, frame.sign.sequence, &error);
    else if (xcb().poll_for_reply(frame.connection, frame.sign.sequence, &reply, &error) == 0)
        return false;
    std::free(reply);
    std::free(error);
    frame.waits = false;
    return true;
}

/// An entry for another window: a free one, or that of a frame which the X server has read. Null:
/// there is none.
Frame* free_frame() {
    if (Frame* const free = find_frame(nullptr, 0))
        return free;
    for (Frame& frame : g_frames)
        if (look_for_sign(frame, false)) {
            drop_geometry(frame);
            return &frame;
        }
    return nullptr;
}

}  // namespace

bool sends_frames() {
    return g_sees_messages.load(std::memory_order_relaxed) && xcb().complete;
}

Frame start_frame(XcbConnection* connection, uint32_t drawable) {
    Frame frame;
    frame.connection = connection;
    frame.drawable = drawable;
    frame.read_before = xcb().total_read(connection);
    frame.geometry = xcb().get_geometry(connection, drawable);
    frame.has_geometry = true;
    return frame;
}

bool end_frame(Frame frame) {
    const std::lock_guard lock(g_mutex);
    Frame* place = find_frame(frame.connection, frame.drawable);
    if (place != nullptr) {
        look_for_sign(*place, true);
        drop_geometry(*place);
    } else {
        place = free_frame();
    }
    if (place == nullptr) {
        drop_geometry(frame);
        return false;
    }
    frame.sign = xcb().get_input_focus(frame.connection);
    frame.waits = true;
    xcb().flush(frame.connection);
    *place = frame;
    g_waits = true;
    return true;
}

XcbGeometry* told_geometry(XcbConnection* connection, uint32_t drawable) {
    const std::lock_guard lock(g_mutex);
    Frame* const frame = find_frame(connection, drawable);
    if (frame == nullptr || !frame->has_geometry)
        return nullptr;
    const bool alone = xcb().no_operation(connection).sequence == frame->sign.sequence + 1;
    if (!alone) {
        drop_geometry(*frame);
        return nullptr;
    }
    frame->has_geometry = false;
    XcbGeometry* const reply = xcb().geometry_reply(connection, frame->geometry, nullptr);
    const uint64_t replies = look_for_sign(*frame, false) ? 2 : 1;
    if (xcb().total_read(connection) - frame->read_before == replies * kReplyBytes)
        return reply;
    std::free(reply);
    return nullptr;
}

void finish_frames() {
    if (!g_waits.load(std::memory_order_relaxed))
        return;
    const std::lock_guard lock(g_mutex);
    for (Frame& frame : g_frames)
        if (frame.connection != nullptr)
            look_for_sign(frame, true);
    g_waits = false;
}

void look_at_message(const void* bytes, size_t size) {
    // A message starts with a header of two words, which Mesa sends by a call of its own: the words
    // that follow, and the command (VCMD_TRANSFER_GET2 of vtest_protocol.h).
    uint32_t header[2];
    if (size != sizeof header)
        return;
    std::memcpy(header, bytes, sizeof header);
    if (header[1] != static_cast<uint32_t>(Message::TransferGet2))
        return;
    g_sees_messages = true;
    finish_frames();
}

void forget_frames(XcbConnection* connection) {
    const std::lock_guard lock(g_mutex);
    for (Frame& frame : g_frames)
        if (frame.connection == connection)
            frame = {};
}

}  // namespace valkyr::shim
