// Image place: computes the addresses of the texels that an image message names.
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
    std::optional<uint32_t> index;  ///< nullopt: a run-time handle, see stage_image_handle()
    uint32_t count = 0;             ///< run-time handle: number of units that it may name

    /// Bytes from the descriptors of image_descriptors() to the unit's; 0 if it is not known.
    [[nodiscard]] int32_t offset() const {
        return static_cast<int32_t>(index.value_or(0) * sizeof(exec::ImageDescriptor));
    }
    /// A member of the unit's descriptor.
    [[nodiscard]] Address member(Gp descriptors, size_t of_descriptor) const {
        return {descriptors, offset() + static_cast<int32_t>(of_descriptor)};
    }
};

/// The address of the descriptors of all units.
Scalar image_descriptors(EmitContext& c);

/// The unit of a known handle.
std::optional<ImageUnit> find_image_unit(const KernelSource& c, uint32_t handle);

/// The unit for a run-time handle, if the key describes all units alike.
std::optional<ImageUnit> find_common_unit(const KernelSource& c);

/// Stores the handle, a uniform source, in the frame for find_texels().
void stage_image_handle(EmitContext& c, unsigned source);

/// The texels of the part's lanes.
struct ImagePlace {
    Scalar table;     ///< address of the descriptors
    int32_t at;       ///< of the unit's descriptor in the table
    Temp offset;      ///< bytes from the first texel; of lanes that are not inside anything below
                      ///< 2^31
    TempMask inside;  ///< lanes whose texel exists
    TempMask found;   ///< run-time handle: all lanes, or none if it names no unit

    [[nodiscard]] Address member(size_t of_descriptor) const {
        return {table, at + static_cast<int32_t>(of_descriptor)};
    }
};

/// Computes the place from the coordinates, sources 0 and 1 of the message (env_image.cpp). Uses
/// six temporaries during the call and emits no jump.
ImagePlace find_texels(EmitContext& c, const ImageUnit& unit);

/// Goes from the unit's descriptor to its texels.
void enter_image(EmitContext& c, ImagePlace& place);
/// Gathers a word of the texels.
void gather_word(EmitContext& c, const ImagePlace& place, Vec texels, unsigned word);
/// Gathers texels of one word. Uses six temporaries.
void gather_texels(EmitContext& c, const ImageUnit& unit, Vec texels);

}  // namespace valkyr::jit
