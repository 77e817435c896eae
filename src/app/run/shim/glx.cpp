// GLX: sends frames of Mesa's GLX to the X server without waiting for it.
// SPDX-License-Identifier: MIT
#include "app/run/shim/frames.hpp"

#include <cstdlib>

namespace {

namespace shim = valkyr::shim;

struct XImage;
using Gc = struct XlibGc*;
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

/// The frame that this thread sends: between XShmPutImage and XSync.
thread_local shim::Frame t_sent;

bool is_glx(const void* code) {
    return shim::is_code_of(code, {"libGLX_mesa"});
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of Xlib

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
    static const auto next = shim::loaded_function<PutImage>(shim::kXext, "XShmPutImage");
    if (next == nullptr)
        return 0;
    if (shim::sends_frames() && t_sent.connection == nullptr && is_glx(__builtin_return_address(0)))
        if (XcbConnection* const connection = shim::connection_of(display))
            t_sent = shim::start_frame(connection, static_cast<uint32_t>(drawable));
    return next(display, drawable, gc, image, from_x, from_y, x, y, width, height, wants_event);
}

extern "C" __attribute__((visibility("default"))) int XSync(Display* display, int discard) {
    static const auto next = shim::loaded_function<Sync>(shim::kXlib, "XSync");
    if (t_sent.connection != nullptr && is_glx(__builtin_return_address(0))) {
        const shim::Frame sent = t_sent;
        t_sent = {};
        if (shim::end_frame(sent))
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
    static const auto next = shim::loaded_function<GetGeometry>(shim::kXlib, "XGetGeometry");
    XcbGeometry* const told =
        shim::sends_frames() && is_glx(__builtin_return_address(0))
            ? shim::told_geometry(shim::connection_of(display), static_cast<uint32_t>(drawable))
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

// NOLINTEND(readability-identifier-naming)
