// Texture wrapping: applies the wrap modes.
// SPDX-License-Identifier: MIT
#include "raster/messages/texture_wrap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::Wrap;

/// Change of the coordinate before scaling to texels.
enum class Fold : uint8_t { None, Repeat, Mirror, Absolute };
/// Treatment of a texel index past either end.
enum class End : uint8_t { Repeat, Mirror, Edge, Border };

struct WrapRule {
    Fold fold;
    bool limited;  ///< the scaled coordinate is first clamped to just outside the texels
    End low;
    End high;
    End linear_low;  ///< for the linear filter, where GL_CLAMP differs
    End linear_high;
};

/// Rules, indexed by Wrap. Mirrored modes continue below 0 with texel 0: after the fold, no other
/// case is left.
constexpr std::array<WrapRule, 8> kRules{{
    {Fold::Repeat, false, End::Repeat, End::Repeat, End::Repeat, End::Repeat},
    {Fold::None, true, End::Edge, End::Edge, End::Edge, End::Edge},
    {Fold::None, true, End::Border, End::Border, End::Border, End::Border},
    {Fold::Mirror, false, End::Mirror, End::Mirror, End::Mirror, End::Mirror},
    {Fold::Absolute, true, End::Mirror, End::Edge, End::Mirror, End::Edge},
    {Fold::Absolute, true, End::Mirror, End::Border, End::Mirror, End::Border},
    {Fold::None, true, End::Edge, End::Edge, End::Border, End::Border},
    {Fold::Absolute, true, End::Mirror, End::Edge, End::Mirror, End::Border},
}};

const WrapRule& rule_of(Wrap wrap) {
    return kRules[static_cast<size_t>(wrap) & 7];
}

bool is_half_border(Wrap wrap) {
    return wrap == Wrap::Clamp || wrap == Wrap::MirrorClamp;
}

/// Returns the wrap mode; coordinates that count texels cannot repeat, so these modes clamp to the
/// edge.
Wrap effective_wrap(const Axis& axis) {
    const bool repeats = axis.wrap == Wrap::Repeat || axis.wrap == Wrap::MirrorRepeat;
    return !axis.normalized && repeats ? Wrap::ClampToEdge : axis.wrap;
}

float fold(Fold kind, float u) {
    switch (kind) {
    case Fold::None: return u;
    case Fold::Repeat: return u - std::floor(u);
    case Fold::Mirror: {
        const float m = u - 2 * std::floor(u / 2);
        return std::min(m, 2 - m);
    }
    case Fold::Absolute: return std::fabs(u);
    }
    return u;
}

/// Returns the coordinate in texels, minus `bias`. The offset counts texels; where folding could
/// reverse its direction, it is added to the coordinate before folding.
float scaled_coordinate(float u, const Axis& axis, Wrap wrap, float bias) {
    const WrapRule& rule = rule_of(wrap);
    const float scale = axis.normalized ? static_cast<float>(axis.size) : 1.0F;
    auto offset = static_cast<float>(axis.offset);
    if (axis.offset != 0 && (rule.fold == Fold::Mirror || rule.fold == Fold::Absolute)) {
        u += offset / scale;
        offset = 0;
    }
    return std::fma(fold(rule.fold, u), scale, offset - bias);
}

int64_t mirrored(int64_t index, int64_t size) {
    const int64_t period = 2 * size;
    const int64_t m = (index % period + period) % period;
    return m < size ? m : period - 1 - m;
}

}  // namespace

int64_t wrap_index(int64_t index, Wrap wrap, uint32_t size, bool linear) noexcept {
    if (index >= 0 && index < size)
        return index;
    const WrapRule& rule = rule_of(wrap);
    if (index < 0 && rule.fold == Fold::Absolute)
        return wrap_index(-1 - index, wrap, size, linear);
    const End low = linear ? rule.linear_low : rule.low;
    const End high = linear ? rule.linear_high : rule.high;
    switch (index < 0 ? low : high) {
    case End::Repeat: return (index % size + size) % size;
    case End::Mirror: return mirrored(index, size);
    case End::Edge: return index < 0 ? 0 : int64_t{size} - 1;
    case End::Border: break;
    }
    return kBorderTexel;
}

namespace {

LinearTexels linear_texels_unwrapped(float coordinate, const Axis& axis) {
    const Wrap wrap = effective_wrap(axis);
    const auto size = static_cast<float>(axis.size);
    float x = scaled_coordinate(coordinate, axis, wrap, 0.5F);
    if (std::isnan(x))
        return {0, 1, 0};
    if (is_half_border(wrap))
        x = std::clamp(x, -0.5F, size - 0.5F);
    else if (rule_of(wrap).limited)
        x = std::clamp(x, -1.0F, size);
    const int64_t fixed = std::llrint(256 * x);
    return {fixed >> 8, (fixed >> 8) + 1, static_cast<int32_t>(fixed & 255)};
}

}  // namespace

LinearTexels face_texels(float coordinate, const Axis& axis) noexcept {
    Axis half_outside = axis;
    half_outside.wrap = Wrap::Clamp;
    return linear_texels_unwrapped(coordinate, half_outside);
}

LinearTexels linear_texels(float coordinate, const Axis& axis) noexcept {
    const Wrap wrap = effective_wrap(axis);
    const LinearTexels texels = linear_texels_unwrapped(coordinate, axis);
    return {wrap_index(texels.first, wrap, axis.size, true),
            wrap_index(texels.second, wrap, axis.size, true), texels.weight};
}

int64_t nearest_texel(float coordinate, const Axis& axis) noexcept {
    const Wrap wrap = effective_wrap(axis);
    float x = scaled_coordinate(coordinate, axis, wrap, 0);
    if (std::isnan(x))
        x = 0;
    else if (rule_of(wrap).limited)
        x = std::clamp(x, -1.0F, static_cast<float>(axis.size));
    return wrap_index(static_cast<int64_t>(std::floor(x)), wrap, axis.size, false);
}

}  // namespace valkyr::raster
