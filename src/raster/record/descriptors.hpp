// Descriptors: describe textures, samplers and buffers to shaders, from API state.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/resource/resource.hpp"

namespace valkyr::raster {

/// errors  InvalidState: not a sampler (an enumerator out of range)
Result<exec::SamplerDescriptor> sampler_descriptor(const SamplerState& state);

/// Returns the descriptor of a view; an empty view gives the descriptor of an unbound unit.
/// errors  InvalidState: another Device's texture, a level or layer that does not exist, a format
///         of another size
Result<exec::TextureDescriptor> texture_descriptor(const TextureView& view, const DeviceTag* owner);

/// Kinds of copies that programs may read (resource/filter_copy.hpp).
struct WantedCopies {
    bool decoded = false;
    bool footprints = false;
};

/// Returns the descriptor of a view as programs should read it: with the texture's copy for
/// filters if it has one that is wanted, else texture_descriptor(). Programs read the same texels;
/// borders are those of a float format in a copy of decoded texels.
/// errors  as texture_descriptor()
Result<exec::TextureDescriptor>
filter_descriptor(const TextureView& view, const DeviceTag* owner, WantedCopies wanted);

/// Returns the descriptor of an image; an empty view gives the descriptor of an unbound unit.
/// errors  InvalidState: as texture_descriptor(), or a format that is no colour target's;
///         OutOfRange: an offset behind the buffer
Result<exec::ImageDescriptor> image_descriptor(const ImageView& view, const DeviceTag* owner);

/// Returns the descriptor of a shader buffer or a counter buffer; size 0 if the range has no
/// buffer.
/// errors  InvalidState: another Device's buffer, an offset that is no multiple of 4;
///         OutOfRange: an offset behind the buffer
Result<exec::BufferDescriptor> storage_descriptor(const BufferRange& range, const DeviceTag* owner);

/// Returns the descriptor of vertex element `element`; nothing is readable if the buffer is
/// missing.
exec::AttributeDescriptor attribute_descriptor(const VertexElement& element,
                                               uint32_t stride,
                                               const BufferImpl* buffer,
                                               const BufferRange& range,
                                               uint32_t first_instance);

}  // namespace valkyr::raster
