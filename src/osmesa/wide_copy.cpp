// Wide copy: gives the pixels of a surface with all bits that the server keeps.
// SPDX-License-Identifier: MIT
#include "osmesa/wide_copy.hpp"

#include "osmesa/names.hpp"

namespace valkyr::osmesa {

void WideCopy::make(const Gl& gl, int width, int height, unsigned type) {
    if (framebuffer_ == 0) {
        gl.generate_framebuffers(1, &framebuffer_);
        gl.generate_renderbuffers(1, &renderbuffer_);
    }
    gl.bind_framebuffer(kGlDrawFramebuffer, framebuffer_);
    if (width != width_ || height != height_ || type != type_) {
        gl.bind_renderbuffer(kGlRenderbuffer, renderbuffer_);
        gl.store_renderbuffer(kGlRenderbuffer, type == kGlFloat ? kGlRgba32f : kGlRgba16, width,
                              height);
        gl.attach_renderbuffer(kGlDrawFramebuffer, kGlColorAttachment0, kGlRenderbuffer,
                               renderbuffer_);
        width_ = width;
        height_ = height;
        type_ = type;
    }
    gl.blit_framebuffer(0, 0, width, height, 0, 0, width, height, kGlColorBufferBit, kGlNearest);
    gl.bind_framebuffer(kGlReadFramebuffer, framebuffer_);
}

void WideCopy::leave(const Gl& gl) {
    gl.bind_framebuffer(kGlFramebuffer, 0);
}

}  // namespace valkyr::osmesa
