// EGL: loads the functions of EGL and OpenGL that the library calls.
// SPDX-License-Identifier: MIT
#include "osmesa/egl.hpp"

#include "osmesa/report.hpp"

#include <dlfcn.h>

namespace valkyr::osmesa {

namespace {

template <typename T>
bool load_from(void* library, const char* name, T& function) {
    function = reinterpret_cast<T>(dlsym(library, name));
    return function != nullptr;
}

template <typename T>
void ask(const Egl& egl, const char* name, T& function) {
    function = egl.get_function != nullptr ? reinterpret_cast<T>(egl.get_function(name)) : nullptr;
}

}  // namespace

Egl Egl::load() {
    void* library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    Egl egl{};
    const bool complete = library != nullptr &&
                          load_from(library, "eglGetPlatformDisplay", egl.get_platform_display) &&
                          load_from(library, "eglInitialize", egl.initialize) &&
                          load_from(library, "eglBindAPI", egl.bind_api) &&
                          load_from(library, "eglChooseConfig", egl.choose_config) &&
                          load_from(library, "eglGetConfigAttrib", egl.get_config_attribute) &&
                          load_from(library, "eglCreatePbufferSurface", egl.create_surface) &&
                          load_from(library, "eglDestroySurface", egl.destroy_surface) &&
                          load_from(library, "eglCreateContext", egl.create_context) &&
                          load_from(library, "eglDestroyContext", egl.destroy_context) &&
                          load_from(library, "eglMakeCurrent", egl.make_current) &&
                          load_from(library, "eglGetCurrentContext", egl.get_current_context) &&
                          load_from(library, "eglGetCurrentSurface", egl.get_current_surface) &&
                          load_from(library, "eglGetError", egl.get_error) &&
                          load_from(library, "eglGetProcAddress", egl.get_function);
    if (complete)
        return egl;
    if (const char* why = library == nullptr ? dlerror() : nullptr; why != nullptr)
        report("Mesa's EGL is missing: %s (Debian: libegl1 and libgl1-mesa-dri)", why);
    else
        report("libEGL.so.1 has no EGL 1.5 (Debian: libegl1 and libgl1-mesa-dri)");
    return {};
}

Gl::Gl(const Egl& egl) {
    ask(egl, "glFinish", finish);
    ask(egl, "glFlush", flush);
    ask(egl, "glPixelStorei", pixel_store);
    ask(egl, "glReadPixels", read_pixels);
    ask(egl, "glPixelTransferf", pixel_transfer);
    ask(egl, "glBindBuffer", bind_buffer);
    ask(egl, "glBindFramebuffer", bind_framebuffer);
    ask(egl, "glGenFramebuffers", generate_framebuffers);
    ask(egl, "glBlitFramebuffer", blit_framebuffer);
    ask(egl, "glGenRenderbuffers", generate_renderbuffers);
    ask(egl, "glBindRenderbuffer", bind_renderbuffer);
    ask(egl, "glRenderbufferStorage", store_renderbuffer);
    ask(egl, "glFramebufferRenderbuffer", attach_renderbuffer);
    ask(egl, "glGetIntegerv", get_integer);
    ask(egl, "glGetFloatv", get_float);
    ask(egl, "glGetString", get_string);
    ask(egl, "glClampColor", clamp_color);
    ask(egl, "glAccum", accum);
    ask(egl, "glClear", clear);
    ask(egl, "glIsEnabled", is_enabled);
    ask(egl, "glGetBooleanv", get_boolean);
    ask(egl, "glColorMask", color_mask);
    ask(egl, "glWindowPos2i", window_position);
    ask(egl, "glDrawPixels", draw_pixels);
    ask(egl, "glDebugMessageInsert", debug_message);
}

}  // namespace valkyr::osmesa
