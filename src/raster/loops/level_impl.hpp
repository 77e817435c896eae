// Host level: includes all loops of one level; simd.hpp has the rules for the including file.
// SPDX-License-Identifier: MIT
#include "base/prefetch.hpp"
#include "raster/loops/level.hpp"
#include "raster/simd/simd.hpp"

namespace valkyr::raster::VALKYR_LEVEL {
namespace {

// Each file needs the ones before it.
// clang-format off
#include "raster/loops/level_front.inl"
#include "raster/loops/level_place.inl"
#include "raster/loops/level_packet.inl"
#include "raster/loops/level_reach.inl"
#include "raster/loops/level_setup.inl"
#include "raster/loops/level_coverage.inl"
#include "raster/loops/level_depth.inl"
#include "raster/loops/level_stipple.inl"
#include "raster/loops/level_slots.inl"
#include "raster/loops/level_pack.inl"
#include "raster/loops/level_batch.inl"
#include "raster/loops/level_walk.inl"
#include "raster/loops/level_quads.inl"
#include "raster/loops/level_lines.inl"
// clang-format on

}  // namespace

extern const HostLoops kOps;
const HostLoops kOps{window_rows, mix_records, cull, place_lines, cull_lines, walk_primitives};

}  // namespace valkyr::raster::VALKYR_LEVEL
