// Image place: computes the addresses of the texels that an image message names.
// SPDX-License-Identifier: MIT
#include "jit/expand/image/image_place.hpp"

#include "exec/handle.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/format/channel_decode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace valkyr::jit {

using exec::ImageDescriptor;
using exec::ImageKey;
using exec::TextureKind;

namespace {

constexpr uint32_t kLowHalf = 0xFFFF;

/// The state of find_texels().
struct Search {
    EmitContext& c;
    const ImageUnit& unit;
    const exec::ImageFields& fields;
    ImagePlace& place;
};

/// A half of a source word.
U32 half_of(EmitContext& c, unsigned source, bool high) {
    U32 v(c);
    const TempOperand word = c.word_operand(source);
    if (high) {
        v = word;
        v >>= 16;
    } else {
        v = u32(kLowHalf) & word;
    }
    return v;
}

/// inside = inside and v < limit.
void require_below(const Search& s, const U32& v, Operand limit, bool first = false) {
    HostAssembler& h = s.c.h;
    if (first) {
        h.compare(IntCond::Less, Element::B32, false, s.place.inside, v, limit);
        return;
    }
    const LaneMask below = v < limit;
    h.mask_and(s.place.inside, s.place.inside, below);
}

Operand member(const Search& s, size_t of_descriptor) {
    return Operand::broadcast(s.place.member(of_descriptor));
}

/// d += the bits of a coordinate within a tile: bit 0 goes to `first`, 0 or 1, bit 1 to `first`
/// + 2.
void add_in_tile(U32& d, const U32& v, unsigned first) {
    if (first == 0)
        d += v & 1;
    else
        d += (v & 1) << first;
    d += (v & 2) << (first + 1);
}

/// The element number of x and y in 4x4 tiles (exec/descriptors.hpp).
/// y  not read if the kind has none
U32 tiled_element(const Search& s, const U32& x, const U32& y) {
    EmitContext& c = s.c;
    const uint32_t samples = s.unit.key.samples;
    U32 element = x >> 2;
    if (s.fields.y)
        element += (y >> 2) * member(s, offsetof(ImageDescriptor, tiles_per_row));
    if (s.fields.sample) {
        const U32 sample = half_of(c, 1, false);
        require_below(s, sample, c.pool(samples));
        element = element * samples + sample;
    } else if (samples > 1) {
        element *= samples;
    }
    element <<= 4;
    add_in_tile(element, x, 0);
    if (s.fields.y)
        add_in_tile(element, y, 1);
    return element;
}

/// element = element * bytes of a texel.
void scale_by_texel(const Search& s, U32& element) {
    const unsigned bytes = s.unit.info->block_bytes;
    if (!std::has_single_bit(bytes))
        element *= bytes;
    else if (bytes > 1)
        element <<= std::countr_zero(bytes);
}

Temp line_offset(const Search& s) {
    U32 x(s.c);
    x = s.c.word_operand(0);
    require_below(s, x, member(s, offsetof(ImageDescriptor, width)), true);
    scale_by_texel(s, x);
    return x;
}

Temp tiled_offset(const Search& s) {
    EmitContext& c = s.c;
    U32 x = half_of(c, 0, false);
    require_below(s, x, member(s, offsetof(ImageDescriptor, width)), true);
    U32 y;
    if (s.fields.y) {
        y = half_of(c, 0, true);
        require_below(s, y, member(s, offsetof(ImageDescriptor, height)));
    }
    U32 offset = tiled_element(s, x, y);
    x.reset();
    y.reset();
    scale_by_texel(s, offset);
    if (s.fields.slice()) {
        const U32 slice = half_of(c, 1, s.fields.layer);
        require_below(s, slice, member(s, offsetof(ImageDescriptor, depth)));
        offset += slice * member(s, offsetof(ImageDescriptor, slice_bytes));
    }
    return offset;
}

/// The image units of the key.
std::span<const ImageKey> image_keys(const KernelSource& c) {
    if (c.key.fragment != nullptr)
        return {c.key.fragment->images, c.key.fragment->image_units};
    if (c.key.vertex != nullptr)
        return {c.key.vertex->images, c.key.vertex->image_units};
    return {};
}

bool is_expanded(const KernelSource& c, const ImageKey& key) {
    return c.inline_messages && key.format != exec::Format::None && key.near &&
           static_cast<size_t>(key.kind) < exec::kImageFields.size() &&
           channels_are_fields(exec::format_info(key.format));
}

Address run_time_handle() {
    return VALKYR_FRAME(message);
}

/// Moves the place to the unit of the handle. If it names no unit, `found` is empty and the place
/// is at any unit.
void choose_unit(EmitContext& c, const ImageUnit& unit, ImagePlace& place) {
    HostAssembler& h = c.h;
    const Scalar index = c.scalar();
    const Scalar bits = c.scalar();
    const Label known = h.new_label();
    place.found = c.scratch_mask();
    h.load32(index, run_time_handle());
    h.add32(index, -static_cast<int32_t>(exec::make_handle(exec::ResourceTable::Images, 0)));
    h.move(bits, uint64_t{(1U << exec::kLanes) - 1});
    h.compare32(index, unit.count);
    h.jump(Jump::Below, known);
    h.move(bits, uint64_t{0});
    h.move(index, uint64_t{0});
    h.bind(known);
    h.mask_from_bits(place.found, bits);
    h.move(bits, uint64_t{sizeof(ImageDescriptor)});
    h.mul64(index, bits);
    h.add64(place.table, index);
}

}  // namespace

std::optional<ImageUnit> find_image_unit(const KernelSource& c, uint32_t handle) {
    const uint32_t index = exec::index_of(handle);
    const std::span<const ImageKey> keys = image_keys(c);
    if (exec::table_of(handle) != exec::ResourceTable::Images || index >= keys.size() ||
        !is_expanded(c, keys[index]))
        return std::nullopt;
    return ImageUnit{keys[index], &exec::format_info(keys[index].format), index};
}

std::optional<ImageUnit> find_common_unit(const KernelSource& c) {
    const std::span<const ImageKey> keys = image_keys(c);
    if (keys.empty() || !is_expanded(c, keys[0]) ||
        !std::ranges::all_of(keys, [&](const ImageKey& key) { return key == keys[0]; }))
        return std::nullopt;
    return ImageUnit{keys[0], &exec::format_info(keys[0].format), std::nullopt,
                     static_cast<uint32_t>(keys.size())};
}

Scalar image_descriptors(EmitContext& c) {
    Scalar table = c.load64({Gp::Call, 0});
    c.h.load64(table, {table, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                   offsetof(exec::ResourceTables, images))});
    return table;
}

void stage_image_handle(EmitContext& c, unsigned source) {
    const Scalar handle = c.uniform_word(source);
    c.h.store32(run_time_handle(), handle);
}

ImagePlace find_texels(EmitContext& c, const ImageUnit& unit) {
    ImagePlace place{image_descriptors(c), unit.offset(), {}, c.scratch_mask(), {}};
    if (!unit.index)
        choose_unit(c, unit, place);
    const Search search{c, unit, exec::kImageFields[static_cast<size_t>(unit.key.kind)], place};
    place.offset =
        unit.key.kind == TextureKind::Buffer ? line_offset(search) : tiled_offset(search);
    if (!unit.index)
        c.h.mask_and(place.inside, place.inside, place.found);
    return place;
}

void enter_image(EmitContext& c, ImagePlace& place) {
    c.h.load64(place.table, place.member(offsetof(ImageDescriptor, data)));
}

void gather_word(EmitContext& c, const ImagePlace& place, Vec texels, unsigned word) {
    c.h.gather32(texels, {place.table, static_cast<int32_t>(4 * word)}, place.offset, place.inside);
}

void gather_texels(EmitContext& c, const ImageUnit& unit, Vec texels) {
    ImagePlace place = find_texels(c, unit);
    enter_image(c, place);
    gather_word(c, place, texels, 0);
}

}  // namespace valkyr::jit
