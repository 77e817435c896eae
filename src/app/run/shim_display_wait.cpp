// Display wait: lets the X server copy a frame to the screen while the program draws the next one.
// SPDX-License-Identifier: MIT
//
// Mesa waits twice in each frame for the X server: after it has sent the frame (XSync), because it
// will use the frame's memory again, and when the next frame starts (XGetGeometry), for the size of
// the window. Either takes as long as the copy to the screen. Instead, the shim asks for the size
// before it sends the frame and for a sign after it (both answers come when they come), and
//
//     XSync         returns at once
//     XGetGeometry  returns the size that was asked for, if nothing can have changed it that the
//                   program knows of: the program has sent no request and received no event since
//     the sign      is waited for before the frame's memory is written again, which needs a message
//                   to Valkyr's server, and whenever the program waits for that server anyway
#include "app/run/shim_display_wait.hpp"

#include "app/run/shim_library.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace {

namespace shim = valkyr::shim;

// Types of Xlib and XCB (Xlib.h, xcb.h, xproto.h), which the shim does not link.
struct Display;
struct XImage;
using Gc = struct XlibGc*;
struct XcbConnection;
struct XcbCookie {
    unsigned sequence;
};
struct GeometryReply {
    uint8_t response_type;
    uint8_t depth;
    uint16_t sequence;
    uint32_t length;
    uint32_t root;
    int16_t x;
    int16_t y;
    uint16_t width;
    uint16_t height;
    uint16_t border_width;
};
/// Bytes of a reply without more data, as both of these are (X11 protocol, "Reply Format").
constexpr uint64_t kReplyBytes = 32;

using PutImage =
    int (*)(Display*, unsigned long, Gc, XImage*, int, int, int, int, unsigned, unsigned, int);
using Sync = int (*)(Display*, int);
using GetGeometry = int (*)(Display*,
                            unsigned long,
                            unsigned long*,
                            int*,
                            int*,
                            unsigned*,
                            unsigned*,
                            unsigned*,
                            unsigned*);
using Disconnect = void (*)(XcbConnection*);

/// The functions of XCB; `complete` if the program has loaded all of them.
struct Xcb {
    XcbConnection* (*connection_of)(Display*);
    XcbCookie (*get_geometry)(XcbConnection*, uint32_t);
    GeometryReply* (*geometry_reply)(XcbConnection*, XcbCookie, void**);
    XcbCookie (*get_input_focus)(XcbConnection*);
    XcbCookie (*no_operation)(XcbConnection*);
    void* (*wait_for_reply)(XcbConnection*, unsigned, void**);
    int (*poll_for_reply)(XcbConnection*, unsigned, void**, void**);
    void (*discard_reply)(XcbConnection*, unsigned);
    int (*flush)(XcbConnection*);
    uint64_t (*total_read)(XcbConnection*);
    bool complete;
};

template <typename Function>
bool find(Function& function, const char* library, const char* name) {
    function = shim::loaded_function<Function>(library, name);
    return function != nullptr;
}

const Xcb& xcb() {
    static const Xcb functions = [] {
        constexpr const char* kXcb = "libxcb.so.1";
        Xcb x{};
        x.complete = find(x.connection_of, "libX11-xcb.so.1", "XGetXCBConnection") &&
                     find(x.get_geometry, kXcb, "xcb_get_geometry") &&
                     find(x.geometry_reply, kXcb, "xcb_get_geometry_reply") &&
                     find(x.get_input_focus, kXcb, "xcb_get_input_focus") &&
                     find(x.no_operation, kXcb, "xcb_no_operation") &&
                     find(x.wait_for_reply, kXcb, "xcb_wait_for_reply") &&
                     find(x.poll_for_reply, kXcb, "xcb_poll_for_reply") &&
                     find(x.discard_reply, kXcb, "xcb_discard_reply") &&
                     find(x.flush, kXcb, "xcb_flush") && find(x.total_read, kXcb, "xcb_total_read");
        return x;
    }();
    return functions;
}

/// A frame that was given to the X server.
struct Frame {
    XcbConnection* connection = nullptr;  ///< null: this entry is free
    unsigned long drawable = 0;
    XcbCookie geometry{};
    bool has_geometry = false;  ///< nobody has taken the reply with the size
    XcbCookie sign{};
    bool waits = false;        ///< the sign has been asked for and has not been seen
    uint64_t read_before = 0;  ///< bytes that were read when the size was asked for
};

/// Frames of more windows are waited for at once.
constexpr size_t kMostFrames = 8;

std::mutex g_mutex;  ///< for g_frames
std::array<Frame, kMostFrames> g_frames;
std::atomic<bool> g_waits;  ///< a frame may be waited for
/// A message that makes the server write has been seen: the shim sees all of them.
std::atomic<bool> g_sees_messages;
/// The frame that this thread sends: between XShmPutImage and XSync.
thread_local Frame t_sent;

bool is_glx(const void* code) {
    return shim::is_code_of(code, {"libGLX_mesa"});
}

/// The entry of a window.
Frame* find_frame(const XcbConnection* connection, unsigned long drawable) {
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

/// Asks for the size of a window whose frame will be sent.
Frame start_frame(Display* display, unsigned long drawable) {
    Frame frame;
    frame.connection = xcb().connection_of(display);
    frame.drawable = drawable;
    frame.read_before = xcb().total_read(frame.connection);
    frame.geometry = xcb().get_geometry(frame.connection, static_cast<uint32_t>(drawable));
    frame.has_geometry = true;
    return frame;
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

/// Asks for a sign after a frame, and remembers the frame. Returns false without room.
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

/// The size of a window that the X server told with its last frame, or null: another request was
/// sent since, another answer or event came, or there is no such frame. The caller frees it.
GeometryReply* told_geometry(XcbConnection* connection, unsigned long drawable) {
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
    GeometryReply* const reply = xcb().geometry_reply(connection, frame->geometry, nullptr);
    const uint64_t replies = look_for_sign(*frame, false) ? 2 : 1;
    if (xcb().total_read(connection) - frame->read_before == replies * kReplyBytes)
        return reply;
    std::free(reply);
    return nullptr;
}

}  // namespace

void valkyr::shim::finish_frames() {
    if (!g_waits.load(std::memory_order_relaxed))
        return;
    const std::lock_guard lock(g_mutex);
    for (Frame& frame : g_frames)
        if (frame.connection != nullptr)
            look_for_sign(frame, true);
    g_waits = false;
}

void valkyr::shim::look_at_message(const void* bytes, size_t size) {
    // A message starts with a header of two words, which Mesa sends by a call of its own: the words
    // that follow, and the command (VCMD_TRANSFER_GET2 of vtest_protocol.h).
    constexpr uint32_t kTransferGet = 13;
    uint32_t header[2];
    if (size != sizeof header)
        return;
    std::memcpy(header, bytes, sizeof header);
    if (header[1] != kTransferGet)
        return;
    g_sees_messages = true;
    finish_frames();
}

// NOLINTBEGIN(readability-identifier-naming): names of Xlib and XCB

extern "C" __attribute__((visibility("default"))) int XShmPutImage(Display* display,
                                                                   unsigned long drawable,
                                                                   Gc gc,
                                                                   XImage* image,
                                                                   int from_x,
                                                                   int from_y,
                                                                   int x,
                                                                   int y,
                                                                   unsigned width,
                                                                   unsigned height,
                                                                   int wants_event) {
    static const auto next = shim::loaded_function<PutImage>("libXext.so.6", "XShmPutImage");
    if (next == nullptr)
        return 0;
    if (g_sees_messages.load(std::memory_order_relaxed) && xcb().complete &&
        t_sent.connection == nullptr && is_glx(__builtin_return_address(0)))
        t_sent = start_frame(display, drawable);
    return next(display, drawable, gc, image, from_x, from_y, x, y, width, height, wants_event);
}

extern "C" __attribute__((visibility("default"))) int XSync(Display* display, int discard) {
    static const auto next = shim::loaded_function<Sync>("libX11.so.6", "XSync");
    if (t_sent.connection != nullptr && xcb().complete && is_glx(__builtin_return_address(0))) {
        const Frame sent = t_sent;
        t_sent = {};
        if (sent.connection == xcb().connection_of(display) && end_frame(sent))
            return 1;
    }
    return next != nullptr ? next(display, discard) : 0;
}

extern "C" __attribute__((visibility("default"))) int XGetGeometry(Display* display,
                                                                   unsigned long drawable,
                                                                   unsigned long* root,
                                                                   int* x,
                                                                   int* y,
                                                                   unsigned* width,
                                                                   unsigned* height,
                                                                   unsigned* border,
                                                                   unsigned* depth) {
    static const auto next = shim::loaded_function<GetGeometry>("libX11.so.6", "XGetGeometry");
    GeometryReply* const told = g_sees_messages.load(std::memory_order_relaxed) && xcb().complete &&
                                        is_glx(__builtin_return_address(0))
                                    ? told_geometry(xcb().connection_of(display), drawable)
                                    : nullptr;
    if (told == nullptr)
        return next != nullptr ? next(display, drawable, root, x, y, width, height, border, depth)
                               : 0;
    *root = told->root;
    *x = told->x;
    *y = told->y;
    *width = told->width;
    *height = told->height;
    *border = told->border_width;
    *depth = told->depth;
    std::free(told);
    return 1;
}

extern "C" __attribute__((visibility("default"))) void xcb_disconnect(XcbConnection* connection) {
    static const auto next = shim::loaded_function<Disconnect>("libxcb.so.1", "xcb_disconnect");
    {
        const std::lock_guard lock(g_mutex);
        for (Frame& frame : g_frames)
            if (frame.connection == connection)
                frame = {};
    }
    if (next != nullptr)
        next(connection);
}

// NOLINTEND(readability-identifier-naming)
