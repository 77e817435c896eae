// Kernel cases: copy warps out of the calls of a kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"

#include <cstdint>
#include <memory>

namespace valkyr::debug {

/// The program and state that a kernel was made from.
struct KernelOrigin {
    std::shared_ptr<const valhall::Program> program;
    exec::VertexKey vertex;
    exec::FragmentKey fragment;
};

/// A case with the tables of a draw, and no lanes. Textures and buffers stay in the device.
std::unique_ptr<WarpCase> draw_case(const KernelOrigin& origin, const exec::DrawContext& draw);
/// The warp that begins with vertex, or pair, `first` of a call.
std::unique_ptr<WarpCase>
vertex_case(const KernelOrigin& origin, const exec::VertexCall& call, uint32_t first);
std::unique_ptr<WarpCase>
geometry_case(const KernelOrigin& origin, const exec::GeometryCall& call, uint32_t first);
/// The warp of block number `index` of a call.
std::unique_ptr<WarpCase>
fragment_case(const KernelOrigin& origin, const exec::FragmentCall& call, uint32_t index);
/// A work-group of a tessellation control, or evaluation, program.
/// vertices  of a patch that the program reads
std::unique_ptr<WarpCase> control_case(const KernelOrigin& origin,
                                       const exec::ComputeCall& call,
                                       uint64_t group,
                                       uint32_t vertices);
std::unique_ptr<WarpCase> points_case(const KernelOrigin& origin,
                                      const exec::ComputeCall& call,
                                      uint64_t group,
                                      uint32_t vertices);

/// gl_PrimitiveID of a patch of a call.
uint32_t patch_id(const exec::ComputeCall& call, uint32_t patch);
/// A point of a call of an evaluation program.
exec::DomainPoint point_of(const exec::ComputeCall& call, uint64_t number);

}  // namespace valkyr::debug
