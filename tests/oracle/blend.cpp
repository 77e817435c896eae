// Blend: blends one sample, in integers for 8-bit unorm targets and in binary32 for all others.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/check.hpp"
#include "tests/oracle/per_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace valkyr::reference {
namespace {

using exec::ChannelType;
using exec::Format;
using raster::BlendFactor;
using raster::BlendFunc;
using raster::LogicOp;

/// The four colours that factors select, as bytes (T = int) or floats.
template <typename T>
struct Colors {
    std::array<T, 4> source, source1, destination, constant;
    T one;
};

/// The factor for component c; alpha is component 3.
template <typename T>
T factor(BlendFactor f, unsigned c, const Colors<T>& in) {
    const T one = in.one;
    switch (f) {
    case BlendFactor::Zero: return 0;
    case BlendFactor::One: return one;
    case BlendFactor::SrcColor: return in.source[c];
    case BlendFactor::SrcAlpha: return in.source[3];
    case BlendFactor::DstColor: return in.destination[c];
    case BlendFactor::DstAlpha: return in.destination[3];
    case BlendFactor::InvSrcColor: return one - in.source[c];
    case BlendFactor::InvSrcAlpha: return one - in.source[3];
    case BlendFactor::InvDstColor: return one - in.destination[c];
    case BlendFactor::InvDstAlpha: return one - in.destination[3];
    case BlendFactor::ConstColor: return in.constant[c];
    case BlendFactor::ConstAlpha: return in.constant[3];
    case BlendFactor::InvConstColor: return one - in.constant[c];
    case BlendFactor::InvConstAlpha: return one - in.constant[3];
    case BlendFactor::SrcAlphaSaturate:
        return c == 3 ? one : std::min(in.source[3], one - in.destination[3]);
    case BlendFactor::Src1Color: return in.source1[c];
    case BlendFactor::Src1Alpha: return in.source1[3];
    case BlendFactor::InvSrc1Color: return one - in.source1[c];
    case BlendFactor::InvSrc1Alpha: return one - in.source1[3];
    }
    VALKYR_UNREACHABLE();
}

/// IEEE minNum and maxNum with -0 < +0.
float min_number(float a, float b) {
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? b : a;
    if (a == b)
        return std::signbit(a) ? a : b;
    return a < b ? a : b;
}
float max_number(float a, float b) {
    return -min_number(-a, -b);
}

/// The term value * factor: none for factor ZERO, the value itself for ONE.
std::optional<float> term(float value, BlendFactor f, float factor_value) {
    if (f == BlendFactor::Zero)
        return std::nullopt;
    return f == BlendFactor::One ? value : value * factor_value;
}

/// S*Fs + D*Fd with one rounding after D*Fd, and terms of factor ZERO left out.
float weighted_sum(float s, BlendFactor fs, float fs_value, std::optional<float> d_term) {
    if (!d_term)
        return term(s, fs, fs_value).value_or(0.0F);
    if (fs == BlendFactor::Zero)
        return *d_term;
    if (fs == BlendFactor::One)
        return s + *d_term;
    return std::fma(s, fs_value, *d_term);
}

struct Equation {
    BlendFunc func;
    BlendFactor src;
    BlendFactor dst;
};

Equation equation(const raster::BlendTarget& target, unsigned component) {
    if (component == 3)
        return {target.alpha_func, target.alpha_src, target.alpha_dst};
    return {target.rgb_func, target.rgb_src, target.rgb_dst};
}

float blend_float(const Equation& e, unsigned c, const Colors<float>& in) {
    const float s = in.source[c];
    const float d = in.destination[c];
    const float fs = factor(e.src, c, in);
    const std::optional<float> d_term = term(d, e.dst, factor(e.dst, c, in));
    const auto negated = [](std::optional<float> v) { return v ? std::optional(-*v) : v; };
    switch (e.func) {
    case BlendFunc::Add: return weighted_sum(s, e.src, fs, d_term);
    case BlendFunc::Subtract: return weighted_sum(s, e.src, fs, negated(d_term));
    case BlendFunc::ReverseSubtract: return weighted_sum(-s, e.src, fs, d_term);
    case BlendFunc::Min: return min_number(s, d);
    case BlendFunc::Max: return max_number(s, d);
    }
    VALKYR_UNREACHABLE();
}

/// Clamps to the range of a normalised format; NaN becomes 0.
float clamp_norm(float value, float lowest) {
    if (std::isnan(value))
        return 0;
    return std::clamp(value, lowest, 1.0F);
}

Vec4 blend_in_float(const raster::BlendTarget& target,
                    Format format,
                    const BlendInput& input,
                    const uint8_t* texel) {
    const ChannelType type = row(format).type;
    const auto prepared = [type](float v) {
        if (type == ChannelType::Unorm)
            return clamp_norm(v, 0);
        return type == ChannelType::Snorm ? clamp_norm(v, -1) : v;
    };
    const Vec4 stored = decode_texel(format, texel);
    Colors<float> in{{}, {}, {}, {}, 1.0F};
    for (unsigned c = 0; c < 4; c++) {
        in.source[c] = prepared(as_float(input.source[c]));
        in.source1[c] = prepared(as_float(input.source1[c]));
        in.constant[c] = prepared(input.blend_constant[c]);
        in.destination[c] = as_float(stored[c]);
    }
    Vec4 result{};
    for (unsigned c = 0; c < 4; c++)
        result[c] = as_bits(blend_float(equation(target, c), c, in));
    return result;
}

int to_byte(float value) {
    return static_cast<int>(encode_channel(Format::R8_UNORM, 0, as_bits(value)));
}

/// The blended bytes of r, g, b, a.
std::array<int, 4> blend_in_bytes(const raster::BlendTarget& target,
                                  Format format,
                                  const BlendInput& input,
                                  const uint8_t* texel) {
    Colors<int> in{{}, {}, {}, {}, 255};
    const Vec4 stored = decode_texel(format, texel);
    for (unsigned c = 0; c < 4; c++) {
        in.source[c] = to_byte(as_float(input.source[c]));
        in.source1[c] = to_byte(as_float(input.source1[c]));
        in.constant[c] = to_byte(input.blend_constant[c]);
        in.destination[c] = to_byte(as_float(stored[c]));  // exact for every code
    }
    std::array<int, 4> result{};
    for (unsigned c = 0; c < 4; c++) {
        const Equation e = equation(target, c);
        result[c] = blend_byte(e.func, in.source[c], factor(e.src, c, in), in.destination[c],
                               factor(e.dst, c, in));
    }
    return result;
}

uint32_t logic_result(LogicOp op, uint32_t s, uint32_t d) {
    switch (op) {
    case LogicOp::Clear: return 0;
    case LogicOp::Nor: return ~(s | d);
    case LogicOp::AndInverted: return ~s & d;
    case LogicOp::CopyInverted: return ~s;
    case LogicOp::AndReverse: return s & ~d;
    case LogicOp::Invert: return ~d;
    case LogicOp::Xor: return s ^ d;
    case LogicOp::Nand: return ~(s & d);
    case LogicOp::And: return s & d;
    case LogicOp::Equiv: return ~(s ^ d);
    case LogicOp::Noop: return d;
    case LogicOp::OrInverted: return ~s | d;
    case LogicOp::Copy: return s;
    case LogicOp::OrReverse: return s | ~d;
    case LogicOp::Or: return s | d;
    case LogicOp::Set: return ~0U;
    }
    VALKYR_UNREACHABLE();
}

/// Stores channel codes chosen by a function of component and channel, under the write mask.
template <typename CodeOf>
void store_codes(Format format, uint8_t mask, uint8_t* texel, CodeOf code_of) {
    for (unsigned channel = 0; channel < row(format).channel_count; channel++) {
        const unsigned c = component_of(format, channel);
        if ((mask >> c & 1) != 0)
            store_channel(format, texel, channel, code_of(c, channel));
    }
}

}  // namespace

uint8_t blend_byte(BlendFunc func, int s, int fs, int d, int fd) {
    int n = 0;
    switch (func) {
    case BlendFunc::Add: n = s * fs + d * fd; break;
    case BlendFunc::Subtract: n = s * fs - d * fd; break;
    case BlendFunc::ReverseSubtract: n = d * fd - s * fs; break;
    case BlendFunc::Min: return static_cast<uint8_t>(std::min(s, d));
    case BlendFunc::Max: return static_cast<uint8_t>(std::max(s, d));
    }
    if (n <= 0)
        return 0;
    return static_cast<uint8_t>(std::min(255, (n + 127) / 255));
}

void blend_sample(const raster::BlendState& state,
                  const raster::BlendTarget& target,
                  Format format,
                  const BlendInput& input,
                  uint8_t* texel) {
    const uint8_t mask = target.write_mask;
    // Logic operations do not apply to float and sRGB targets, but disable their blending, too.
    const bool has_logic = row(format).type != ChannelType::Float && !row(format).srgb;
    if (state.logic_op_enable && has_logic) {
        uint8_t before[32];
        std::memcpy(before, texel, row(format).block_bytes);
        store_codes(format, mask, texel, [&](unsigned c, unsigned channel) {
            const uint32_t s = encode_channel(format, channel, input.source[c]);
            const auto d = static_cast<uint32_t>(load_channel(format, before, channel));
            return logic_result(state.logic_op, s, d);
        });
    } else if (state.logic_op_enable || !target.enable || is_integer(format)) {
        encode_texel(format, input.source, mask, texel);
    } else if (is_unorm8(format)) {
        const std::array<int, 4> bytes = blend_in_bytes(target, format, input, texel);
        store_codes(format, mask, texel,
                    [&](unsigned c, unsigned) { return static_cast<uint32_t>(bytes[c]); });
    } else {
        encode_texel(format, blend_in_float(target, format, input, texel), mask, texel);
    }
}

}  // namespace valkyr::reference
