// Descriptors: makes what shaders see of textures, samplers and buffers from API state.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/resource/resource.hpp"

namespace valkyr::raster {

/// errors  InvalidState: not a sampler (an enumerator out of range)
Result<exec::SamplerDescriptor> sampler_descriptor(const SamplerState& state);

/// A view as a descriptor. An empty view gives the descriptor of an unbound unit.
/// errors  InvalidState: another Device's texture, a level or layer that does not exist, a format
///         of another size
Result<exec::TextureDescriptor> texture_descriptor(const TextureView& view, const DeviceTag* owner);

/// An image as a descriptor. An empty view gives the descriptor of an unbound unit.
/// errors  InvalidState: as texture_descriptor(), or a format that is no colour target's;
///         OutOfRange: an offset behind the buffer
Result<exec::ImageDescriptor> image_descriptor(const ImageView& view, const DeviceTag* owner);

/// A shader buffer or a buffer of counters; size 0 if the range has no buffer.
/// errors  InvalidState: another Device's buffer, an offset that is no multiple of 4;
///         OutOfRange: an offset behind the buffer
Result<exec::BufferDescriptor> storage_descriptor(const BufferRange& range, const DeviceTag* owner);

/// Vertex element `element` in its buffer; nothing readable if the buffer is missing.
exec::AttributeDescriptor attribute_descriptor(const VertexElement& element,
                                               uint32_t stride,
                                               const BufferImpl* buffer,
                                               const BufferRange& range,
                                               uint32_t first_instance);

}  // namespace valkyr::raster
