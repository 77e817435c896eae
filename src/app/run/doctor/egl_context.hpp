// EGL context: makes a context without a window system current.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/client_drawing.hpp"
#include "base/result.hpp"

#include <vector>

namespace valkyr::app {

/// The context that a client wants.
struct EglWish {
    bool es = false;              ///< OpenGL ES 3 instead of OpenGL
    std::vector<int> attributes;  ///< of eglCreateContext: names and values, without the end
};

/// A current context.
struct EglContext {
    GetFunction get_function;
};

/// Loads EGL, and makes a context with a small surface current.
/// errors  System: something is missing or fails
Result<EglContext> make_egl_context(const EglWish& wish);

}  // namespace valkyr::app
