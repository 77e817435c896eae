// Inline BLEND: stores and blends colours of every target that has an expansion.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_blend.hpp"

#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"
#include "jit/expand/fragment/inline_blend_constant.hpp"
#include "jit/expand/fragment/inline_blend_numbers.hpp"
#include "jit/expand/fragment/inline_texel.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace valkyr::jit {

namespace {

/// Stores one colour into every covered sample of one part.
class ByteStore {
public:
    ByteStore(EmitContext& context, const LaneGroup& group, unsigned target)
        : c(context)
        , h(context.h)
        , group_(group)
        , target_(target)
        , key_(context.key.fragment->blend[target])
        , info_(exec::format_info(key_.format))
        , samples_(context.key.fragment->samples) {}

    void run() {
        const bool changes = blends(key_) || key_.logic_op_enable;
        const uint32_t kept = kept_bits();
        if (kept == 0xFFFFFFFF)
            return;
        Temp texels;
        ByteBlendSources sources;
        std::optional<ByteBlendTermOperands> terms;
        const bool constant = has_constant_color();
        if (blends(key_) && constant && blends_by_terms(key_))
            terms = constant_terms(c, target_);
        else if (blends(key_))
            sources = blend_sources();
        else if (constant)
            texels = in_register(constant_texels(c, target_));
        else
            texels = pack_texels(c, info_, encode_bytes(c, first_color()));
        const LeasedAddress target = locate_target();
        for (unsigned s = 0; s < samples_; ++s) {
            const Address place =
                target.address.plus(static_cast<int32_t>(s * sizeof(exec::Lanes)));
            Temp fresh = Vec(texels);
            if (terms)
                fresh = blended_by_terms(*terms, place, kept);
            else if (changes || kept != 0)
                fresh = changed_texels(sources, texels, place, kept);
            const TempMask lanes = covered_lanes(c, group_, s);
            h.store_masked(place, lanes, fresh);
        }
    }

private:
    [[nodiscard]] bool has_constant_color() const {
        return c.message().expansion == Expansion::BlendConstant;
    }

    Color first_color() { return staged_color(c, c.instr().staging[0].base); }

    ByteBlendSources blend_sources() {
        ByteBlendSources sources;
        if (has_constant_color()) {
            sources.source = constant_bytes(c, target_);
        } else {
            sources.source = encode_bytes(c, first_color());
        }
        if (key_.reads_second_color()) {
            sources.source1 = encode_bytes(c, staged_color(c, kSecondColor));
        }
        return sources;
    }

    /// Bits of a texel that the write mask leaves alone.
    [[nodiscard]] uint32_t kept_bits() const {
        uint32_t kept = 0;
        for (unsigned channel = 0; channel < 4; ++channel) {
            if (!(key_.write_mask >> channel_component(info_, channel) & 1))
                kept |= 0xFFU << (8 * channel);
        }
        return kept;
    }

    /// The new texels, where the sample's old ones are at `place`.
    Temp changed_texels(const ByteBlendSources& sources, Vec texels, Address place, uint32_t kept) {
        Temp fresh = c.scratch();
        h.load(fresh, place);
        if (sources.source.rg.valid())
            fresh = blend_bytes(c, key_, sources, std::move(fresh));
        else if (key_.logic_op_enable)
            combine_bits(c, key_.logic_op, fresh, texels, fresh);
        else
            h.move(fresh, texels);
        keep_bits(fresh, place, kept);
        return fresh;
    }

    /// Like changed_texels(), for a constant colour: the terms of the source are known.
    Temp blended_by_terms(const ByteBlendTermOperands& terms, Address place, uint32_t kept) {
        Temp stored = c.scratch();
        h.load(stored, place);
        Temp fresh = blend_by_terms(c, key_, terms, std::move(stored));
        keep_bits(fresh, place, kept);
        return fresh;
    }

    void keep_bits(Vec fresh, Address place, uint32_t kept) {
        if (kept == 0)
            return;
        U32 texels(c, fresh);
        texels = ((texels ^ place) & ~kept) ^ place;
    }

    Temp in_register(const Operand& operand) {
        if (operand.is_reg())
            return operand.reg;
        Temp v = c.scratch();
        h.move(v, operand);
        return v;
    }

    /// The address of the group's texels of sample 0.
    LeasedAddress locate_target() {
        const size_t member = offsetof(exec::FragmentCall, color) + sizeof(uint8_t*) * target_;
        return plane_place(c, group_, member, samples_);
    }

    EmitContext& c;
    HostAssembler& h;
    const LaneGroup& group_;
    unsigned target_;
    const exec::BlendKey& key_;
    const exec::FormatInfo& info_;
    unsigned samples_;
};

/// Blends one colour into every covered sample of texels of one or two bytes.
void blend_small(EmitContext& c, const LaneGroup& group, unsigned target) {
    HostAssembler& h = c.h;
    const exec::BlendKey& key = c.key.fragment->blend[target];
    const exec::FormatInfo& info = exec::format_info(key.format);
    uint32_t written = 0;
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        if (key.write_mask >> channel_component(info, channel) & 1)
            written |= 0xFFU << (8 * channel);
    if (written == 0)
        return;
    ByteBlendSources sources;
    sources.source = encode_bytes(c, staged_color(c, c.instr().staging[0].base));
    if (key.reads_second_color())
        sources.source1 = encode_bytes(c, staged_color(c, kSecondColor));
    const TexelPlace place(c, group, target, info.block_bytes);
    for (unsigned s = 0; s < c.key.fragment->samples; ++s) {
        place.read(s);
        const Operand old = Operand::memory(place.old_word(s, 0));
        Temp stored = c.scratch();
        h.move(stored, old);
        U32 texels(c, blend_bytes(c, key, sources, std::move(stored)));
        texels = ((texels ^ old) & written) ^ old;
        std::array<Temp, 4> fresh{std::move(texels)};
        const TempMask lanes = covered_lanes(c, group, s);
        place.write(s, lanes, fresh);
    }
}

using BlendPart = void (*)(EmitContext& c, const LaneGroup& group, unsigned target);

void each_blend_part(EmitContext& c, BlendPart blend) {
    const unsigned target = *blend_target(c.instr());
    expand_parts(c, [&] { blend(c, group_of_part(c, c.part), target); });
}

}  // namespace

void expand_blend_bytes(EmitContext& c) {
    each_blend_part(c, [](EmitContext& e, const LaneGroup& group, unsigned target) {
        ByteStore(e, group, target).run();
    });
}

void expand_blend_small_bytes(EmitContext& c) {
    each_blend_part(c, blend_small);
}

void expand_blend_numbers(EmitContext& c) {
    each_blend_part(c, number_store);
}

}  // namespace valkyr::jit
