// Blend rules: evaluate factors and equations.
// SPDX-License-Identifier: MIT
#include "raster/messages/blend_rule.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::BlendFactor;
using exec::BlendFunc;

/// Equation of the rgb components, or of alpha.
struct Equation {
    BlendFunc func;
    BlendFactor source;
    BlendFactor destination;
};

Equation equation_of(const exec::BlendKey& key, unsigned component) {
    if (component == 3)
        return {key.alpha_func, key.alpha_src, key.alpha_dst};
    return {key.rgb_func, key.rgb_src, key.rgb_dst};
}

int minimum(int a, int b) {
    return std::min(a, b);
}
float minimum(float a, float b) {
    return min_number(a, b);
}

/// Returns the value of a factor for component c; `one` is 255 or 1.
template <typename Operands, typename T>
T factor_value(BlendFactor factor, unsigned c, const Operands& o, T one) {
    switch (factor) {
    case BlendFactor::Zero: return 0;
    case BlendFactor::One: return one;
    case BlendFactor::SrcColor: return o.source[c];
    case BlendFactor::SrcAlpha: return o.source[3];
    case BlendFactor::DstColor: return o.destination[c];
    case BlendFactor::DstAlpha: return o.destination[3];
    case BlendFactor::InvSrcColor: return one - o.source[c];
    case BlendFactor::InvSrcAlpha: return one - o.source[3];
    case BlendFactor::InvDstColor: return one - o.destination[c];
    case BlendFactor::InvDstAlpha: return one - o.destination[3];
    case BlendFactor::ConstColor: return o.constant[c];
    case BlendFactor::ConstAlpha: return o.constant[3];
    case BlendFactor::InvConstColor: return one - o.constant[c];
    case BlendFactor::InvConstAlpha: return one - o.constant[3];
    case BlendFactor::SrcAlphaSaturate:
        return c == 3 ? one : minimum(o.source[3], one - o.destination[3]);
    case BlendFactor::Src1Color: return o.source1[c];
    case BlendFactor::Src1Alpha: return o.source1[3];
    case BlendFactor::InvSrc1Color: return one - o.source1[c];
    case BlendFactor::InvSrc1Alpha: return one - o.source1[3];
    }
    return 0;
}

/// Returns N/255 rounded to the nearest integer; 255 is odd, so there are no ties.
int round_quotient(int n) {
    return n <= 0 ? 0 : std::min(255, (n + 127) / 255);
}

int blend_byte(const Equation& e, unsigned c, const BlendBytes& o) {
    const int s = o.source[c];
    const int d = o.destination[c];
    const int s_term = s * factor_value(e.source, c, o, 255);
    const int d_term = d * factor_value(e.destination, c, o, 255);
    switch (e.func) {
    case BlendFunc::Add: return round_quotient(s_term + d_term);
    case BlendFunc::Subtract: return round_quotient(s_term - d_term);
    case BlendFunc::ReverseSubtract: return round_quotient(d_term - s_term);
    case BlendFunc::Min: return std::min(s, d);
    case BlendFunc::Max: return std::max(s, d);
    }
    return s;
}

/// Returns sign * value * factor, without the multiplication for ONE. Negation is exact.
float term(BlendFactor factor, float value, float sign, unsigned c, const BlendNumbers& o) {
    if (factor == BlendFactor::One)
        return sign * value;
    return sign * (value * factor_value(factor, c, o, 1.0F));
}

/// Returns s_sign * S * Fs + d_sign * D * Fd: the destination's product is rounded, the source's is
/// fused. A factor ZERO drops its term, so that infinity times 0 does not occur.
float weighted_sum(
    const Equation& e, unsigned c, float s_sign, float d_sign, const BlendNumbers& o) {
    const float s = o.source[c];
    const float d = o.destination[c];
    if (e.source == BlendFactor::Zero)
        return e.destination == BlendFactor::Zero ? 0.0F : term(e.destination, d, d_sign, c, o);
    if (e.destination == BlendFactor::Zero)
        return term(e.source, s, s_sign, c, o);
    return std::fma(s_sign * s, factor_value(e.source, c, o, 1.0F),
                    term(e.destination, d, d_sign, c, o));
}

float blend_number(const Equation& e, unsigned c, const BlendNumbers& o) {
    switch (e.func) {
    case BlendFunc::Add: return weighted_sum(e, c, 1, 1, o);
    case BlendFunc::Subtract: return weighted_sum(e, c, 1, -1, o);
    case BlendFunc::ReverseSubtract: return weighted_sum(e, c, -1, 1, o);
    case BlendFunc::Min: return min_number(o.source[c], o.destination[c]);
    case BlendFunc::Max: return max_number(o.source[c], o.destination[c]);
    }
    return o.source[c];
}

}  // namespace

float min_number(float a, float b) noexcept {
    if (std::isnan(a))
        return b;
    if (a == b)
        return std::signbit(a) ? a : b;
    return b < a ? b : a;
}

float max_number(float a, float b) noexcept {
    if (std::isnan(a))
        return b;
    if (a == b)
        return std::signbit(a) ? b : a;
    return b > a ? b : a;
}

std::array<int, 4> blend_bytes(const exec::BlendKey& key, const BlendBytes& operands) noexcept {
    std::array<int, 4> result;
    for (unsigned c = 0; c < 4; ++c)
        result[c] = blend_byte(equation_of(key, c), c, operands);
    return result;
}

std::array<float, 4> blend_numbers(const exec::BlendKey& key,
                                   const BlendNumbers& operands) noexcept {
    std::array<float, 4> result;
    for (unsigned c = 0; c < 4; ++c)
        result[c] = blend_number(equation_of(key, c), c, operands);
    return result;
}

uint32_t apply_logic_op(exec::LogicOp op, uint32_t s, uint32_t d) noexcept {
    switch (op) {
    case exec::LogicOp::Clear: return 0;
    case exec::LogicOp::Nor: return ~(s | d);
    case exec::LogicOp::AndInverted: return ~s & d;
    case exec::LogicOp::CopyInverted: return ~s;
    case exec::LogicOp::AndReverse: return s & ~d;
    case exec::LogicOp::Invert: return ~d;
    case exec::LogicOp::Xor: return s ^ d;
    case exec::LogicOp::Nand: return ~(s & d);
    case exec::LogicOp::And: return s & d;
    case exec::LogicOp::Equiv: return ~(s ^ d);
    case exec::LogicOp::Noop: return d;
    case exec::LogicOp::OrInverted: return ~s | d;
    case exec::LogicOp::Copy: return s;
    case exec::LogicOp::OrReverse: return s | ~d;
    case exec::LogicOp::Or: return s | d;
    case exec::LogicOp::Set: return ~0U;
    }
    return s;
}

bool blends_as_bytes(const FormatInfo& info) noexcept {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Unorm &&
           info.bits[0] == 8 && !info.srgb;
}

}  // namespace valkyr::raster
