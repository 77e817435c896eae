// EGL: sends frames of Mesa's EGL to the X server by shared memory.
// SPDX-License-Identifier: MIT
//
// Mesa 22.3's EGL sends the pixels of each frame through the X server's socket, which takes longer
// than drawing most of them. The X server reads them where Valkyr's server wrote them instead
// (window_resources.hpp), or else where the shim copies them. Newer versions have such memory of
// their own (display_memory.cpp). For both, the shim asks for the window's size and for a sign, as
// for GLX (frames.hpp).
#include "app/run/shim/frames.hpp"
#include "app/run/shim/window_memory.hpp"
#include "app/run/shim/window_resources.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace {

namespace shim = valkyr::shim;

using PutImage = XcbCookie (*)(XcbConnection*,
                               uint8_t,
                               uint32_t,
                               uint32_t,
                               uint16_t,
                               uint16_t,
                               int16_t,
                               int16_t,
                               uint8_t,
                               uint8_t,
                               uint32_t,
                               const uint8_t*);
using GetGeometry = XcbCookie (*)(XcbConnection*, uint32_t);
using GeometryReply = XcbGeometry* (*)(XcbConnection*, XcbCookie, void**);
using Disconnect = void (*)(XcbConnection*);

constexpr uint8_t kZPixmap = 2;
/// Pictures of fewer bytes go through the socket.
constexpr uint32_t kLeastBytes = 4096;

/// Memory that an X server has attached, for the frames of one window.
struct Segment {
    XcbConnection* connection = nullptr;  ///< null: this entry is free
    uint32_t drawable = 0;
    uint32_t name = 0;         ///< of the X protocol
    uint8_t* bytes = nullptr;  ///< null: it is the memory of a window's resource
    uint64_t resource = 0;     ///< the name of that memory
    uint32_t size = 0;
    uint64_t used = 0;  ///< when: the frame's number
};

/// The segments of more windows replace others.
constexpr size_t kMostSegments = 8;

std::mutex g_mutex;  ///< for all below
std::array<Segment, kMostSegments> g_segments;
uint64_t g_frames;
XcbConnection* g_refusing;  ///< a connection whose X server refused memory, the last one

/// A size that has been told, between the question for it and the reply.
struct Told {
    XcbConnection* connection = nullptr;
    unsigned sequence = 0;
    XcbGeometry* reply = nullptr;
};
thread_local Told t_told;

bool is_egl(const void* code) {
    return shim::is_code_of(code, {"libEGL_mesa"});
}

void remove_segment(Segment& segment, bool connected) {
    if (segment.connection == nullptr)
        return;
    if (connected)
        shim::xcb_shm().detach(segment.connection, segment.name);
    if (segment.bytes != nullptr)
        munmap(segment.bytes, segment.size);
    segment = {};
}

/// Attaches the memory of the window that this thread has read last. Returns false if that fails.
bool use_resource(Segment& segment, XcbConnection* connection, uint32_t drawable, uint32_t size) {
    const shim::WindowPixels pixels = shim::last_read_window(size, true);
    const uint32_t name =
        pixels.fd >= 0 ? shim::attach(connection, pixels.fd, shim::SegmentUse::Read) : 0;
    if (name != 0)
        segment = {connection, drawable, name, nullptr, pixels.name, size, 0};
    return name != 0;
}

/// Makes memory and attaches it. Returns false if that fails.
bool make_segment(Segment& segment, XcbConnection* connection, uint32_t drawable, uint32_t size) {
    const shim::WindowMemory memory = shim::make_window_memory(size);
    if (memory.address == nullptr)
        return false;
    const uint32_t name = shim::attach(connection, memory.fd, shim::SegmentUse::Read);
    if (name == 0) {
        munmap(memory.address, size);
        g_refusing = connection;
        return false;
    }
    segment = {connection, drawable, name, static_cast<uint8_t*>(memory.address), 0, size, 0};
    return true;
}

/// Whether a frame of a segment's window fits into it.
bool fits(const Segment& segment, uint32_t size) {
    const uint64_t resource = shim::last_read_window(size, false).name;
    return segment.resource == resource && segment.size >= size && segment.size / 4 <= size;
}

/// The segment of a window, with room for a frame, or null. The X server has read all frames.
Segment* segment_for(XcbConnection* connection, uint32_t drawable, uint32_t size) {
    Segment* oldest = &g_segments[0];
    for (Segment& segment : g_segments) {
        if (segment.connection == connection && segment.drawable == drawable) {
            oldest = &segment;
            break;
        }
        if (segment.used < oldest->used)
            oldest = &segment;
    }
    const bool same = oldest->connection == connection && oldest->drawable == drawable;
    if (!same || !fits(*oldest, size)) {
        remove_segment(*oldest, true);
        if (!use_resource(*oldest, connection, drawable, size) &&
            !make_segment(*oldest, connection, drawable, size))
            return nullptr;
    }
    oldest->used = ++g_frames;
    return oldest;
}

/// Sends a frame by `put`, which returns the cookie of its request.
template <typename Put>
XcbCookie send_frame(XcbConnection* connection, uint32_t drawable, const Put& put) {
    const shim::Frame frame = shim::start_frame(connection, drawable);
    const XcbCookie cookie = put();
    if (!shim::end_frame(frame))
        std::free(shim::xcb().request_check(connection, cookie));
    return cookie;
}

bool can_share(XcbConnection* connection, uint8_t format, uint8_t left_pad, uint32_t size) {
    return format == kZPixmap && left_pad == 0 && size >= kLeastBytes && shim::sends_frames() &&
           shim::xcb_shm().complete && connection != g_refusing &&
           shim::takes_descriptors(connection);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of XCB

extern "C" __attribute__((visibility("default"))) XcbCookie xcb_put_image(XcbConnection* connection,
                                                                          uint8_t format,
                                                                          uint32_t drawable,
                                                                          uint32_t gc,
                                                                          uint16_t width,
                                                                          uint16_t height,
                                                                          int16_t x,
                                                                          int16_t y,
                                                                          uint8_t left_pad,
                                                                          uint8_t depth,
                                                                          uint32_t size,
                                                                          const uint8_t* pixels) {
    static const auto next = shim::loaded_function<PutImage>(shim::kXcb, "xcb_put_image");
    if (is_egl(__builtin_return_address(0))) {
        const std::lock_guard lock(g_mutex);
        if (can_share(connection, format, left_pad, size)) {
            shim::finish_frames();
            if (Segment* const segment = segment_for(connection, drawable, size)) {
                if (segment->bytes != nullptr)
                    std::memcpy(segment->bytes, pixels, size);
                return send_frame(connection, drawable, [&] {
                    return shim::xcb_shm().put_image(connection, drawable, gc, width, height, 0, 0,
                                                     width, height, x, y, depth, format, 0,
                                                     segment->name, 0);
                });
            }
        }
    }
    return next != nullptr ? next(connection, format, drawable, gc, width, height, x, y, left_pad,
                                  depth, size, pixels)
                           : XcbCookie{0};
}

extern "C" __attribute__((visibility("default"))) XcbCookie
xcb_shm_put_image(XcbConnection* connection,
                  uint32_t drawable,
                  uint32_t gc,
                  uint16_t total_width,
                  uint16_t total_height,
                  uint16_t from_x,
                  uint16_t from_y,
                  uint16_t width,
                  uint16_t height,
                  int16_t x,
                  int16_t y,
                  uint8_t depth,
                  uint8_t format,
                  uint8_t send_event,
                  uint32_t segment,
                  uint32_t offset) {
    static const auto next =
        shim::loaded_function<shim::XcbShmPut>(shim::kXcbShm, "xcb_shm_put_image");
    const auto put = [&] {
        return next != nullptr
                   ? next(connection, drawable, gc, total_width, total_height, from_x, from_y,
                          width, height, x, y, depth, format, send_event, segment, offset)
                   : XcbCookie{0};
    };
    if (shim::sends_frames() && is_egl(__builtin_return_address(0)))
        return send_frame(connection, drawable, put);
    return put();
}

extern "C" __attribute__((visibility("default"))) XcbCookie
xcb_get_geometry(XcbConnection* connection, uint32_t drawable) {
    static const auto next = shim::loaded_function<GetGeometry>(shim::kXcb, "xcb_get_geometry");
    if (shim::sends_frames() && is_egl(__builtin_return_address(0)))
        if (XcbGeometry* const told = shim::told_geometry(connection, drawable)) {
            std::free(t_told.reply);
            t_told = {connection, shim::xcb().no_operation(connection).sequence, told};
            return {t_told.sequence};
        }
    return next != nullptr ? next(connection, drawable) : XcbCookie{0};
}

extern "C" __attribute__((visibility("default"))) XcbGeometry*
xcb_get_geometry_reply(XcbConnection* connection, XcbCookie cookie, void** error) {
    static const auto next =
        shim::loaded_function<GeometryReply>(shim::kXcb, "xcb_get_geometry_reply");
    if (t_told.reply != nullptr && t_told.connection == connection &&
        t_told.sequence == cookie.sequence) {
        XcbGeometry* const told = t_told.reply;
        t_told = {};
        if (error != nullptr)
            *error = nullptr;
        return told;
    }
    return next != nullptr ? next(connection, cookie, error) : nullptr;
}

extern "C" __attribute__((visibility("default"))) void xcb_disconnect(XcbConnection* connection) {
    static const auto next = shim::loaded_function<Disconnect>(shim::kXcb, "xcb_disconnect");
    shim::forget_frames(connection);
    {
        const std::lock_guard lock(g_mutex);
        for (Segment& segment : g_segments)
            if (segment.connection == connection)
                remove_segment(segment, false);
        if (g_refusing == connection)
            g_refusing = nullptr;
    }
    if (next != nullptr)
        next(connection);
}

// NOLINTEND(readability-identifier-naming)
