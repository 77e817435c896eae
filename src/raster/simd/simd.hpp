// Vector types: select the sixteen-lane types of a host level.
// SPDX-License-Identifier: MIT
//
// Included only by the level files (level_*.cpp), each of which defines VALKYR_LEVEL (generic,
// avx2, avx512 or neon) and is compiled for that instruction set. All that such a file defines
// lives in a namespace of its level, and nothing with external linkage from elsewhere may be
// instantiated there (no standard library templates): the linker could pick that copy for every
// host.
#pragma once

#include "raster/data/batch.hpp"

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(VALKYR_NEON_LOOPS)
#include <arm_neon.h>
#endif

namespace valkyr::raster::VALKYR_LEVEL {

/// Clamp range of edge constants inside a tile (docs/rules/raster-rules.md).
inline constexpr int64_t kEdgeMin = -(int64_t{1} << 30);
inline constexpr int64_t kEdgeMax = (int64_t{1} << 30) - 1;

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "raster/simd/simd_avx512.inl"
#elif defined(__AVX2__) && defined(__FMA__)
#include "raster/simd/simd_avx2.inl"
#elif defined(VALKYR_NEON_LOOPS)
#include "raster/simd/simd_neon.inl"
#else
#include "raster/simd/simd_generic.inl"
#endif

/// 0, 1, ... 15.
inline I32 lane_numbers() {
    alignas(64) static constexpr int32_t kLanes[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                       8, 9, 10, 11, 12, 13, 14, 15};
    return I32::load(kLanes);
}

}  // namespace valkyr::raster::VALKYR_LEVEL
