// Conversion level: includes the conversion; simd.hpp has the rules for the including file.
// SPDX-License-Identifier: MIT
#include "exec/srgb_steps.hpp"
#include "raster/convert/convert.hpp"
#include "raster/simd/simd.hpp"

namespace valkyr::raster::VALKYR_LEVEL {
namespace {

// Each of these builds on the ones before it.
// clang-format off
#include "raster/convert/convert_codes.inl"
#include "raster/convert/convert_texels.inl"
#include "raster/convert/convert_filter.inl"
#include "raster/convert/convert_tiles.inl"
// clang-format on

}  // namespace

extern const ConvertTiles kConvertTiles;
const ConvertTiles kConvertTiles = convert_tiles;

}  // namespace valkyr::raster::VALKYR_LEVEL
