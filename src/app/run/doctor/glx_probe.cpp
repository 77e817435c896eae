// GLX probe: draws in a context for a window of the display, which is never shown.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/client_drawing.hpp"
#include "app/run/doctor/libraries.hpp"
#include "app/run/doctor/probes.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace valkyr::app {

namespace {

// Types and constants of the headers of Xlib and GLX, which need not be installed. Errors of the X
// server end this process with Xlib's message, as they end any X client.
using XDisplay = struct XDisplayOfXlib;
using XId = unsigned long;  // NOLINT: Xlib's type

/// XVisualInfo.
struct VisualInfo {
    void* visual;
    XId id;
    int screen;
    int depth;
    int kind;
    unsigned long masks[3];  // NOLINT: Xlib's type
    int colormap_size;
    int bits_per_rgb;
};

/// XSetWindowAttributes.
struct WindowAttributes {
    XId background_pixmap;
    unsigned long background_pixel;  // NOLINT: Xlib's type
    XId border_pixmap;
    unsigned long border_pixel;  // NOLINT: Xlib's type
    int bit_gravity;
    int win_gravity;
    int backing_store;
    unsigned long backing_planes;  // NOLINT: Xlib's type
    unsigned long backing_pixel;   // NOLINT: Xlib's type
    int save_under;
    long event_mask;             // NOLINT: Xlib's type
    long do_not_propagate_mask;  // NOLINT: Xlib's type
    int override_redirect;
    XId colormap;
    XId cursor;
};
constexpr unsigned long kBorderAndColormap = 1UL << 3 | 1UL << 13;  // NOLINT: Xlib's type
constexpr unsigned kInputOutput = 1;
constexpr unsigned kWindowSide = 16;

/// The visual of glxgears: RGBA, two buffers, one bit of each colour and of depth at least.
constexpr int kVisual[] = {4, 5, 8, 1, 9, 1, 10, 1, 12, 1, 0};

struct Xlib {
    XDisplay* (*open)(const char*);
    const char* (*name)(const char*);
    int (*screen)(XDisplay*);
    XId (*root)(XDisplay*, int);
    XId (*create_colormap)(XDisplay*, XId, void*, int);
    XId (*create_window)(XDisplay*,
                         XId,
                         int,
                         int,
                         unsigned,
                         unsigned,
                         unsigned,
                         int,
                         unsigned,
                         void*,
                         unsigned long,  // NOLINT: Xlib's type
                         WindowAttributes*);
    int (*sync)(XDisplay*, int);
};

struct Glx {
    VisualInfo* (*choose_visual)(XDisplay*, int, int*);
    void* (*create_context)(XDisplay*, VisualInfo*, void*, int);
    int (*make_current)(XDisplay*, XId, void*);
    void (*swap_buffers)(XDisplay*, XId);
    GetFunction get_function;
};

Result<Xlib> load_xlib() {
    VALKYR_TRY(library, Library::open("libX11.so.6"));
    Xlib x{};
    const bool complete =
        library.load("XOpenDisplay", x.open) && library.load("XDisplayName", x.name) &&
        library.load("XDefaultScreen", x.screen) && library.load("XRootWindow", x.root) &&
        library.load("XCreateColormap", x.create_colormap) &&
        library.load("XCreateWindow", x.create_window) && library.load("XSync", x.sync);
    if (!complete)
        return probe_error(library.path() + " is no Xlib");
    return x;
}

Result<Glx> load_glx() {
    VALKYR_TRY(library, Library::open("libGL.so.1"));
    Glx glx{};
    const bool complete = library.load("glXChooseVisual", glx.choose_visual) &&
                          library.load("glXCreateContext", glx.create_context) &&
                          library.load("glXMakeCurrent", glx.make_current) &&
                          library.load("glXSwapBuffers", glx.swap_buffers) &&
                          library.load("glXGetProcAddressARB", glx.get_function);
    if (!complete)
        return probe_error(library.path() + " has no GLX");
    return glx;
}

XId make_window(const Xlib& x, XDisplay* display, const VisualInfo& visual) {
    const XId root = x.root(display, visual.screen);
    WindowAttributes attributes{};
    attributes.colormap = x.create_colormap(display, root, visual.visual, 0);
    return x.create_window(display, root, 0, 0, kWindowSide, kWindowSide, 0, visual.depth,
                           kInputOutput, visual.visual, kBorderAndColormap, &attributes);
}

}  // namespace

Result<std::string> probe_glx() {
    VALKYR_TRY(x, load_xlib());
    VALKYR_TRY(glx, load_glx());
    XDisplay* const display = x.open(nullptr);
    if (display == nullptr)
        return probe_error(std::string("the display cannot be opened: ") + x.name(nullptr));
    int wanted[std::size(kVisual)];
    std::copy(std::begin(kVisual), std::end(kVisual), wanted);
    VisualInfo* const visual = glx.choose_visual(display, x.screen(display), wanted);
    if (visual == nullptr)
        return probe_error("the display has no visual for OpenGL");
    const XId window = make_window(x, display, *visual);
    void* const context = glx.create_context(display, visual, nullptr, 1);
    if (context == nullptr || glx.make_current(display, window, context) == 0)
        return probe_error("glXCreateContext fails");
    VALKYR_TRY(name, draw_and_look(glx.get_function));
    glx.swap_buffers(display, window);
    x.sync(display, 0);
    return name;
}

}  // namespace valkyr::app
