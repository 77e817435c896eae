// State keys: make the keys of kernels from API state.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// Returns the key without textures and samplers. `constant_w` is false.
exec::FragmentKey fragment_key(const PipelineDesc& pipeline,
                               const exec::ProgramInfo& info,
                               const PassTargets& targets);

/// Makes the kernel count the samples that pass. Depth and stencil tests count them, so these tests
/// must follow everything that the shader does to coverage.
void count_samples(const PipelineDesc& pipeline,
                   const exec::ProgramInfo& info,
                   exec::FragmentKey& key);

/// Returns whether a pipeline draws points, or triangles both of whose faces are drawn as points.
bool draws_points_only(const PipelineDesc& pipeline);
/// Returns whether a pipeline draws points whose coordinate replaces this varying
/// (RasterizerState::sprite_texcoords).
bool is_sprite_slot(const exec::VaryingSlot& slot, const PipelineDesc& pipeline);

/// fragment  of the pipeline; null: it has no fragment program
exec::VertexKey vertex_key(const PipelineDesc& pipeline,
                           const exec::ProgramInfo& info,
                           const exec::ProgramInfo* fragment);

/// Return the part of a key that one unit gives.
exec::TextureKey texture_key(const exec::TextureDescriptor& texture);
exec::ImageKey image_key(const exec::ImageDescriptor& image);

/// Returns whether depth and stencil are tested before shading.
bool tests_early(const PipelineDesc& pipeline, const exec::ProgramInfo& info);

/// Return whether drawing can change depth, or stencil.
bool writes_depth(const DepthStencilState& state);
bool writes_stencil(const DepthStencilState& state);

}  // namespace valkyr::raster
