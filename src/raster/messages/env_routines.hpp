// Message routines: declares the routines by name, for environment.cpp and for tests.
// SPDX-License-Identifier: MIT
//
// The comments of exec::Environment are their contracts. All accept any descriptor, handle and
// coordinate: reads without a source give 0, writes without a target are dropped.
#pragma once

#include "exec/abi.hpp"

namespace valkyr::raster {

using exec::Lanes;
using exec::Warp;

void env_attribute(const Warp& warp,
                   const exec::AttributeMessage& message,
                   const Lanes& vertex_id,
                   const Lanes& instance_id,
                   Lanes* out) noexcept;

void env_varying(const Warp& warp,
                 const exec::VaryingMessage& message,
                 const Lanes& coverage,
                 const Lanes& position,
                 Lanes* out) noexcept;
void env_varying_special(const Warp& warp,
                         uint32_t index,
                         exec::SampleMode sample,
                         const Lanes& position,
                         Lanes* out) noexcept;

void env_texture(const Warp& warp,
                 const exec::TextureMessage& message,
                 const Lanes* in,
                 Lanes* out) noexcept;

void env_image_load(const Warp& warp,
                    const exec::ImageMessage& message,
                    const Lanes& xy,
                    const Lanes& zw,
                    Lanes* out) noexcept;
void env_image_address(const Warp& warp,
                       const exec::ImageMessage& message,
                       const Lanes& xy,
                       const Lanes& zw,
                       Lanes* out) noexcept;
void env_convert_store(const Warp& warp,
                       exec::RegisterFormat format,
                       uint8_t components,
                       const Lanes& address_low,
                       const Lanes& address_high,
                       uint32_t offset,
                       const Lanes& conversion,
                       const Lanes* in) noexcept;

void env_early_zs(const Warp& warp, Lanes& coverage) noexcept;
void env_atest(const Warp& warp,
               const Lanes& coverage,
               const Lanes& alpha,
               uint64_t datum,
               Lanes* out) noexcept;
void env_zs_emit(const Warp& warp,
                 const Lanes* depth,
                 const Lanes* stencil,
                 const Lanes& coverage,
                 Lanes* out) noexcept;

void env_blend(const Warp& warp,
               const exec::BlendMessage& message,
               uint64_t descriptor,
               const Lanes& coverage,
               const Lanes* in,
               const Lanes* in1) noexcept;
void env_tile_load(const Warp& warp,
                   const exec::TileMessage& message,
                   const Lanes& indices,
                   const Lanes& coverage,
                   Lanes* out) noexcept;
void env_tile_store(const Warp& warp,
                    const exec::TileMessage& message,
                    const Lanes& indices,
                    const Lanes& coverage,
                    const Lanes* in) noexcept;

}  // namespace valkyr::raster
