// Half varyings: widens varyings of 16 bits to binary32.
// SPDX-License-Identifier: MIT
#include "raster/data/half_varyings.hpp"

#include "exec/vertex_record.hpp"
#include "raster/formats/small_float.hpp"

#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

bool is_widened(const exec::VaryingSlot& slot) {
    return slot.half && slot.written && slot.interpolation != exec::Interpolation::Flat;
}

/// Numbers in a slot.
constexpr size_t kNumbers = 8;
constexpr size_t kHalfOfThem = kNumbers / 2;

void widen(uint8_t* record, const HalfSlot& slot) {
    std::array<uint16_t, kNumbers> halves;
    std::array<uint32_t, kNumbers> words;
    std::memcpy(halves.data(), record + slot.offset, sizeof(halves));
    for (size_t i = 0; i < kNumbers; ++i)
        words[i] = decode_small_float(kFloat16, halves[i]);
    std::memcpy(record + slot.offset, words.data(), kHalfOfThem * sizeof(uint32_t));
    std::memcpy(record + slot.high_offset, words.data() + kHalfOfThem,
                kHalfOfThem * sizeof(uint32_t));
}

/// Returns the offset of numbers 4 to 7 of the slot at `offset`, or `offset` if the slot has no
/// halves.
uint16_t high_offset(const ShapeState& shape, uint16_t offset) {
    for (uint32_t i = 0; i < shape.half_count; ++i)
        if (shape.halves[i].offset == offset)
            return shape.halves[i].high_offset;
    return offset;
}

}  // namespace

void add_half_slots(ShapeState& shape, const exec::ProgramInfo& fragment, HalfSlot* halves) {
    shape.halves = halves;
    shape.half_count = 0;
    for (uint32_t s = 0; s < fragment.varying_slot_count && s < exec::kMaxVaryingSlots; ++s) {
        if (!is_widened(fragment.varyings[s]))
            continue;
        halves[shape.half_count++] = {static_cast<uint16_t>(exec::varying_offset(s)),
                                      static_cast<uint16_t>(shape.record_stride)};
        shape.record_stride += exec::kVaryingSlotBytes;
    }
}

void add_half_planes(TileState& tile,
                     const ShapeState& shape,
                     const exec::ProgramInfo& fragment,
                     SlotSource* slots) {
    const uint32_t known = tile.slot_count;
    for (uint32_t i = 0; i < known; ++i) {
        SlotSource source = slots[i];
        if (!is_widened(fragment.varyings[source.slot]))
            continue;
        source.slot = static_cast<uint8_t>(exec::kMaxVaryingSlots + source.slot);
        for (uint16_t& offset : source.offset)
            offset = high_offset(shape, offset);
        // A point coordinate replaces numbers 0 to 3 only.
        if (source.kind == SlotKind::PointCoord)
            source.kind = SlotKind::Zero;
        slots[tile.slot_count++] = source;
    }
}

void widen_halves(const ShapeState& shape, uint8_t* records, uint32_t count) {
    if (shape.half_count == 0)
        return;
    for (uint32_t v = 0; v < count; ++v)
        for (uint32_t i = 0; i < shape.half_count; ++i)
            widen(records + size_t{v} * shape.record_stride, shape.halves[i]);
}

}  // namespace valkyr::raster
