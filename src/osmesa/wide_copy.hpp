// Wide copy: gives the pixels of a surface with all bits that the server keeps.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/egl.hpp"

namespace valkyr::osmesa {

/// Mesa takes a surface's components to be binary16, though Valkyr stores binary32 (stored_format()
/// and widen() in virgl/state/resource.cpp). What Mesa reads directly is rounded, so pixels are
/// first blitted to a renderbuffer with components of the program's width. One context has all of
/// its objects.
class WideCopy {
public:
    /// Copies the current surface and has the next glReadPixels() read the copy. `type`: the type
    /// of the program's components, GL_UNSIGNED_SHORT or GL_FLOAT.
    void make(const Gl& gl, int width, int height, unsigned type);
    /// Binds the surface again.
    static void leave(const Gl& gl);

private:
    unsigned framebuffer_ = 0;
    unsigned renderbuffer_ = 0;
    int width_ = 0;
    int height_ = 0;
    unsigned type_ = 0;
};

}  // namespace valkyr::osmesa
