// Colours of 8-bit unorm targets with four channels: encoding, and blending in integers.
// SPDX-License-Identifier: MIT
#include "jit/inline_blend_bytes.hpp"

#include "base/bits.hpp"
#include "jit/channel_encode.hpp"

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

/// The pattern for every quad, as an operand.
Operand quad_pattern(EmitContext& c, const QuadPattern& bytes) {
    std::array<uint32_t, 16> words{};
    for (unsigned i = 0; i < 64; ++i)
        words[i / 4] |= static_cast<uint32_t>(bytes[i % 16]) << (8 * (i % 4));
    return Operand::memory(c.h.pool_words(words));
}

/// Pattern that takes two components of texels to 16-bit lanes.
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

/// Components of texels as bytes in 16-bit lanes. Takes the register of the texels.
WideBytes widen_texels(EmitContext& c, const Swizzle (&swizzle)[4], Vec texels) {
    const WideBytes wide{c.scratch(), texels};
    c.h.op(Binary::ShuffleBytes, wide.rg, texels,
           quad_pattern(c, widening(swizzle[0], swizzle[1])));
    c.h.op(Binary::ShuffleBytes, wide.ba, texels,
           quad_pattern(c, widening(swizzle[2], swizzle[3])));
    if (swizzle[3] == Swizzle::One) {
        QuadPattern alpha{};
        for (unsigned pixel = 0; pixel < 4; ++pixel)
            alpha[8 + 2 * pixel] = 0xFF;
        c.h.op(Binary::Or, wide.ba, wide.ba, quad_pattern(c, alpha));
    }
    return wide;
}

void release(EmitContext& c, const WideBytes& bytes) {
    if (!bytes.rg.valid())
        return;
    c.release(bytes.rg);
    c.release(bytes.ba);
}

/// Blends the colours of one sample.
class ByteBlender {
public:
    ByteBlender(EmitContext& context,
                const exec::BlendKey& key,
                const ByteBlendSources& sources,
                const WideBytes& destination)
        : c(context)
        , h(context.h)
        , key_(key)
        , s_(sources.source)
        , s1_(sources.source1)
        , d_(destination) {}

    WideBytes run() {
        const bool same_function = key_.rgb_func == key_.alpha_func;
        const Equation rgb{key_.rgb_func, key_.rgb_src, key_.rgb_dst};
        const Equation alpha{key_.alpha_func, key_.alpha_src, key_.alpha_dst};
        WideBytes result;
        result.rg = equation(rgb, Part::RedGreen, nullptr);
        result.ba = equation(rgb, Part::BlueAlpha, same_function ? &alpha : nullptr);
        if (!same_function) {
            const Vec other = equation(alpha, Part::BlueAlpha, &alpha);
            merge_high(result.ba, other);
            c.release(other);
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

    static Vec pick(const WideBytes& bytes, Part part) {
        return part == Part::RedGreen ? bytes.rg : bytes.ba;
    }

    /// low = [low half of low | high half of high], quad by quad.
    void merge_high(Vec low, Vec high) {
        const Vec t = c.scratch();
        h.op(Binary::UnpackHigh64, t, high, high);
        h.op(Binary::UnpackLow64, low, low, t);
        c.release(t);
    }

    /// d = the alphas of a colour in both halves.
    void spread_alpha(Vec d, const WideBytes& color) {
        h.op(Binary::UnpackHigh64, d, color.ba, color.ba);
    }

    void invert(Vec v) { h.op(Binary::Xor, v, v, c.pool(kBytes255)); }

    /// d = colour or, with `alpha`, its alphas.
    void color_factor(Vec d, const WideBytes& color, Part part, bool alpha) {
        if (alpha)
            spread_alpha(d, color);
        else
            h.move(d, pick(color, part));
    }

    void constant_factor(Vec d, Part part, bool alpha) {
        const Swizzle first = part == Part::RedGreen ? Swizzle::X : Swizzle::Z;
        const Swizzle second = part == Part::RedGreen ? Swizzle::Y : Swizzle::W;
        h.load64(Gp::T1, {Gp::Call, 0});
        h.move(d, Operand::broadcast({Gp::T1, offsetof(exec::DrawContext, blend_constant_unorm8)}));
        h.op(Binary::ShuffleBytes, d, d,
             quad_pattern(c, alpha ? widening(Swizzle::W, Swizzle::W) : widening(first, second)));
    }

    /// min(source alpha, 255 - destination alpha), and 255 for alpha itself.
    void saturate_factor(Vec d, Part part) {
        const Vec t = c.scratch();
        spread_alpha(t, d_);
        invert(t);
        spread_alpha(d, s_);
        h.op(Binary::MinU16, d, d, t);
        if (part == Part::BlueAlpha) {
            h.move(t, c.pool(kBytes255));
            merge_high(d, t);
        }
        c.release(t);
    }

    /// A temporary with a factor that is neither 0 nor 255.
    Vec factor_value(BlendFactor factor, Part part) {
        const Vec d = c.scratch();
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
        case BlendFactor::One: h.move(d, c.pool(kBytes255)); break;
        case BlendFactor::Zero: h.zero(d); break;
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

    /// color * factor, where the alphas may have a factor of their own; invalid: 0.
    Vec product(Vec color, BlendFactor factor, BlendFactor alpha, Part part) {
        if (factor == BlendFactor::Zero && alpha == BlendFactor::Zero)
            return {};
        const Vec f = factor_value(factor, part);
        if (part == Part::BlueAlpha && alpha != factor) {
            const Vec g = factor_value(alpha, part);
            merge_high(f, g);
            c.release(g);
        }
        h.op(Binary::MulI16, f, f, color);
        return f;
    }

    /// alpha  the equation of the high half, if it is of the same function
    Vec equation(const Equation& e, Part part, const Equation* alpha) {
        const Vec s = pick(s_, part);
        const Vec d = pick(d_, part);
        if (e.func == BlendFunc::Min || e.func == BlendFunc::Max) {
            const Vec r = c.scratch();
            h.op(e.func == BlendFunc::Min ? Binary::MinU16 : Binary::MaxU16, r, s, d);
            return r;
        }
        const Equation& high = alpha ? *alpha : e;
        return rounded(e.func, product(s, e.source, high.source, part),
                       product(d, e.destination, high.destination, part));
    }

    /// The sum or difference of products divided by 255; an invalid product is 0.
    Vec rounded(BlendFunc func, Vec s, Vec d) {
        if (func == BlendFunc::ReverseSubtract)
            std::swap(s, d);
        const bool both = s.valid() && d.valid();
        if (func == BlendFunc::Add && !s.valid())
            std::swap(s, d);
        if (!s.valid()) {  // 0, or 0 minus something
            if (d.valid())
                c.release(d);
            return c.constant(0);
        }
        if (both) {
            h.op(func == BlendFunc::Add ? Binary::AddSatU16 : Binary::SubSatU16, s, s, d);
            c.release(d);
        }
        h.op(Binary::AddSatU16, s, s, c.pool(kHalf));
        h.op(Binary::MulHighU16, s, s, c.pool(kRounder));
        if (both && func == BlendFunc::Add)
            h.op(Binary::MinU16, s, s, c.pool(kBytes255));
        return s;
    }

    EmitContext& c;
    HostAssembler& h;
    const exec::BlendKey& key_;
    const WideBytes& s_;
    const WideBytes& s1_;
    const WideBytes& d_;
};

}  // namespace

bool is_byte_color(const FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Unorm &&
           !info.srgb && info.bits[0] == 8 && info.channel_count == 4 && info.block_bytes == 4;
}

// 255 * c with NaN kept by the minimum; the conversion and the packs take NaN and negative numbers
// to 0.
WideBytes encode_bytes(EmitContext& c, const Color& color) {
    HostAssembler& h = c.h;
    const Vec scale = c.constant(as_bits(255.0F));
    std::array<Vec, 4> v;
    for (unsigned k = 0; k < 4; ++k) {
        v[k] = c.scratch();
        h.op(Binary::MulF32, v[k], scale, color[k]);
        c.done_with(color[k]);
        h.op(Binary::MinF32, v[k], scale, v[k]);
        h.op(Unary::F32ToS32, v[k], v[k]);
        if (k % 2 == 1) {
            h.op(Binary::PackS32ToS16, v[k - 1], v[k - 1], v[k]);
            c.release(v[k]);
        }
    }
    c.release(scale);
    return {v[0], v[2]};
}

void limit_bytes(EmitContext& c, const WideBytes& bytes) {
    const Vec zero = c.constant(0);
    c.h.op(Binary::MaxS16, bytes.rg, bytes.rg, zero);
    c.h.op(Binary::MaxS16, bytes.ba, bytes.ba, zero);
    c.release(zero);
}

Vec pack_texels(EmitContext& c, const FormatInfo& info, const WideBytes& bytes) {
    QuadPattern order{};
    for (unsigned pixel = 0; pixel < 4; ++pixel)
        for (unsigned channel = 0; channel < 4; ++channel)
            order[4 * pixel + channel] =
                static_cast<uint8_t>(4 * channel_component(info, channel) + pixel);
    c.h.op(Binary::PackU16ToU8, bytes.rg, bytes.rg, bytes.ba);
    c.h.op(Binary::ShuffleBytes, bytes.rg, bytes.rg, quad_pattern(c, order));
    c.release(bytes.ba);
    return bytes.rg;
}

Vec blend_bytes(EmitContext& c,
                const exec::BlendKey& key,
                const ByteBlendSources& sources,
                Vec stored) {
    const FormatInfo& info = exec::format_info(key.format);
    const WideBytes destination = widen_texels(c, info.swizzle, stored);
    const WideBytes result = ByteBlender(c, key, sources, destination).run();
    release(c, destination);
    return pack_texels(c, info, result);
}

}  // namespace valkyr::jit
