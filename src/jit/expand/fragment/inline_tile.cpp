// Inline LD_TILE and ST_TILE: expands accesses to the pixel itself.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_tile.hpp"

#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/expand/fragment/inline_texel.hpp"

#include <array>
#include <bit>
#include <vector>

namespace valkyr::jit {

using exec::FormatInfo;
using exec::Swizzle;

namespace {

using float_bits::kOne;
constexpr uint32_t kThisPixel = 0xFF00;  ///< upper half of the indices: row 255, column 0
constexpr uint32_t kAllSamples = 255;
constexpr unsigned kTemporaries = 12;

/// A target of the key and the format of the access.
struct TileTarget {
    unsigned index;
    const FormatInfo* info;
};

/// The format that the conversion descriptor names, if its texels have the target's size; 0 names
/// the target's own format.
const FormatInfo& access_format(exec::Format target, uint32_t conversion) {
    const FormatInfo& own = exec::format_info(target);
    const uint32_t code = conversion & 0x3FFFFF;
    if (code == 0 || code >= exec::kFormatCount)
        return own;
    const FormatInfo& named = exec::format_info(static_cast<exec::Format>(code));
    return named.block_bytes == own.block_bytes ? named : own;
}

bool is_expanded(const FormatInfo& info, bool stores) {
    return info.layout != exec::FormatLayout::DepthStencil && channels_are_fields(info) &&
           texels_are_words(info.block_bytes) && (!stores || channels_are_encodable(info));
}

/// The targets for which a message is expanded.
std::vector<TileTarget>
expanded_targets(const KernelSource& source, uint32_t conversion, bool stores) {
    std::vector<TileTarget> targets;
    for (unsigned t = 0; t < exec::kMaxRenderTargets; ++t) {
        const exec::Format own = source.key.fragment->blend[t].format;
        if (own == exec::Format::None)
            continue;
        const FormatInfo& info = access_format(own, conversion);
        if (is_expanded(info, stores))
            targets.push_back({t, &info});
    }
    return targets;
}

bool stores_tile(const valhall::Instr& instr) {
    return instr.op == valhall::Op::ST_TILE;
}

// ---------------------------------------------------------------------------------------------
// Lookup

/// Jumps unless all running lanes have equal indices.
void require_equal_indices(EmitContext& c, Gp indices, Label otherwise) {
    HostAssembler& h = c.h;
    Scalar others;
    h.store32(VALKYR_FRAME(spare), indices);
    each_part(c, [&] {
        const Temp v = c.scratch();
        const TempMask differs = c.scratch_mask();
        h.load(v, c.lanes_at(VALKYR_FRAME(operand[0])));
        h.compare(IntCond::NotEqual, Element::B32, false, differs, v,
                  Operand::broadcast(VALKYR_FRAME(spare)));
        c.collect_bits(others, differs);
    });
    h.and32(others, c.all_lanes());
    h.and32(others, Gp::Running);
    h.test32(others);
    h.jump(Jump::NotEqual, otherwise);
}

/// Emits `expansion`, which gets the register with the sample, for the targets, and the routine for
/// all other indices.
template <typename Emit>
void look_up(EmitContext& c, const CallTileRoutine& routine, Emit expansion) {
    HostAssembler& h = c.h;
    const std::vector<TileTarget> targets =
        expanded_targets(c, *c.message().known, stores_tile(c.instr()));
    const Label other = h.new_label();
    const Label done = h.new_label();
    const Label chosen = h.new_label();
    Scalar sample = c.uniform_word(0);  // pixel and target are in the bits above
    c.regs.before_call();
    make_room(c, kTemporaries);
    require_equal_indices(c, sample, other);
    Scalar pixel = c.scalar();
    h.move(pixel, sample);
    h.shift_right32(pixel, 8);
    h.and32(sample, 0xFF);
    h.compare32(sample, kAllSamples);
    h.jump(Jump::Equal, chosen);
    h.compare32(sample, c.key.fragment->samples);
    h.jump(Jump::AboveEqual, other);
    h.bind(chosen);
    for (const TileTarget& target : targets) {
        const Label next = h.new_label();
        h.compare32(pixel, kThisPixel << 8 | target.index);
        h.jump(Jump::NotEqual, next);
        expand_parts(c, [&] { expansion(c, target, sample); });
        h.jump(done);
        h.bind(next);
    }
    pixel.reset();
    sample.reset();
    h.bind(other);
    routine();
    h.bind(done);
    c.after_call();
}

// ---------------------------------------------------------------------------------------------
// Loads

/// Moves `place` from sample 0 to the sample. Number 255 stands for all samples and reads sample 0.
void move_to_sample(EmitContext& c, const FormatInfo& info, Gp sample, const TexelPlace& place) {
    HostAssembler& h = c.h;
    if (c.key.fragment->samples == 1)
        return;
    const Label first = h.new_label();
    h.compare32(sample, kAllSamples);
    h.jump(Jump::Equal, first);
    const Scalar bytes = c.scalar();
    h.move(bytes, sample);
    h.shift_left64(bytes, static_cast<unsigned>(std::countr_zero(exec::kLanes * info.block_bytes)));
    place.move_by(bytes);
    h.bind(first);
}

/// A temporary with a component of the texels, whose words are in the frame.
Temp loaded_component(EmitContext& c, const FormatInfo& info, const TexelPlace& place, unsigned k) {
    const Swizzle swizzle = info.swizzle[k];
    if (swizzle > Swizzle::W) {
        const uint32_t one = has_integer_values(info) ? 1 : kOne;
        return c.constant(swizzle == Swizzle::One ? one : 0);
    }
    const ChannelField field = channel_field(info, static_cast<unsigned>(swizzle));
    const Temp word = c.scratch();
    c.h.load(word, place.old_word(0, field.word));
    return channel_value(c, info, field, word);
}

void load_part(EmitContext& c, const TileTarget& target, Gp sample) {
    const FormatInfo& info = *target.info;
    const LaneGroup group = group_of_part(c, c.part);
    const TexelPlace place(c, group, target.index, info.block_bytes);
    move_to_sample(c, info, sample, place);
    place.read(0);
    for (unsigned k = 0; k < components(c); ++k) {
        const Temp v = loaded_component(c, info, place, k);
        c.h.store(c.lanes_at(staged_array(VALKYR_FRAME(out), k)), v);
    }
}

// ---------------------------------------------------------------------------------------------
// Stores

/// Values that a store keeps in the frame meanwhile.
struct TileScratch {
    exec::Lanes fresh_word[4];  ///< of the new texels
};
Address fresh_word(unsigned word) {
    using Places = ExpansionPlaces<TileScratch>;
    return Places::place(Places::members().fresh_word, word);
}

/// A temporary with a component of the staged colour; 0, 0, 0, 1 where there is none.
Temp staged_component(EmitContext& c, const FormatInfo& info, unsigned k) {
    if (k >= components(c))
        return c.constant(k < 3 ? 0 : has_integer_values(info) ? 1 : kOne);
    Temp v = c.scratch();
    c.h.load(v, c.lanes_at(staged_array(VALKYR_FRAME(in), k)));
    return v;
}

void encode_color(EmitContext& c, const FormatInfo& info) {
    std::array<Temp, 4> words;
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        add_channel(c, info, channel, staged_component(c, info, channel_component(info, channel)),
                    has_signed_integers(register_format(c), info), words);
    for (unsigned k = 0; k < words.size(); ++k)
        if (words[k].valid())
            c.h.store(c.lanes_at(fresh_word(k)), words[k]);
}

/// The bits of a texel's word that belong to channels.
uint32_t channel_bits(const FormatInfo& info, unsigned word) {
    uint32_t bits = 0;
    for (unsigned channel = 0; channel < info.channel_count; ++channel) {
        const ChannelField field = channel_field(info, channel);
        if (field.word == word)
            bits |= 0xFFFFFFFFU >> (32 - field.bits) << field.shift;
    }
    return bits;
}

void store_sample(EmitContext& c,
                  const TileTarget& target,
                  const LaneGroup& group,
                  const TexelPlace& place,
                  unsigned sample) {
    HostAssembler& h = c.h;
    place.read(sample);
    std::array<Temp, 4> words;
    for (unsigned k = 0; k < place.words(); ++k) {
        const uint32_t written = channel_bits(*target.info, k);
        words[k] = c.scratch();
        const Address old = place.old_word(sample, k);
        if (written == 0) {
            h.load(words[k], old);
            continue;
        }
        h.load(words[k], c.lanes_at(fresh_word(k)));
        if (written == 0xFFFFFFFF)
            continue;
        U32 word(c, words[k]);
        word = ((word ^ old) & written) ^ old;
    }
    Temp coverage = c.scratch();
    TempMask covered = c.scratch_mask();
    h.load(coverage, c.lanes_at(VALKYR_FRAME(operand[1])));
    h.test_bit(covered, coverage, sample);
    coverage.reset();
    const TempMask lanes = effective_lanes(c, group);
    h.mask_and(lanes, lanes, covered);
    covered.reset();
    place.write(sample, lanes, words);
}

void store_part(EmitContext& c, const TileTarget& target, Gp sample) {
    HostAssembler& h = c.h;
    encode_color(c, *target.info);
    const LaneGroup group = group_of_part(c, c.part);
    const TexelPlace place(c, group, target.index, target.info->block_bytes);
    for (unsigned s = 0; s < c.key.fragment->samples; ++s) {
        const Label skip = h.new_label();
        const Label store = h.new_label();
        h.compare32(sample, kAllSamples);
        h.jump(Jump::Equal, store);
        h.compare32(sample, s);
        h.jump(Jump::NotEqual, skip);
        h.bind(store);
        store_sample(c, target, group, place, s);
        h.bind(skip);
    }
}

}  // namespace

MessageChoice choose_tile_access(const MessageSource& m) {
    const std::optional<uint32_t> conversion = m.known_word(2);
    const valhall::Instr& instr = m.instr();
    if (!expands_fragment(m) || has_halves(valhall::register_format(instr)) || !conversion ||
        instr.staging[0].count != valhall::components(instr) ||
        expanded_targets(m, *conversion, stores_tile(instr)).empty())
        return {Expansion::Routine};
    return {Expansion::TilePixel, conversion};
}

void expand_tile_load(EmitContext& c, const CallTileRoutine& routine) {
    look_up(c, routine, load_part);
}

void expand_tile_store(EmitContext& c, const CallTileRoutine& routine) {
    look_up(c, routine, store_part);
}

}  // namespace valkyr::jit
