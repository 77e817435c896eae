// Inline ST_CVT: encodes registers as texels and stores them at addresses.
// SPDX-License-Identifier: MIT
//
// Texels are encoded for all lanes at once. Texels of one word are stored together if they are a
// row or a block (image_rows.hpp), and else scattered if the upper words of the addresses agree,
// which is tested at run time. All others are stored lane by lane, in ascending order.
#include "base/float_bits.hpp"
#include "exec/image_conversion.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/image/image_place.hpp"
#include "jit/expand/image/image_rows.hpp"
#include "jit/expand/image/inline_image.hpp"
#include "jit/expand/memory/lane_addresses.hpp"
#include "jit/expand/memory/noted_row.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <array>
#include <bit>

namespace valkyr::jit {

using exec::FormatInfo;

namespace {

constexpr unsigned kTemporaries = 5;
/// Scatters take signed indices, so the base is the middle of the 4 GiB that a word can address.
constexpr uint32_t kMiddle = 0x80000000;

/// Whether all bits of a texel belong to channels.
bool is_filled(const FormatInfo& info) {
    unsigned bits = 0;
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        bits += info.bits[channel];
    return bits == 8U * info.block_bytes;
}

/// The step of this block that wrote a source register; null if none did.
const Step* maker_of(const MessageSource& m, const valhall::Source& source, unsigned half) {
    if (source.kind != valhall::SourceKind::Register || source.selector != 0)
        return nullptr;
    const auto r = register_behind(source.index, half);
    for (uint32_t k = m.at; k-- > m.block.first;)
        if (m.program.steps[k].access.writes.has(r))
            return &m.program.steps[k];
    return nullptr;
}

/// Whether the operands are the results of one LEA_TEX, in order.
bool stores_to_indexed_image(const MessageSource& m) {
    const valhall::Instr& i = m.instr();
    const Step* maker = maker_of(m, i.src[1], 0);
    return maker != nullptr && maker->instr.op == valhall::Op::LEA_TEX &&
           maker_of(m, i.src[0], 0) == maker && maker_of(m, i.src[0], 1) == maker &&
           i.src[0].index == maker->instr.staging[0].base &&
           i.src[1].index == register_behind(maker->instr.staging[0].base, 2);
}

/// The format that a conversion word names. If the handle of a LEA_TEX names no image, its address
/// is null and the format has no effect.
std::optional<uint32_t> format_code(const MessageSource& m) {
    if (const auto conversion = m.known_word(1))
        return *conversion & exec::kConversionFormatMask;
    if (!stores_to_indexed_image(m))
        return std::nullopt;
    const std::optional<ImageUnit> unit = find_common_unit(m);
    return unit ? std::optional(static_cast<uint32_t>(unit->key.format)) : std::nullopt;
}

/// Whether texels of the format can be encoded and stored as whole words.
bool can_store(const valhall::Instr& instr, const FormatInfo& info) {
    const unsigned count = valhall::components(instr);
    const unsigned registers =
        has_halves(valhall::register_format(instr)) ? (count + 1) / 2 : count;
    return info.layout != exec::FormatLayout::DepthStencil && channels_are_fields(info) &&
           channels_are_encodable(info) && info.block_bytes <= 16 &&
           std::has_single_bit(info.block_bytes) && is_filled(info) &&
           instr.staging[0].count == registers;
}

/// A temporary with component k of the data; 0, 0, 0, 1 where there is none.
Temp data_component(EmitContext& c, const FormatInfo& info, unsigned k) {
    if (k >= components(c))
        return c.constant(k < 3 ? 0 : has_integer_values(info) ? 1 : float_bits::kOne);
    const bool halves = has_halves(register_format(c));
    const auto r = staging_register(c, halves ? k / 2 : k);
    U32 v(c);
    {
        const Operand data = c.regs.operand(r, c.part);
        v = data;
        if (data.is_reg())
            c.done_with(data.reg);
    }
    if (!halves)
        return v;
    const bool high = (k & 1) != 0;
    const bool is_signed =
        has_integer_values(info) && has_signed_integers(register_format(c), info);
    if (!high)
        v <<= 16;
    if (is_signed)
        v = u32(s32(v) >> 16);
    else
        v >>= 16;
    if (!has_integer_values(info))
        c.h.f16_to_f32(v, v, 0);
    return v;
}

/// The words of the lanes' texels.
std::array<Temp, 4> encode(EmitContext& c, const FormatInfo& info) {
    const bool is_signed = has_signed_integers(register_format(c), info);
    std::array<Temp, 4> words;
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        add_channel(c, info, channel, data_component(c, info, channel_component(info, channel)),
                    is_signed, words);
    return words;
}

/// Stores the addresses in the frame; returns the lanes that store a texel, as bits of the part.
Scalar storing_texels(EmitContext& c, const VecPair& address) {
    HostAssembler& h = c.h;
    const TempMask some = c.scratch_mask();
    {
        const Temp either = c.scratch();
        h.store(low_words(), address.low);
        h.store(high_words(), address.high);
        h.op(Binary::Or, either, address.low, address.high);
        h.test_nonzero(some, either);
    }
    Scalar lanes = storing_lanes(c);
    const Scalar there = c.scalar();
    h.mask_bits(there, some);
    h.and32(lanes, there);
    return lanes;
}

/// Scatters if the upper words of all addresses are equal; otherwise jumps.
void scatter_words(EmitContext& c, Gp lanes, Vec words, Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar window = c.scalar();
    const Temp address = c.scratch();
    const TempMask mask = c.scratch_mask();
    {
        const TempMask other = c.scratch_mask();
        const Scalar first = c.scalar();
        h.lowest_bit(first, lanes);
        h.load32(window, of_lane(high_words(), first));
        h.store32(VALKYR_FRAME(spare), window);
        h.load(address, high_words());
        h.compare(IntCond::NotEqual, Element::B32, true, other, address,
                  Operand::broadcast(VALKYR_FRAME(spare)));
        h.mask_bits(first, other);
        h.and32(first, lanes);
        h.test32(first);
        h.jump(Jump::NotEqual, otherwise);
        h.shift_left64(window, 32);
        h.move(first, uint64_t{kMiddle});
        h.add64(window, first);
    }
    h.load(address, low_words());
    h.op(Binary::Xor, address, address, c.pool(kMiddle));
    h.mask_from_bits(mask, lanes);
    h.scatter32({window, static_cast<int32_t>(c.instr().imm[0])}, address, mask, words);
}

/// Stores a lane's texel, whose words are in the frame.
void store_texel(EmitContext& c, Gp lane, unsigned bytes) {
    HostAssembler& h = c.h;
    const Scalar at = c.scalar();
    const Scalar word = c.scalar();
    h.load32(at, of_lane(low_words(), lane));
    h.load32(word, of_lane(high_words(), lane));
    h.shift_left64(word, 32);
    h.add64(at, word);
    const Address to{at, static_cast<int32_t>(c.instr().imm[0])};
    for (unsigned k = 0; k < (bytes + 3) / 4; ++k) {
        h.load32(word, of_lane(staged_array(VALKYR_FRAME(in), k), lane));
        if (bytes == 1)
            h.store8(to, word);
        else if (bytes == 2)
            h.store16(to, word);
        else
            h.store32(to.plus(static_cast<int32_t>(4 * k)), word);
    }
}

void store_part(EmitContext& c, const FormatInfo& info) {
    HostAssembler& h = c.h;
    const std::array<Temp, 4> words = encode(c, info);
    const VecPair address = c.wide_word(0);
    make_room(c, kTemporaries);
    const Label apart = h.new_label();
    const Label slow = h.new_label();
    const Label done = h.new_label();
    if (stores_rows(c, info)) {
        store_row(c, words[0], apart);
        h.jump(done);
    }
    h.bind(apart);
    for (unsigned k = 0; k < words.size(); ++k)
        if (words[k].valid())
            h.store(staged_array(VALKYR_FRAME(in), k), words[k]);
    const Scalar lanes = storing_texels(c, address);
    h.test32(lanes);
    h.jump(Jump::Equal, done);
    if (info.block_bytes == 4 && h.traits().scatters) {
        scatter_words(c, lanes, words[0], slow);
        h.jump(done);
    }
    h.bind(slow);
    each_lane(c, lanes, [&](Gp lane) { store_texel(c, lane, info.block_bytes); });
    h.bind(done);
}

}  // namespace

MessageChoice choose_convert_store(const MessageSource& m) {
    const std::optional<uint32_t> code = format_code(m);
    if (!m.inline_messages || !code || *code >= exec::kFormatCount || m.instr().imm[0] < 0 ||
        !can_store(m.instr(), exec::format_info(static_cast<exec::Format>(*code))))
        return {Expansion::Routine};
    MessageChoice choice{Expansion::ImageTexels, code};
    choice.takes_row = takes_row(m);
    return choice;
}

void expand_convert_store(EmitContext& c) {
    const FormatInfo& info = exec::format_info(static_cast<exec::Format>(*c.message().known));
    expand_parts(c, [&] { store_part(c, info); });
}

}  // namespace valkyr::jit
