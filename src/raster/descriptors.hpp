// Descriptors that shaders see, made from API state.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/resource.hpp"
#include "valhall/isa/exec_abi.hpp"

namespace valkyr::raster {

/// errors  InvalidState: not a sampler (an enumerator out of range)
Result<exec::SamplerDescriptor> sampler_descriptor(const SamplerState& state);

/// A view as a descriptor. An empty view gives the descriptor of an unbound unit.
/// errors  InvalidState: another Device's texture, a level or layer that does not exist, a format
///         of another size
Result<exec::TextureDescriptor> texture_descriptor(const TextureView& view, const DeviceTag* owner);

/// Vertex element `element` in its buffer; nothing readable if the buffer is missing.
exec::AttributeDescriptor attribute_descriptor(const VertexElement& element,
                                               uint32_t stride,
                                               const BufferImpl* buffer,
                                               const BufferRange& range,
                                               uint32_t first_instance);

}  // namespace valkyr::raster
