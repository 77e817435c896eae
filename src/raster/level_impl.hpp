// All loops of one host level; see simd.hpp for what the including file must obey.
// SPDX-License-Identifier: MIT
#include "raster/level.hpp"
#include "raster/simd.hpp"

namespace valkyr::raster::VALKYR_LEVEL {
namespace {

// Each of these builds on the ones before it.
// clang-format off
#include "raster/level_front.hpp"
#include "raster/level_run.hpp"
#include "raster/level_reach.hpp"
#include "raster/level_setup.hpp"
#include "raster/level_coverage.hpp"
#include "raster/level_depth.hpp"
#include "raster/level_stipple.hpp"
#include "raster/level_batch.hpp"
#include "raster/level_walk.hpp"
#include "raster/level_blit.hpp"
// clang-format on

}  // namespace

extern const LevelOps kOps;
const LevelOps kOps{window_rows, cull, walk_run, blit_row};

}  // namespace valkyr::raster::VALKYR_LEVEL
