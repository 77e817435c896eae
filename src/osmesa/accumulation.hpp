// Accumulation: has the accumulation buffer of a context, which EGL's surfaces of Mesa do not have.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/egl.hpp"

#include <vector>

namespace valkyr::osmesa {

/// A part of a surface, in pixels from its lower left corner.
struct Box {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// The state of the program's context that writes depend on.
struct WriteState {
    Box box;                     ///< the surface's part within the scissor box
    unsigned char mask[4] = {};  ///< of red, green, blue, alpha: 1 is written
    float clear_value[4] = {};   ///< glClearAccum()
    bool to_surface = false;     ///< no framebuffer object is bound, and no list is compiled
};

/// Reads the state of the current context.
WriteState read_write_state(const Gl& gl, int width, int height);

/// Values of four binary32 components for each pixel (OpenGL 4.6, compatibility profile, section
/// 17.4.4: the range is at least [-1, 1]).
class Accumulation {
public:
    /// Sets the size of the surface; all values are 0 if it is another one.
    void resize(int width, int height);
    /// glClear() with GL_ACCUM_BUFFER_BIT.
    void clear(const WriteState& state);
    /// GL_ACCUM and GL_LOAD: adds colours of the box times `factor`, to 0 if `load`.
    /// colors  four components a pixel, rows of the box
    void add_colors(const Box& box, const std::vector<float>& colors, float factor, bool load);
    /// GL_MULT and GL_ADD: each value becomes itself * factor + addend.
    void scale(const Box& box, float factor, float addend);
    /// GL_RETURN: the box's values times `factor`, as add_colors() takes them.
    [[nodiscard]] std::vector<float> colors(const Box& box, float factor) const;

private:
    template <typename Self, typename Change>
    static void each(Self& self, const Box& box, Change change);

    int width_ = 0;
    int height_ = 0;
    std::vector<float> values_;
};

}  // namespace valkyr::osmesa
