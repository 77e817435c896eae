// Half varyings: widens varyings of 16 bits to binary32 right after vertex shading.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Makes room at the end of the record for numbers 4 to 7 of slots with VaryingSlot::half. Slots
/// that are read as bits (Interpolation::Flat) stay unchanged.
/// halves  storage for those of `shape`: one entry for each varying slot
void add_half_slots(ShapeState& shape, const exec::ProgramInfo& fragment, HalfSlot* halves);

/// Adds the planes of numbers 4 to 7 to the slots of a draw whose records have room for them.
/// slots  storage for those of `tile`, with room for twice as many
void add_half_planes(TileState& tile,
                     const ShapeState& shape,
                     const exec::ProgramInfo& fragment,
                     SlotSource* slots);

/// Widens the halves of `count` records, `shape.record_stride` bytes apart, to binary32.
void widen_halves(const ShapeState& shape, uint8_t* records, uint32_t count);

}  // namespace valkyr::raster
