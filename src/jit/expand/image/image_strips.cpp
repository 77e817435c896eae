// Image strips: decode texels of a row once for several loads beside each other.
// SPDX-License-Identifier: MIT
//
// A filter loads the texels left and right of its own. The first such load decodes 32 texels of the
// row, component by component, to registers (EmitContext::strip) or, if the program has several
// basic blocks, into the frame. Each load then permutes the two registers of a component by the
// lanes' places in the strip. The lanes need not be a row: filters clamp them at the image's edges.
// Whether all lanes lie in the strip is decided at run time: if one does not, the load decodes the
// strip around its lane 0, and gathers if that does not help.
//
// Loads of unaligned registers from the frame would take no permutation, but they wait until the
// stores of the strip are in the cache, and touch two lines each.
#include "jit/expand/image/image_strips.hpp"

#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/image/image_rows.hpp"
#include "jit/expand/image/inline_image.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <bit>
#include <numeric>
#include <optional>

namespace valkyr::jit {

using exec::ImageDescriptor;
using exec::Swizzle;
using valhall::Effect;
using valhall::Instr;
using valhall::Op;
using valhall::Source;

namespace {

constexpr uint32_t kStripTexels = kStripRows * exec::kLanes;
constexpr uint32_t kStripTiles = kStripTexels / kTileSide;
/// Temporaries for the texels, or else their places, the gather and the decoding of one channel.
constexpr unsigned kStripTemporaries = 8;

// --- choice

/// Whether two sources, of which the first is read no later, give the same value.
bool same_value(const MessageSource& m, const Step& first, const Step& second, unsigned source) {
    Source a = first.instr.src[source];
    Source b = second.instr.src[source];
    a.last_use = b.last_use = false;
    if (a != b)
        return false;
    if (a.kind != valhall::SourceKind::Register)
        return true;
    const auto begin = static_cast<uint32_t>(&first - m.program.steps.data());
    const auto end = static_cast<uint32_t>(&second - m.program.steps.data());
    for (uint32_t k = begin; k < end; ++k)
        if (m.program.steps[k].access.writes.has(a.index))
            return false;
    return true;
}

/// Whether the coordinates of two loads differ in x alone: both put the same y above their x.
bool share_row(const MessageSource& m, uint32_t first, uint32_t second) {
    const Instr& a = m.program.steps[first].instr;
    const Instr& b = m.program.steps[second].instr;
    if (a.src[0].kind != valhall::SourceKind::Register ||
        b.src[0].kind != valhall::SourceKind::Register)
        return false;
    const Step* const pack_a = m.maker_before(first, a.src[0].index);
    const Step* const pack_b = m.maker_before(second, b.src[0].index);
    return pack_a != nullptr && pack_b != nullptr && pack_a < pack_b &&
           pack_a->instr.op == Op::LSHIFT_OR_I32 && pack_b->instr.op == Op::LSHIFT_OR_I32 &&
           same_value(m, *pack_a, *pack_b, 1) && same_value(m, *pack_a, *pack_b, 2);
}

/// Whether the second of two loads may take texels that the first one has decoded.
bool share_strip(const MessageSource& m, uint32_t first, uint32_t second) {
    const Instr& a = m.program.steps[first].instr;
    const Instr& b = m.program.steps[second].instr;
    return b.op == Op::LD_TEX_IMM && a.imm == b.imm && a.staging[0].count == b.staging[0].count &&
           valhall::register_format(a) == valhall::register_format(b) &&
           share_row(m, first, second);
}

/// Whether a step ends the strip: after it, texels may be others.
bool ends_strip(const Step& step) {
    return valhall::has_effect(step.instr.op, Effect::store | Effect::atomic | Effect::image_store |
                                                  Effect::tile_store | Effect::barrier);
}

/// The nearest load of an image before or behind this one; nothing if a step between them ends the
/// strip, or if there is none in the block.
std::optional<uint32_t> neighbour(const MessageSource& m, int step) {
    for (uint32_t k = m.at + static_cast<uint32_t>(step); k - m.block.first < m.block.count;
         k += static_cast<uint32_t>(step)) {
        if (m.program.steps[k].instr.op == Op::LD_TEX_IMM)
            return k;
        if (ends_strip(m.program.steps[k]))
            break;
    }
    return std::nullopt;
}

// --- emission

/// A register or place in the frame.
Operand strip_row(const EmitContext& c, unsigned component, unsigned row) {
    const unsigned number = component * kStripRows + row;
    if (!c.strip.empty())
        return c.strip[number];
    return Operand::memory(
        VALKYR_FRAME(strip).plus(static_cast<int32_t>(number * sizeof(exec::Lanes))));
}

/// Calls f(component, channel) for the components that come from a channel.
template <typename F>
void each_channel(const ImageUnit& unit, unsigned count, F f) {
    for (unsigned k = 0; k < count; ++k)
        if (unit.info->swizzle[k] <= Swizzle::W)
            f(k, static_cast<unsigned>(unit.info->swizzle[k]));
}

/// Decodes texels to a row of the strip.
void store_components(
    EmitContext& c, const ImageUnit& unit, unsigned count, Vec texels, unsigned row) {
    each_channel(unit, count, [&](unsigned k, unsigned channel) {
        const Temp value = channel_value(c, *unit.info, channel_field(*unit.info, channel), texels);
        const Operand place = strip_row(c, k, row);
        if (place.is_reg())
            c.h.move(place.reg, value);
        else
            c.h.store(place.address, value);
    });
}

/// value = limit if it is greater.
void limit(EmitContext& c, Gp value, Gp most) {
    const Label less = c.h.new_label();
    c.h.compare32(value, most);
    c.h.jump(Jump::Below, less);
    c.h.move(value, most);
    c.h.bind(less);
}

/// Chooses the tiles of the strip around a pixel, and notes it in the frame. Jumps if the image has
/// too few columns.
/// first   the pixel; destroyed
/// column  its column; destroyed
/// tile    becomes the number of the strip's first tile in its row
void place_strip(EmitContext& c,
                 const ImageUnit& unit,
                 Gp table,
                 Gp first,
                 Gp column,
                 Gp tile,
                 Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar word = c.scalar();
    h.load32(word, unit.member(table, offsetof(ImageDescriptor, tiles_per_row)));
    h.compare32(word, kStripTiles);
    h.jump(Jump::Below, otherwise);
    h.add32(word, -static_cast<int32_t>(kStripTiles));
    h.move(tile, column);
    h.shift_right32(tile, 2);
    limit(c, tile, word);
    h.sub32(first, column);
    h.move(column, tile);
    h.shift_left64(column, 2);
    h.load_address(first, {first, 0, column, 0});
    h.store32(VALKYR_FRAME(strip_start), first);
    h.load32(word, unit.member(table, offsetof(ImageDescriptor, width)));
    h.sub32(word, column);
    h.move(column, uint64_t{kStripTexels});
    limit(c, word, column);
    h.store32(VALKYR_FRAME(strip_texels), word);
}

/// places = the places of the texels in the strip. Gives the lanes of which none is there.
LaneMask find_places(EmitContext& c, Vec coordinates, const Temp& places) {
    U32 place(c, places);
    place = u32(coordinates) - Operand::broadcast(VALKYR_FRAME(strip_start));
    return place >= Operand::broadcast(VALKYR_FRAME(strip_texels));
}

/// A mask of lanes, given as bits.
TempMask lanes_of(EmitContext& c, uint64_t bits) {
    TempMask lanes = c.scratch_mask();
    const Scalar word = c.scalar();
    c.h.move(word, bits);
    c.h.mask_from_bits(lanes, word);
    return lanes;
}

/// Decodes the strip, whose texels lie in tiles that follow each other.
/// tiles  address of the first tile
/// order  texel numbers (tile_orders())
void decode_tiles(EmitContext& c, const ImageUnit& unit, unsigned count, Gp tiles, Address order) {
    HostAssembler& h = c.h;
    const TempMask halves[2] = {lanes_of(c, 0x00FF), lanes_of(c, 0xFF00)};
    const Temp texels = c.scratch();
    for (uint32_t row = 0; row < kStripRows; ++row) {
        h.load(texels, order);
        for (uint32_t half = 0; half < 2; ++half) {
            const Address pair{tiles, static_cast<int32_t>(2 * row + half) * 2 * kTileBytes};
            const Temp loaded = c.scratch();
            h.load(loaded, pair);
            h.permute_pair(texels, loaded, Operand::memory(pair.plus(kTileBytes)), halves[half]);
        }
        store_components(c, unit, count, texels, row);
    }
}

/// Decodes the strip around the pixel of lane 0. Jumps if it lacks pixels of running lanes, or if
/// the image has too few columns.
/// places  become those of the texels in the strip
void decode_strip(EmitContext& c,
                  const ImageUnit& unit,
                  unsigned count,
                  Vec coordinates,
                  const Temp& places,
                  Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar tile = c.scalar();
    const Scalar row = c.scalar();
    {
        const Scalar table = image_descriptors(c);
        {
            const Scalar first = c.scalar();
            const Scalar column = c.scalar();
            h.extract_first(first, coordinates);
            find_pixel(c, unit, table, first, column, row, otherwise);
            place_strip(c, unit, table, first, column, tile, otherwise);
        }
        find_tile(c, unit, table, row, tile);
    }
    jump_if_any(c, find_places(c, coordinates, places), otherwise);
    h.and32(row, kTileSide - 1);
    h.shift_left64(row, std::countr_zero(sizeof(exec::Lanes)));
    {
        const Scalar orders = c.scalar();
        h.load_address(orders, tile_orders(c));
        h.add64(row, orders);
    }
    decode_tiles(c, unit, count, tile, {row, 0});
}

/// Gathers the texels, and decodes them to the beginning of the strip, which serves no other load.
/// places  become those of the texels in the strip
void gather_strip(EmitContext& c, const ImageUnit& unit, unsigned count, Vec places) {
    HostAssembler& h = c.h;
    gather_texels(c, unit, places);
    store_components(c, unit, count, places, 0);
    std::array<uint32_t, exec::kLanes> lanes{};
    std::iota(lanes.begin(), lanes.end(), 0U);
    h.load(places, c.pool_row(lanes));
    h.store32(VALKYR_FRAME(strip_texels), uint32_t{0});
}

}  // namespace

Strip choose_strip(const MessageSource& m, const ImageUnit& unit) {
    const exec::ImageMessage message = image_message(m.instr(), 0);
    if (m.instr().op != Op::LD_TEX_IMM || has_halves(message.format) || !has_flat_words(unit))
        return Strip::None;
    if (const auto before = neighbour(m, -1); before && share_strip(m, *before, m.at))
        return Strip::GoesOn;
    const auto behind = neighbour(m, 1);
    return behind && share_strip(m, m.at, *behind) ? Strip::Begins : Strip::None;
}

bool has_strip(const EmitContext& c, const ImageUnit& unit) {
    return c.message().strip != Strip::None && c.stage() != exec::Stage::Fragment && c.parts == 1 &&
           has_rows(c, unit);
}

std::array<Temp, 4> load_strip(EmitContext& c, const ImageUnit& unit, unsigned count) {
    HostAssembler& h = c.h;
    const Label gather = h.new_label();
    const Label ready = h.new_label();
    Temp places;
    {
        const Temp coordinates = c.word(0);
        make_room(c, kStripTemporaries);
        places = c.scratch();
        if (c.message().strip == Strip::GoesOn)
            jump_unless_any(c, find_places(c, coordinates, places), ready);
        decode_strip(c, unit, count, coordinates, places, gather);
        h.jump(ready);
    }
    h.bind(gather);
    gather_strip(c, unit, count, places);
    h.bind(ready);
    c.regs.allow_evictions();
    std::array<Temp, 4> components;
    each_channel(unit, count, [&](unsigned k, unsigned /*channel*/) {
        const Operand texels = strip_row(c, k, 0);
        Temp loaded;
        if (!texels.is_reg()) {
            loaded = c.scratch();
            h.load(loaded, texels.address);
        }
        components[k] = c.scratch();
        h.move(components[k], places);
        h.permute_pair(components[k], texels.is_reg() ? texels.reg : Vec(loaded),
                       strip_row(c, k, 1), Mask{});
    });
    return components;
}

}  // namespace valkyr::jit
