// Half varyings: widens varyings of 16 bits to binary32 right after vertex shading.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Adds what `draw.slots` needs for slots with VaryingSlot::half: room at the end of the record and
/// planes for numbers 4 to 7. Slots that are read as bits (Interpolation::Flat) stay as they are.
/// slots   those of the draw, with room for as many again
/// halves  become the draw's: room for one a varying slot
void add_half_slots(DrawRecord& draw,
                    const exec::ProgramInfo& fragment,
                    SlotSource* slots,
                    HalfSlot* halves);

/// Replaces the halves of `count` records, `draw.record_stride` bytes apart, by their values.
void widen_halves(const DrawRecord& draw, uint8_t* records, uint32_t count);

}  // namespace valkyr::raster
