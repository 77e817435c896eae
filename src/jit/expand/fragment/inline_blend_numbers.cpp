// Number blending: encodes colours of any format and blends them in binary32.
// SPDX-License-Identifier: MIT
//
// The rule is in docs/rules/formats.md (Blending): an FMA adds S*Fs to the rounded D*Fd, a factor
// ZERO drops its term, ONE takes the value itself, minimum and maximum are the machine's.
#include "jit/expand/fragment/inline_blend_numbers.hpp"

#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/fragment/inline_texel.hpp"
#include "valhall/isa/messages.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::BlendFactor;
using exec::BlendFunc;
using exec::ChannelType;
using exec::FormatInfo;
using exec::Swizzle;

namespace {

using float_bits::kOne;
using float_bits::kSign;
constexpr unsigned kAlpha = 3;

bool is_normalized(const FormatInfo& info) {
    return info.type == ChannelType::Unorm || info.type == ChannelType::Snorm;
}

bool has_logic_op(const exec::BlendKey& key, const FormatInfo& info) {
    return key.logic_op_enable && info.type != ChannelType::Float && !info.srgb;
}

uint32_t field_mask(const ChannelField& field) {
    return (field.bits == 32 ? 0xFFFFFFFF : (1U << field.bits) - 1) << field.shift;
}

/// Blends one component after the other.
class NumberBlender {
public:
    NumberBlender(EmitContext& context,
                  const exec::BlendKey& key,
                  const TexelPlace& place,
                  unsigned sample)
        : c(context)
        , h(context.h)
        , key_(key)
        , info_(exec::format_info(key.format))
        , place_(place)
        , sample_(sample) {}

    /// A temporary with the blended value of a component.
    Temp component(unsigned k) {
        const bool alpha = k == kAlpha;
        const BlendFunc func = alpha ? key_.alpha_func : key_.rgb_func;
        const BlendFactor source = alpha ? key_.alpha_src : key_.rgb_src;
        const BlendFactor destination = alpha ? key_.alpha_dst : key_.rgb_dst;
        if (func == BlendFunc::Min || func == BlendFunc::Max)
            return extreme(func, k);
        return weighted_sum(func, source, destination, k);
    }

    /// A temporary with a component of the colour in a staging run, limited to the target's range.
    Temp source_value(Reg base, unsigned k) {
        Temp v = c.scratch();
        if (k == kAlpha && c.key.fragment->alpha_to_one) {
            h.move(v, c.pool(kOne));
            return v;
        }
        Temp r = c.regs.use(register_behind(base, k), c.part);
        h.move(v, r);
        c.done_with(r);
        limit(v);
        return v;
    }

private:
    void limit(Vec v) {
        if (is_normalized(info_))
            clamp_normalized(c, info_.type, v);
    }

    Temp source(unsigned k) { return source_value(c.instr().staging[0].base, k); }

    Temp destination(unsigned k) {
        const Swizzle swizzle = info_.swizzle[k];
        if (swizzle > Swizzle::W)
            return c.constant(swizzle == Swizzle::One ? kOne : 0);
        const auto channel = static_cast<unsigned>(swizzle);
        if (looks_up_texels(c, info_))
            return looked_up_channel(channel);
        const ChannelField field = channel_field(info_, channel);
        const Temp word = c.scratch();
        h.load(word, place_.old_word(sample_, field.word));
        return channel_value(c, info_, field, word);
    }

    /// A channel of the old texel, all of whose channels are looked up at once.
    Temp looked_up_channel(unsigned channel) {
        constexpr unsigned all = 0xF;
        if (!old_texel_[channel].valid()) {
            const Temp word = c.scratch();
            h.load(word, place_.old_word(sample_, 0));
            old_texel_ = looked_up_texel(c, info_, word, all);
        }
        Temp v = c.scratch();
        h.move(v, old_texel_[channel]);
        return v;
    }

    Temp constant(unsigned k) {
        Temp v = c.scratch();
        const Scalar draw = c.load64({Gp::Call, 0});
        h.move(v, Operand::broadcast(
                      {draw, static_cast<int32_t>(offsetof(exec::DrawContext, blend_constant) +
                                                  sizeof(float) * k)}));
        limit(v);
        return v;
    }

    Temp inverted(Temp value) {
        F32 v(c, std::move(value));
        v = 1.0F - v;
        return v;
    }

    Temp saturate(unsigned k) {
        if (k == kAlpha)
            return c.constant(kOne);
        Temp v = inverted(destination(kAlpha));
        const Temp s = source(kAlpha);
        h.min_num(v, s, v, {});
        return v;
    }

    /// A temporary with a factor of component k.
    Temp factor(BlendFactor f, unsigned k) {
        switch (f) {
        case BlendFactor::Zero: return c.constant(0);
        case BlendFactor::One: return c.constant(kOne);
        case BlendFactor::SrcColor: return source(k);
        case BlendFactor::SrcAlpha: return source(kAlpha);
        case BlendFactor::DstColor: return destination(k);
        case BlendFactor::DstAlpha: return destination(kAlpha);
        case BlendFactor::InvSrcColor: return inverted(source(k));
        case BlendFactor::InvSrcAlpha: return inverted(source(kAlpha));
        case BlendFactor::InvDstColor: return inverted(destination(k));
        case BlendFactor::InvDstAlpha: return inverted(destination(kAlpha));
        case BlendFactor::ConstColor: return constant(k);
        case BlendFactor::ConstAlpha: return constant(kAlpha);
        case BlendFactor::InvConstColor: return inverted(constant(k));
        case BlendFactor::InvConstAlpha: return inverted(constant(kAlpha));
        case BlendFactor::SrcAlphaSaturate: return saturate(k);
        case BlendFactor::Src1Color: return source_value(kSecondColor, k);
        case BlendFactor::Src1Alpha: return source_value(kSecondColor, kAlpha);
        case BlendFactor::InvSrc1Color: return inverted(source_value(kSecondColor, k));
        case BlendFactor::InvSrc1Alpha: return inverted(source_value(kSecondColor, kAlpha));
        }
        return c.constant(0);
    }

    /// value *= factor.
    void multiply(Vec value, BlendFactor f, unsigned k) {
        if (f == BlendFactor::One)
            return;
        F32 v(c, value);
        v *= factor(f, k);
    }

    Temp weighted_sum(BlendFunc func, BlendFactor fs, BlendFactor fd, unsigned k) {
        const bool minus_source = func == BlendFunc::ReverseSubtract;
        const bool minus_destination = func == BlendFunc::Subtract;
        if (fs == BlendFactor::Zero && fd == BlendFactor::Zero)
            return c.constant(0);
        if (fs == BlendFactor::Zero)
            return single(destination(k), fd, minus_destination, k);
        if (fd == BlendFactor::Zero)
            return single(source(k), fs, minus_source, k);
        Temp d = destination(k);
        multiply(d, fd, k);
        const Temp s = source(k);
        const Temp by = factor(fs, k);
        h.fma(d, s, by, d, minus_source, minus_destination);
        return d;
    }

    Temp single(Temp value, BlendFactor f, bool negate, unsigned k) {
        multiply(value, f, k);
        if (negate)
            h.op(Binary::Xor, value, value, c.pool(kSign));
        return value;
    }

    Temp extreme(BlendFunc func, unsigned k) {
        const Temp d = destination(k);
        Temp s = source(k);
        if (func == BlendFunc::Min)
            h.min_num(s, s, d, {});
        else
            h.max_num(s, s, d, {});
        return s;
    }

    EmitContext& c;
    HostAssembler& h;
    const exec::BlendKey& key_;
    const FormatInfo& info_;
    const TexelPlace& place_;
    unsigned sample_;
    std::array<Temp, 4> old_texel_;  ///< channels that were looked up
};

/// Makes the words of texels and stores them.
class NumberStore {
public:
    NumberStore(EmitContext& context, const LaneGroup& group, unsigned target)
        : c(context)
        , h(context.h)
        , group_(group)
        , key_(context.key.fragment->blend[target])
        , info_(exec::format_info(key_.format))
        , place_(context, group, target, info_.block_bytes) {}

    void run() {
        for (unsigned s = 0; s < c.key.fragment->samples; ++s) {
            place_.read(s);
            std::array<Temp, 4> words = new_words(s);
            keep_bits(words, s);
            const TempMask lanes = covered_lanes(c, group_, s);
            place_.write(s, lanes, words);
        }
    }

private:
    std::array<Temp, 4> new_words(unsigned sample) {
        NumberBlender blender(c, key_, place_, sample);
        const bool is_signed = has_signed_integers(valhall::register_format(c.instr()), info_);
        const bool sums = blends(key_) && !has_integer_values(info_);
        const auto value = [&](unsigned channel) {
            const unsigned k = channel_component(info_, channel);
            return sums ? blender.component(k) : plain_value(k);
        };
        std::array<Temp, 4> words;
        unsigned channel = 0;
        if (encodes_codes(c, info_)) {
            std::array<Temp, 3> values;
            for (; channel < values.size(); ++channel)
                values[channel] = value(channel);
            words[0] = encoded_codes(c, values);
        }
        for (; channel < info_.channel_count; ++channel)
            add_channel(c, info_, channel, value(channel), is_signed, words);
        return words;
    }

    Temp plain_value(unsigned k) {
        Temp v = c.scratch();
        if (k == kAlpha && c.key.fragment->alpha_to_one && !has_integer_values(info_)) {
            h.move(v, c.pool(kOne));
            return v;
        }
        const auto r = staging_register(c, k);
        Temp value = c.regs.use(r, c.part);
        h.move(v, value);
        c.done_with(value);
        return v;
    }

    /// Combines new words with old texels: logic operations, masked channels, bits of no channel.
    void keep_bits(std::array<Temp, 4>& words, unsigned sample) {
        for (unsigned k = 0; k < place_.words(); ++k) {
            const Operand old = Operand::memory(place_.old_word(sample, k));
            const bool combines = has_logic_op(key_, info_);
            if (combines)
                combine_bits(c, key_.logic_op, words[k], words[k], old);
            const uint32_t written = written_bits(k);
            // In texels below 4 bytes a complement also sets the bits above the texel: clear them.
            if (written == all_bits() && !(combines && info_.block_bytes < 4))
                continue;
            U32 word(c, words[k]);
            word = ((word ^ old) & written) ^ old;
        }
    }

    [[nodiscard]] uint32_t all_bits() const {
        return info_.block_bytes < 4 ? (1U << (8 * info_.block_bytes)) - 1 : 0xFFFFFFFF;
    }

    [[nodiscard]] uint32_t written_bits(unsigned word) const {
        uint32_t bits = 0;
        for (unsigned channel = 0; channel < info_.channel_count; ++channel) {
            const ChannelField field = channel_field(info_, channel);
            if (field.word == word &&
                (key_.write_mask >> channel_component(info_, channel) & 1) != 0)
                bits |= field_mask(field);
        }
        return bits;
    }

    EmitContext& c;
    HostAssembler& h;
    const LaneGroup& group_;
    const exec::BlendKey& key_;
    const FormatInfo& info_;
    TexelPlace place_;
};

}  // namespace

bool stores_numbers(const exec::BlendKey& key) {
    const FormatInfo& info = exec::format_info(key.format);
    const bool is_color =
        info.layout == exec::FormatLayout::Array || info.layout == exec::FormatLayout::Packed;
    if (!is_color || !texels_are_words(info.block_bytes) || !channels_are_fields(info) ||
        !channels_are_encodable(info))
        return false;
    const bool bytes = info.layout == exec::FormatLayout::Array &&
                       info.type == ChannelType::Unorm && info.bits[0] == 8 && !info.srgb;
    return !bytes || !blends(key);
}

void number_store(EmitContext& c, const LaneGroup& group, unsigned target) {
    if (c.key.fragment->blend[target].write_mask != 0)
        NumberStore(c, group, target).run();
}

}  // namespace valkyr::jit
