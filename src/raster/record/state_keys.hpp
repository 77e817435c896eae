// Kernel keys: make the state keys of kernels from API state.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/resource/targets.hpp"

#include <span>

namespace valkyr::raster {

/// Everything of the key but textures and samplers. `constant_w` is left false.
exec::FragmentKey fragment_key(const PipelineDesc& pipeline,
                               const exec::ProgramInfo& info,
                               const PassTargets& targets);

/// Makes the kernel count the samples that pass. They are counted where depth and stencil are
/// tested, so that place must come after all that the shader does to coverage.
void count_samples(const PipelineDesc& pipeline,
                   const exec::ProgramInfo& info,
                   exec::FragmentKey& key);

/// Points, or triangles both of whose faces are drawn as points.
bool draws_points_only(const PipelineDesc& pipeline);
/// Whether a pipeline draws points whose coordinate takes the place of this varying
/// (RasterizerState::sprite_texcoords).
bool is_sprite_slot(const exec::VaryingSlot& slot, const PipelineDesc& pipeline);

exec::VertexKey vertex_key(const PipelineDesc& pipeline, const exec::ProgramInfo& info);

/// How one unit enters a key.
exec::TextureKey texture_key(const exec::TextureDescriptor& texture);
exec::ImageKey image_key(const exec::ImageDescriptor& image);

/// Whether depth and stencil are tested before shading.
bool tests_early(const PipelineDesc& pipeline, const exec::ProgramInfo& info);

/// Whether drawing can change depth, or stencil.
bool writes_depth(const DepthStencilState& state);
bool writes_stencil(const DepthStencilState& state);

}  // namespace valkyr::raster
