// Accumulation: has the accumulation buffer of a context, which EGL's surfaces of Mesa do not have.
// SPDX-License-Identifier: MIT
#include "osmesa/accumulation.hpp"

#include "osmesa/names.hpp"

#include <algorithm>

namespace valkyr::osmesa {

WriteState read_write_state(const Gl& gl, int width, int height) {
    WriteState state;
    int box[4] = {0, 0, width, height};
    if (gl.is_enabled(kGlScissorTest) != 0)
        gl.get_integer(kGlScissorBox, box);
    const int left = std::clamp(box[0], 0, width);
    const int low = std::clamp(box[1], 0, height);
    // The box may reach as far as an int does.
    const auto end = [](int begin, int size, int most) {
        return static_cast<int>(std::clamp<int64_t>(int64_t{begin} + size, 0, most));
    };
    state.box = {left, low, std::max(end(box[0], box[2], width) - left, 0),
                 std::max(end(box[1], box[3], height) - low, 0)};
    gl.get_boolean(kGlColorWritemask, state.mask);
    gl.get_float(kGlAccumClearValue, state.clear_value);
    int framebuffer = 0;
    int list = 0;
    gl.get_integer(kGlDrawFramebufferBinding, &framebuffer);
    gl.get_integer(kGlListIndex, &list);
    state.to_surface = framebuffer == 0 && list == 0;
    return state;
}

/// Calls change(value, index) for each component of the box; the index counts those of the box.
template <typename Self, typename Change>
void Accumulation::each(Self& self, const Box& box, Change change) {
    size_t index = 0;
    for (int y = box.y; y < box.y + box.height; ++y) {
        const auto row = static_cast<size_t>(y) * static_cast<size_t>(self.width_);
        auto* value = self.values_.data() + 4 * (row + static_cast<size_t>(box.x));
        for (int k = 0; k < 4 * box.width; ++k)
            change(*value++, index++);
    }
}

void Accumulation::resize(int width, int height) {
    if (width == width_ && height == height_)
        return;
    width_ = width;
    height_ = height;
    values_.assign(4 * static_cast<size_t>(width) * static_cast<size_t>(height), 0.0F);
}

void Accumulation::clear(const WriteState& state) {
    each(*this, state.box,
         [&](float& value, size_t index) { value = state.clear_value[index % 4]; });
}

void Accumulation::add_colors(const Box& box,
                              const std::vector<float>& colors,
                              float factor,
                              bool load) {
    each(*this, box, [&](float& value, size_t index) {
        value = (load ? 0.0F : value) + colors[index] * factor;
    });
}

void Accumulation::scale(const Box& box, float factor, float addend) {
    each(*this, box, [&](float& value, size_t) { value = value * factor + addend; });
}

std::vector<float> Accumulation::colors(const Box& box, float factor) const {
    std::vector<float> colors(4 * static_cast<size_t>(box.width) * static_cast<size_t>(box.height));
    each(*this, box, [&](float value, size_t index) { colors[index] = value * factor; });
    return colors;
}

}  // namespace valkyr::osmesa
