// Image place: finds the texels that the lanes of an image message name.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/environment.hpp"
#include "jit/context/emit_context.hpp"

#include <cstddef>

namespace valkyr::jit {

/// An image unit that the key describes, in a format whose channels are fields.
struct ImageUnit {
    exec::ImageKey key;
    const exec::FormatInfo* info;
    std::optional<uint32_t> index;  ///< none: the handle of run time says, see stage_image_handle()
    uint32_t count = 0;             ///< run-time handle: units that it may name
};

/// The unit of a known handle.
std::optional<ImageUnit> find_image_unit(const KernelSource& c, uint32_t handle);

/// Any unit that a run-time handle may name, if the key says the same of all units.
std::optional<ImageUnit> find_common_unit(const KernelSource& c);

/// Puts the handle, a uniform source, in the frame, where find_texels() looks for it.
void stage_image_handle(EmitContext& c, unsigned source);

/// Texels of the part's lanes.
struct ImagePlace {
    Scalar table;     ///< address of the descriptors
    int32_t at;       ///< of the unit's descriptor in the table
    Temp offset;      ///< bytes from the first texel; of lanes that are not inside anything below
                      ///< 2^31
    TempMask inside;  ///< lanes whose texels exist
    TempMask found;   ///< run-time handle: all lanes, or none if it names no unit

    [[nodiscard]] Address member(size_t of_descriptor) const {
        return {table, at + static_cast<int32_t>(of_descriptor)};
    }
};

/// Finds the texels by the coordinates, sources 0 and 1 of the message (env_image.cpp). Takes six
/// temporaries meanwhile and jumps nowhere.
ImagePlace find_texels(EmitContext& c, const ImageUnit& unit);

}  // namespace valkyr::jit
