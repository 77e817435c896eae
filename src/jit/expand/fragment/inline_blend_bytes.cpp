// Byte blending: encodes and blends colours of 8-bit unorm targets in integers.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_blend_bytes.hpp"

#include "jit/expand/format/channel_encode.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace valkyr::jit {

using exec::BlendFactor;
using exec::BlendFunc;
using exec::FormatInfo;
using exec::Swizzle;

namespace {

constexpr uint32_t kBytes255 = 0x00FF00FF;  // two 16-bit lanes
constexpr uint32_t kHalf = 0x00800080;
constexpr uint32_t kRounder = 0x01010101;  // 257
constexpr uint8_t kZeroByte = 0x80;        // in a shuffle pattern

using QuadPattern = std::array<uint8_t, 16>;

/// The pattern, repeated for every quad, as an operand.
Operand quad_pattern(EmitContext& c, const QuadPattern& bytes) {
    std::array<uint32_t, 16> words{};
    for (unsigned i = 0; i < 64; ++i)
        words[i / 4] |= static_cast<uint32_t>(bytes[i % 16]) << (8 * (i % 4));
    return c.invariant(Operand::memory(c.pool_row(words)));
}

/// The pattern that moves two components of texels to 16-bit lanes.
QuadPattern widening(const Swizzle first, const Swizzle second) {
    QuadPattern pattern;
    pattern.fill(kZeroByte);
    const std::array<Swizzle, 2> swizzle = {first, second};
    for (unsigned k = 0; k < 2; ++k)
        for (unsigned pixel = 0; pixel < 4; ++pixel)
            if (swizzle[k] <= Swizzle::W)
                pattern[8 * k + 2 * pixel] =
                    static_cast<uint8_t>(4 * pixel + static_cast<unsigned>(swizzle[k]));
    return pattern;
}

/// Components of texels as bytes in 16-bit lanes.
WideBytes widen_texels(EmitContext& c, const Swizzle (&swizzle)[4], Temp texels) {
    WideBytes wide{U16(c), U16(c, std::move(texels))};
    wide.rg = shuffle_bytes(wide.ba, quad_pattern(c, widening(swizzle[0], swizzle[1])));
    wide.ba = shuffle_bytes(wide.ba, quad_pattern(c, widening(swizzle[2], swizzle[3])));
    if (swizzle[3] == Swizzle::One) {
        QuadPattern alpha{};
        for (unsigned pixel = 0; pixel < 4; ++pixel)
            alpha[8 + 2 * pixel] = 0xFF;
        wide.ba |= quad_pattern(c, alpha);
    }
    return wide;
}

/// Blends the colours of one sample.
class ByteBlender {
public:
    ByteBlender(EmitContext& context,
                const exec::BlendKey& key,
                const WideBytes& source,
                const WideBytes& source1,
                const WideBytes& destination)
        : c(context)
        , key_(key)
        , s_(source)
        , s1_(source1)
        , d_(destination) {}

    ByteBlender(const ByteBlender&) = delete;
    ByteBlender& operator=(const ByteBlender&) = delete;

    /// The source term of a sum, with the rounding constant: S * Fs + 128.
    WideBytes source_terms() {
        WideBytes terms{product(s_.rg, key_.rgb_src, key_.alpha_src, Part::RedGreen),
                        product(s_.ba, key_.rgb_src, key_.alpha_src, Part::BlueAlpha)};
        for (U16* v : {&terms.rg, &terms.ba}) {
            if (!v->valid())
                *v = U16(c, 0);
            *v = add_saturated(*v, c.pool_lanes(kHalf));
        }
        return terms;
    }

    WideBytes destination_factors() {
        return {own(factor_of(key_.rgb_dst, key_.alpha_dst, Part::RedGreen)),
                own(factor_of(key_.rgb_dst, key_.alpha_dst, Part::BlueAlpha))};
    }

    WideBytes run() {
        const bool same_function = key_.rgb_func == key_.alpha_func;
        const Equation rgb{key_.rgb_func, key_.rgb_src, key_.rgb_dst};
        const Equation alpha{key_.alpha_func, key_.alpha_src, key_.alpha_dst};
        WideBytes result;
        result.rg = equation(rgb, Part::RedGreen, nullptr);
        result.ba = equation(rgb, Part::BlueAlpha, same_function ? &alpha : nullptr);
        if (!same_function) {
            const U16 other = equation(alpha, Part::BlueAlpha, &alpha);
            merge_high(result.ba, other);
        }
        return result;
    }

private:
    enum class Part : uint8_t { RedGreen, BlueAlpha };
    struct Equation {
        BlendFunc func;
        BlendFactor source;
        BlendFactor destination;
    };

    static const U16& pick(const WideBytes& bytes, Part part) {
        return part == Part::RedGreen ? bytes.rg : bytes.ba;
    }

    /// low = [low half of low | high half of high], quad by quad.
    static void merge_high(U16& low, const U16& high) {
        low = unpack_low64(low, unpack_high64(high, high));
    }

    /// The alphas of a colour in both halves.
    static auto alphas(const WideBytes& color) { return unpack_high64(color.ba, color.ba); }

    /// v = 255 - v.
    void invert(U16& v) { v ^= c.pool_lanes(kBytes255); }

    /// d = the colour's components of this part or, with `alpha`, its alphas.
    static void color_factor(U16& d, const WideBytes& color, Part part, bool alpha) {
        if (alpha)
            d = alphas(color);
        else
            d = u16(pick(color, part));
    }

    void constant_factor(U16& d, Part part, bool alpha) {
        const Swizzle first = part == Part::RedGreen ? Swizzle::X : Swizzle::Z;
        const Swizzle second = part == Part::RedGreen ? Swizzle::Y : Swizzle::W;
        const Scalar draw = c.load64({Gp::Call, 0});
        d = Operand::broadcast({draw, offsetof(exec::DrawContext, blend_constant_unorm8)});
        d = shuffle_bytes(
            d, quad_pattern(c, alpha ? widening(Swizzle::W, Swizzle::W) : widening(first, second)));
    }

    /// d = min(source alpha, 255 - destination alpha) for colours, 255 for alpha.
    void saturate_factor(U16& d, Part part) {
        U16 inverse = alphas(d_);
        invert(inverse);
        d = min(alphas(s_), inverse);
        if (part == Part::BlueAlpha) {
            inverse = c.pool_lanes(kBytes255);
            merge_high(d, inverse);
        }
    }

    /// A temporary with a factor that is neither 0 nor 255.
    U16 factor_value(BlendFactor factor, Part part) {
        U16 d(c);
        switch (factor) {
        case BlendFactor::SrcColor:
        case BlendFactor::InvSrcColor: color_factor(d, s_, part, false); break;
        case BlendFactor::SrcAlpha:
        case BlendFactor::InvSrcAlpha: color_factor(d, s_, part, true); break;
        case BlendFactor::DstColor:
        case BlendFactor::InvDstColor: color_factor(d, d_, part, false); break;
        case BlendFactor::DstAlpha:
        case BlendFactor::InvDstAlpha: color_factor(d, d_, part, true); break;
        case BlendFactor::Src1Color:
        case BlendFactor::InvSrc1Color: color_factor(d, s1_, part, false); break;
        case BlendFactor::Src1Alpha:
        case BlendFactor::InvSrc1Alpha: color_factor(d, s1_, part, true); break;
        case BlendFactor::ConstColor:
        case BlendFactor::InvConstColor: constant_factor(d, part, false); break;
        case BlendFactor::ConstAlpha:
        case BlendFactor::InvConstAlpha: constant_factor(d, part, true); break;
        case BlendFactor::SrcAlphaSaturate: saturate_factor(d, part); break;
        case BlendFactor::One: d = c.pool_lanes(kBytes255); break;
        case BlendFactor::Zero: d = 0; break;
        }
        if (is_inverse(factor))
            invert(d);
        return d;
    }

    static bool is_inverse(BlendFactor factor) {
        switch (factor) {
        case BlendFactor::InvSrcColor:
        case BlendFactor::InvSrcAlpha:
        case BlendFactor::InvDstColor:
        case BlendFactor::InvDstAlpha:
        case BlendFactor::InvConstColor:
        case BlendFactor::InvConstAlpha:
        case BlendFactor::InvSrc1Color:
        case BlendFactor::InvSrc1Alpha: return true;
        default: return false;
        }
    }

    /// Whether a factor is the same register for both parts of a colour.
    static bool fits_both_parts(BlendFactor factor) {
        switch (factor) {
        case BlendFactor::SrcAlpha:
        case BlendFactor::InvSrcAlpha:
        case BlendFactor::DstAlpha:
        case BlendFactor::InvDstAlpha:
        case BlendFactor::Src1Alpha:
        case BlendFactor::InvSrc1Alpha:
        case BlendFactor::ConstAlpha:
        case BlendFactor::InvConstAlpha: return true;
        default: return false;
        }
    }

    /// A factor. The caller must not overwrite a shared one; otherwise it owns the temporary.
    struct Factor {
        U16 value;
        bool shared = false;
    };

    Factor simple_factor(BlendFactor factor, Part part) {
        if (!fits_both_parts(factor))
            return {factor_value(factor, part), false};
        for (unsigned k = 0; k < shared_count_; ++k)
            if (shared_[k].factor == factor)
                return {U16(c, shared_[k].value), true};
        U16 v = factor_value(factor, part);
        if (shared_count_ == shared_.size())
            return {std::move(v), false};
        const Vec value = v;
        shared_[shared_count_++] = {factor, std::move(v)};
        return {U16(c, value), true};
    }

    /// The factors of a part; alphas may have a factor of their own.
    Factor factor_of(BlendFactor factor, BlendFactor alpha, Part part) {
        Factor f = simple_factor(factor, part);
        if (part != Part::BlueAlpha || alpha == factor)
            return f;
        U16 merged = own(std::move(f));
        const Factor g = simple_factor(alpha, part);
        merge_high(merged, g.value);
        return {std::move(merged), false};
    }

    /// The factor in a temporary that may be overwritten.
    static U16 own(Factor factor) {
        if (!factor.shared)
            return std::move(factor.value);
        return u16(factor.value);
    }

    /// color * factor; alphas may have a factor of their own. An invalid result means 0.
    U16 product(const U16& color, BlendFactor factor, BlendFactor alpha, Part part) {
        if (factor == BlendFactor::Zero && alpha == BlendFactor::Zero)
            return {};
        Factor f = factor_of(factor, alpha, part);
        if (f.shared)
            return f.value * color;
        f.value *= color;
        return std::move(f.value);
    }

    /// alpha  the equation of the alphas, in the high half, if its function equals that of e
    U16 equation(const Equation& e, Part part, const Equation* alpha) {
        const U16& s = pick(s_, part);
        const U16& d = pick(d_, part);
        if (e.func == BlendFunc::Min)
            return min(s, d);
        if (e.func == BlendFunc::Max)
            return max(s, d);
        const Equation& high = alpha ? *alpha : e;
        return rounded(e.func, product(s, e.source, high.source, part),
                       product(d, e.destination, high.destination, part));
    }

    /// The sum or difference of products, divided by 255. It is at most 256; packing saturates it
    /// to 255. An invalid product means 0.
    U16 rounded(BlendFunc func, U16 s, U16 d) {
        if (func == BlendFunc::ReverseSubtract)
            std::swap(s, d);
        const bool both = s.valid() && d.valid();
        if (func == BlendFunc::Add && !s.valid())
            std::swap(s, d);
        if (!s.valid()) {  // 0, or 0 - d, which saturates to 0
            d.reset();
            return {c, 0};
        }
        if (both && func == BlendFunc::Add)
            s = add_saturated(s, d);
        else if (both)
            s = subtract_saturated(s, d);
        s = add_saturated(s, c.pool_lanes(kHalf));
        s = multiply_high(s, c.pool_lanes(kRounder));
        return s;
    }

    struct Shared {
        BlendFactor factor = BlendFactor::Zero;
        U16 value;
    };

    EmitContext& c;
    const exec::BlendKey& key_;
    const WideBytes& s_;
    const WideBytes& s1_;
    const WideBytes& d_;
    std::array<Shared, 2> shared_{};  ///< factors used in several products
    unsigned shared_count_ = 0;
};

/// Whether a factor is known without the destination and the second source.
bool is_source_factor(BlendFactor factor) {
    switch (factor) {
    case BlendFactor::Zero:
    case BlendFactor::One:
    case BlendFactor::SrcColor:
    case BlendFactor::InvSrcColor:
    case BlendFactor::SrcAlpha:
    case BlendFactor::InvSrcAlpha:
    case BlendFactor::ConstColor:
    case BlendFactor::InvConstColor:
    case BlendFactor::ConstAlpha:
    case BlendFactor::InvConstAlpha: return true;
    default: return false;
    }
}

}  // namespace

bool is_byte_color(const FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Unorm &&
           !info.srgb && info.bits[0] == 8 && info.channel_count == 4 && info.block_bytes == 4;
}

bool is_small_byte_color(const FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Unorm &&
           !info.srgb && info.bits[0] == 8 && info.channel_count == info.block_bytes &&
           info.block_bytes <= 2;
}

// 255 * c. The minimum keeps NaN, the conversion turns it into 0 or the least integer, and the pack
// saturates negative numbers to 0.
WideBytes encode_bytes(EmitContext& c, Color color) {
    const F32 scale(c, 255.0F);
    std::array<S32, 4> v;
    for (unsigned k = 0; k < 4; ++k) {
        F32 x = scale * color[k];
        c.done_with(color[k]);
        v[k] = S32(c, std::move(x));
        v[k] = to_s32(min_or_nan(scale, f32(v[k])));
        if (k % 2 == 1) {
            v[k - 1] = pack_saturated_u16(v[k - 1], v[k]);
            v[k].reset();
        }
    }
    return {U16(c, std::move(v[0])), U16(c, std::move(v[2]))};
}

Temp pack_texels(EmitContext& c, const FormatInfo& info, WideBytes bytes) {
    QuadPattern order;
    order.fill(kZeroByte);
    for (unsigned pixel = 0; pixel < 4; ++pixel)
        for (unsigned channel = 0; channel < info.block_bytes; ++channel)
            order[4 * pixel + channel] =
                static_cast<uint8_t>(4 * channel_component(info, channel) + pixel);
    const Operand pattern = quad_pattern(c, order);
    bytes.rg = shuffle_bytes(pack_saturated_u8(bytes.rg, bytes.ba), pattern);
    return std::move(bytes.rg);
}

Temp blend_bytes(EmitContext& c,
                 const exec::BlendKey& key,
                 const ByteBlendSources& sources,
                 Temp stored) {
    const FormatInfo& info = exec::format_info(key.format);
    WideBytes result;
    {
        const WideBytes destination = widen_texels(c, info.swizzle, std::move(stored));
        result = ByteBlender(c, key, sources.source, sources.source1, destination).run();
    }
    return pack_texels(c, info, std::move(result));
}

bool blends_by_terms(const exec::BlendKey& key) {
    const bool reads = key.rgb_dst != BlendFactor::Zero || key.alpha_dst != BlendFactor::Zero;
    return reads && key.rgb_func == BlendFunc::Add && key.alpha_func == BlendFunc::Add &&
           is_source_factor(key.rgb_src) && is_source_factor(key.rgb_dst) &&
           is_source_factor(key.alpha_src) && is_source_factor(key.alpha_dst);
}

ByteBlendTerms blend_terms(EmitContext& c, const exec::BlendKey& key, const WideBytes& source) {
    const WideBytes none;
    ByteBlender blender(c, key, source, none, none);
    WideBytes terms = blender.source_terms();
    return {std::move(terms), blender.destination_factors()};
}

Temp blend_by_terms(EmitContext& c,
                    const exec::BlendKey& key,
                    const ByteBlendTermOperands& terms,
                    Temp stored) {
    const FormatInfo& info = exec::format_info(key.format);
    WideBytes d = widen_texels(c, info.swizzle, std::move(stored));
    for (unsigned k = 0; k < 2; ++k) {
        U16& v = k == 0 ? d.rg : d.ba;
        v = add_saturated(v * terms.factor[k], terms.source[k]);
        v = multiply_high(v, c.pool_lanes(kRounder));
    }
    return pack_texels(c, info, std::move(d));
}

}  // namespace valkyr::jit
