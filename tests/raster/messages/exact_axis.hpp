// Exact axis: models wrap modes by GL's formulas with rational coordinates and integer indices.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <cstdint>
#include <map>

namespace valkyr::test {

/// The index of all border texels.
inline constexpr int64_t kBorder = -1000000;

/// Weights by texel in 1/256; weights of 0 are left out.
using Taps = std::map<int64_t, int>;

/// A coordinate num / 4096 on an axis of `size` texels.
struct ExactCoordinate {
    int64_t num;
    int64_t size;
};
inline constexpr int64_t kGrid = 4096;

inline int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline int64_t modulo(int64_t a, int64_t b) {
    return a - b * floor_div(a, b);
}

/// Wraps a texel index by GL 4.6 table 8.20 and the two modes of EXT_texture_mirror_clamp.
inline int64_t gl_wrap(int64_t i, exec::Wrap wrap, int64_t size) {
    const auto mirror = [](int64_t a) { return a >= 0 ? a : -(1 + a); };
    const auto to_edge = [&](int64_t a) { return a < 0 ? 0 : a >= size ? size - 1 : a; };
    const auto to_border = [&](int64_t a) { return a < 0 || a >= size ? kBorder : a; };
    switch (wrap) {
    case exec::Wrap::Repeat: return modulo(i, size);
    case exec::Wrap::MirrorRepeat: return (size - 1) - mirror(modulo(i, 2 * size) - size);
    case exec::Wrap::ClampToEdge: return to_edge(i);
    case exec::Wrap::MirrorClampToEdge: return to_edge(mirror(i));
    case exec::Wrap::ClampToBorder:
    case exec::Wrap::Clamp: return to_border(i);
    case exec::Wrap::MirrorClampToBorder:
    case exec::Wrap::MirrorClamp: return to_border(mirror(i));
    }
    return kBorder;
}

inline bool is_gl_clamp(exec::Wrap wrap) {
    return wrap == exec::Wrap::Clamp || wrap == exec::Wrap::MirrorClamp;
}

/// The numerator, clamped for the GL_CLAMP modes: the coordinate to [0, 1] or [-1, 1].
inline int64_t limited(int64_t num, exec::Wrap wrap) {
    if (!is_gl_clamp(wrap))
        return num;
    const int64_t low = wrap == exec::Wrap::Clamp ? 0 : -kGrid;
    return num < low ? low : num > kGrid ? kGrid : num;
}

/// Taps of the linear filter: 256 * (u * size - 1/2), rounded to nearest even.
inline Taps linear_taps(const ExactCoordinate& u, exec::Wrap wrap, int offset = 0) {
    // 256 * (num * size / 4096 - 1/2) = (num * size - 2048) / 16
    const int64_t n = limited(u.num, wrap) * u.size - kGrid / 2;
    int64_t fixed = floor_div(n, 16);
    const int64_t rest = modulo(n, 16);
    if (rest > 8 || (rest == 8 && modulo(fixed, 2) == 1))
        ++fixed;
    fixed += int64_t{256} * offset;
    Taps taps;
    const int64_t weight = modulo(fixed, 256);
    const int64_t texel = floor_div(fixed, 256);
    if (weight != 256)
        taps[gl_wrap(texel, wrap, u.size)] += static_cast<int>(256 - weight);
    if (weight != 0)
        taps[gl_wrap(texel + 1, wrap, u.size)] += static_cast<int>(weight);
    return taps;
}

}  // namespace valkyr::test
