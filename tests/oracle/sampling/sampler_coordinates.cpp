// Sampler coordinates: wrap coordinates and find cube faces.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/sampler_coordinates.hpp"

#include "base/bits.hpp"
#include "tgsi/arith/arith_float.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace valkyr::tgsi {

namespace {

bool is_mirror_once(WrapMode wrap) {
    return wrap == WrapMode::MirrorClampToEdge || wrap == WrapMode::MirrorClampToBorder ||
           wrap == WrapMode::MirrorClamp;
}

/// Coordinates that count texels have no period.
WrapMode mode_of(const SamplerAxis& axis) {
    const bool periodic = axis.wrap == WrapMode::Repeat || axis.wrap == WrapMode::MirrorRepeat;
    return periodic && !axis.normalized ? WrapMode::ClampToEdge : axis.wrap;
}

/// The coordinate in texels less `shift`, before any limit. Repeated coordinates are first brought
/// into one period. Texel offsets are added to the product; where mirroring could invert them, they
/// are added to the coordinate.
float in_texels(float u, const SamplerAxis& axis, float shift) {
    const WrapMode mode = mode_of(axis);
    const float size = axis.normalized ? static_cast<float>(axis.size) : 1.0F;
    auto offset = static_cast<float>(axis.offset);
    const bool mirrors = mode == WrapMode::MirrorRepeat || is_mirror_once(mode);
    if (mirrors && axis.offset != 0)
        u += std::exchange(offset, 0.0F) / size;
    if (mode == WrapMode::Repeat)
        u = u - std::floor(u);
    if (mode == WrapMode::MirrorRepeat) {
        const float m = u - 2.0F * std::floor(u / 2.0F);
        u = 2.0F - m < m ? 2.0F - m : m;
    }
    if (is_mirror_once(mode))
        u = std::fabs(u);
    return std::fma(u, size, offset - shift);
}

float limited(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

bool is_periodic(WrapMode mode) {
    return mode == WrapMode::Repeat || mode == WrapMode::MirrorRepeat;
}

}  // namespace

int64_t wrapped(int64_t index, WrapMode wrap, int64_t size, bool linear) {
    if (is_mirror_once(wrap) && index < 0)
        index = -1 - index;
    if (index >= 0 && index < size)
        return index;
    const int64_t edge = index < 0 ? 0 : size - 1;
    switch (wrap) {
    case WrapMode::Repeat: return (index % size + size) % size;
    case WrapMode::MirrorRepeat: {
        const int64_t m = (index % (2 * size) + 2 * size) % (2 * size);
        return m < size ? m : 2 * size - 1 - m;
    }
    case WrapMode::ClampToEdge:
    case WrapMode::MirrorClampToEdge: return edge;
    case WrapMode::Clamp:
    case WrapMode::MirrorClamp: return linear ? kBorder : edge;
    case WrapMode::ClampToBorder:
    case WrapMode::MirrorClampToBorder: return kBorder;
    }
    return kBorder;
}

int64_t nearest_texel(float coordinate, const SamplerAxis& axis) {
    const WrapMode mode = mode_of(axis);
    float x = in_texels(coordinate, axis, 0);
    if (std::isnan(x))
        x = 0;
    if (!is_periodic(mode))
        x = limited(x, -1.0F, static_cast<float>(axis.size));
    return wrapped(static_cast<int64_t>(std::floor(x)), mode, axis.size, false);
}

TexelPair linear_texels(float coordinate, const SamplerAxis& axis, bool raw) {
    const WrapMode mode = mode_of(axis);
    const auto size = static_cast<float>(axis.size);
    float x = in_texels(coordinate, axis, 0.5F);
    if (mode == WrapMode::Clamp || mode == WrapMode::MirrorClamp)
        x = limited(x, -0.5F, size - 0.5F);
    else if (!is_periodic(mode))
        x = limited(x, -1.0F, size);
    const int64_t fixed = std::isnan(x) ? 0 : std::llrint(256.0F * x);
    TexelPair pair{fixed >> 8, (fixed >> 8) + 1, static_cast<int32_t>(fixed & 255)};
    if (!raw) {
        pair.first = wrapped(pair.first, mode, axis.size, true);
        pair.second = wrapped(pair.second, mode, axis.size, true);
    }
    return pair;
}

namespace {

/// Axes of a face: which coordinate s, t and the normal follow, and their signs (OpenGL 4.6 table
/// 8.19).
struct FaceRow {
    unsigned s, t, normal;
    int s_sign, t_sign, normal_sign;
};
constexpr std::array<FaceRow, 6> kFaces{{{2, 1, 0, -1, -1, 1},
                                         {2, 1, 0, 1, -1, -1},
                                         {0, 2, 1, 1, 1, 1},
                                         {0, 2, 1, 1, -1, -1},
                                         {0, 1, 2, 1, -1, 1},
                                         {0, 1, 2, -1, -1, -1}}};

/// The largest magnitude decides; ties prefer z, then y. Any NaN: +Z.
uint32_t face_of(const std::array<float, 3>& d, float largest) {
    for (const float c : d)
        if (std::isnan(c))
            return 4;
    for (const unsigned axis : {2U, 1U, 0U})
        if (std::fabs(d[axis]) == largest || axis == 0)
            return 2 * axis + (d[axis] < 0 ? 1 : 0);
    return 0;
}

}  // namespace

CubePoint cube_point(const std::array<float, 3>& direction) {
    float largest = 0;
    bool nan = false;
    for (const float c : direction) {
        nan |= std::isnan(c);
        largest = std::fabs(c) > largest ? std::fabs(c) : largest;
    }
    CubePoint out;
    out.face = face_of(direction, largest);
    const FaceRow& row = kFaces[out.face];
    const bool infinite = std::isinf(largest);
    // An infinite axis counts as 1, a vanishing one as 2: the point stays on the face.
    float axis = infinite ? 1.0F : largest < 0x1p-126F ? 2.0F : largest;
    if (nan)
        axis = as_float(arith::kNan);
    const uint32_t half = arith::mul(arith::rcp(as_bits(axis)), as_bits(0.5F));
    const auto place = [&](unsigned from, int sign) {
        float value = sign < 0 ? -direction[from] : direction[from];
        if (infinite)
            value = std::copysign(std::isinf(value) ? 1.0F : 0.0F, value);
        return as_float(arith::saturate(arith::fma(half, as_bits(value), as_bits(0.5F))));
    };
    out.st = {place(row.s, row.s_sign), place(row.t, row.t_sign)};
    return out;
}

std::array<float, 2> cube_gradient(const std::array<float, 3>& direction,
                                   const std::array<float, 3>& change) {
    const FaceRow& row = kFaces[cube_point(direction).face];
    // The derivative of s = 0.5 * sc / |ma| + 0.5, by the quotient rule.
    const double axis = std::fabs(static_cast<double>(direction[row.normal]));
    const double axis_change = row.normal_sign * static_cast<double>(change[row.normal]);
    const auto slope = [&](unsigned from, int sign) {
        const double c = sign * static_cast<double>(direction[from]);
        const double dc = sign * static_cast<double>(change[from]);
        return static_cast<float>(0.5 * (dc * axis - c * axis_change) / (axis * axis));
    };
    return {slope(row.s, row.s_sign), slope(row.t, row.t_sign)};
}

CubeTexel over_the_edge(const CubeTexel& at, int64_t size) {
    if (at.x >= 0 && at.x < size && at.y >= 0 && at.y < size)
        return at;
    // Twice the texel centre with the middle of the cube as origin; faces at +-size.
    const FaceRow& from = kFaces[at.face];
    std::array<int64_t, 3> p{};
    p[from.s] = from.s_sign * (2 * at.x + 1 - size);
    p[from.t] = from.t_sign * (2 * at.y + 1 - size);
    // The neighbour's first row of centres is half a texel below this face.
    p[from.normal] = from.normal_sign * (size - 1);
    const unsigned beyond = at.x < 0 || at.x >= size ? from.s : from.t;
    const bool negative = p[beyond] < 0;
    const uint32_t face = 2 * beyond + (negative ? 1 : 0);
    const FaceRow& to = kFaces[face];
    return {face, (to.s_sign * p[to.s] + size - 1) / 2, (to.t_sign * p[to.t] + size - 1) / 2};
}

}  // namespace valkyr::tgsi
