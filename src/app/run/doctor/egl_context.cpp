// EGL context: makes a context without a window system current.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/egl_context.hpp"

#include "app/run/doctor/libraries.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace valkyr::app {

namespace {

// Types and constants of EGL's headers, which need not be installed.
using EglObject = void*;
constexpr unsigned kSurfacelessPlatform = 0x31DD;
constexpr unsigned kOpenGl = 0x30A2;
constexpr unsigned kOpenGlEs = 0x30A0;
constexpr int kNone = 0x3038;
constexpr int kSurfaceType = 0x3033;
constexpr int kPbuffer = 0x0001;
constexpr int kRenderableType = 0x3040;
constexpr int kOpenGlBit = 0x0008;
constexpr int kOpenGlEs3Bit = 0x0040;
constexpr int kWidth = 0x3057;
constexpr int kHeight = 0x3056;
constexpr int kSide = 16;

struct Egl {
    EglObject (*get_platform_display)(unsigned, void*, const intptr_t*);
    unsigned (*initialize)(EglObject, int*, int*);
    unsigned (*bind_api)(unsigned);
    unsigned (*choose_config)(EglObject, const int*, EglObject*, int, int*);
    EglObject (*create_surface)(EglObject, EglObject, const int*);
    EglObject (*create_context)(EglObject, EglObject, EglObject, const int*);
    unsigned (*make_current)(EglObject, EglObject, EglObject, EglObject);
    int (*get_error)();
    GetFunction get_function;
};

Result<Egl> load_egl() {
    VALKYR_TRY(library, Library::open("libEGL.so.1"));
    Egl egl{};
    const bool complete = library.load("eglGetPlatformDisplay", egl.get_platform_display) &&
                          library.load("eglInitialize", egl.initialize) &&
                          library.load("eglBindAPI", egl.bind_api) &&
                          library.load("eglChooseConfig", egl.choose_config) &&
                          library.load("eglCreatePbufferSurface", egl.create_surface) &&
                          library.load("eglCreateContext", egl.create_context) &&
                          library.load("eglMakeCurrent", egl.make_current) &&
                          library.load("eglGetError", egl.get_error) &&
                          library.load("eglGetProcAddress", egl.get_function);
    if (!complete)
        return probe_error(library.path() + " has no EGL 1.5");
    return egl;
}

Error failed(const Egl& egl, const char* what) {
    char code[16];
    std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(egl.get_error()));
    return probe_error(std::string(what) + " fails, error " + code);
}

}  // namespace

Result<EglContext> make_egl_context(const EglWish& wish) {
    VALKYR_TRY(egl, load_egl());
    EglObject display = egl.get_platform_display(kSurfacelessPlatform, nullptr, nullptr);
    if (display == nullptr)
        return failed(egl, "eglGetPlatformDisplay (surfaceless)");
    if (egl.initialize(display, nullptr, nullptr) == 0)
        return failed(egl, "eglInitialize");
    const int wanted[] = {kSurfaceType, kPbuffer, kRenderableType,
                          wish.es ? kOpenGlEs3Bit : kOpenGlBit, kNone};
    EglObject config = nullptr;
    int count = 0;
    if (egl.bind_api(wish.es ? kOpenGlEs : kOpenGl) == 0 ||
        egl.choose_config(display, wanted, &config, 1, &count) == 0 || count == 0)
        return failed(egl, "eglChooseConfig");
    const int size[] = {kWidth, kSide, kHeight, kSide, kNone};
    std::vector<int> attributes = wish.attributes;
    attributes.push_back(kNone);
    EglObject surface = egl.create_surface(display, config, size);
    EglObject context = egl.create_context(display, config, nullptr, attributes.data());
    if (surface == nullptr || context == nullptr)
        return failed(egl, "eglCreateContext");
    if (egl.make_current(display, surface, surface, context) == 0)
        return failed(egl, "eglMakeCurrent");
    return EglContext{egl.get_function};
}

}  // namespace valkyr::app
