// All loops of one host level; see simd.hpp for what the including file must obey.
// SPDX-License-Identifier: MIT
#include "raster/loops/level.hpp"
#include "raster/loops/simd.hpp"

namespace valkyr::raster::VALKYR_LEVEL {
namespace {

// Each of these builds on the ones before it.
// clang-format off
#include "raster/loops/level_front.hpp"
#include "raster/loops/level_run.hpp"
#include "raster/loops/level_reach.hpp"
#include "raster/loops/level_setup.hpp"
#include "raster/loops/level_coverage.hpp"
#include "raster/loops/level_depth.hpp"
#include "raster/loops/level_stipple.hpp"
#include "raster/loops/level_batch.hpp"
#include "raster/loops/level_walk.hpp"
#include "raster/loops/level_blit.hpp"
// clang-format on

}  // namespace

extern const LevelOps kOps;
const LevelOps kOps{window_rows, cull, walk_run, blit_row};

}  // namespace valkyr::raster::VALKYR_LEVEL
