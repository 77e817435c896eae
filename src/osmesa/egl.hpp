// EGL: loads the functions of EGL and OpenGL that the library calls.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::osmesa {

using EglObject = void*;
using Function = void (*)();

/// Functions of libEGL.so.1 (EGL 1.5).
struct Egl {
    EglObject (*get_platform_display)(unsigned, void*, const intptr_t*);
    unsigned (*initialize)(EglObject, int*, int*);
    unsigned (*bind_api)(unsigned);
    unsigned (*choose_config)(EglObject, const int*, EglObject*, int, int*);
    unsigned (*get_config_attribute)(EglObject, EglObject, int, int*);
    EglObject (*create_surface)(EglObject, EglObject, const int*);
    unsigned (*destroy_surface)(EglObject, EglObject);
    EglObject (*create_context)(EglObject, EglObject, EglObject, const int*);
    unsigned (*destroy_context)(EglObject, EglObject);
    unsigned (*make_current)(EglObject, EglObject, EglObject, EglObject);
    EglObject (*get_current_context)();
    EglObject (*get_current_surface)(int);
    int (*get_error)();
    Function (*get_function)(const char*);

    /// Reports what is missing; then `get_function` is null.
    static Egl load();
};

/// Functions of OpenGL; any context of Mesa has the same.
struct Gl {
    void (*finish)();
    void (*flush)();
    void (*pixel_store)(unsigned, int);
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void*);
    void (*pixel_transfer)(unsigned, float);
    void (*bind_buffer)(unsigned, unsigned);
    void (*bind_framebuffer)(unsigned, unsigned);
    void (*generate_framebuffers)(int, unsigned*);
    void (*blit_framebuffer)(int, int, int, int, int, int, int, int, unsigned, unsigned);
    void (*generate_renderbuffers)(int, unsigned*);
    void (*bind_renderbuffer)(unsigned, unsigned);
    void (*store_renderbuffer)(unsigned, unsigned, int, int);
    void (*attach_renderbuffer)(unsigned, unsigned, unsigned, unsigned);
    void (*get_integer)(unsigned, int*);
    void (*get_float)(unsigned, float*);
    const unsigned char* (*get_string)(unsigned);
    void (*clamp_color)(unsigned, unsigned);
    void (*accum)(unsigned, float);
    void (*clear)(unsigned);
    unsigned char (*is_enabled)(unsigned);
    void (*get_boolean)(unsigned, unsigned char*);
    void (*color_mask)(unsigned char, unsigned char, unsigned char, unsigned char);
    void (*window_position)(int, int);
    void (*draw_pixels)(int, int, unsigned, unsigned, const void*);
    void (*debug_message)(unsigned, unsigned, unsigned, unsigned, int, const char*);

    explicit Gl(const Egl& egl);
};

}  // namespace valkyr::osmesa
