// GL calls: have the functions of OpenGL that do more in a context of this library.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/call_redirect.hpp"

namespace valkyr::osmesa {

/// glFinish and glFlush, which make pixels visible, and those of the accumulation buffer.
std::span<const NamedFunction> own_gl_functions();

}  // namespace valkyr::osmesa
