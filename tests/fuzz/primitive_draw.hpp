// Primitive draw: draws with random shaders, and reads all that the draw leaves.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::fuzz {

using Words = std::vector<uint32_t>;

/// A draw into two small targets of integers, which keep the flat words GENERIC[0] and GENERIC[1]
/// of the last shader before rasterization. The vertex shader gives POSITION and both, of any bits.
struct PrimitiveDraw {
    std::string control;     ///< TGSI; empty: none
    std::string evaluation;  ///< TGSI; empty: none
    std::string geometry;    ///< TGSI; empty: none
    raster::Primitive primitive = raster::Primitive::Patches;
    raster::DrawInfo info;
    std::vector<uint16_t> indices;  ///< empty: none
    bool provoking_first = false;
    bool discards = false;  ///< nothing is rasterized
    std::array<float, 4> outer{};
    std::array<float, 2> inner{};
    raster::StreamOutputState captured;
    std::array<uint32_t, raster::kMaxStreamTargets> stream_words{};  ///< room in each slot
};

/// Draws, and returns the texels of both targets, four words that the evaluation shader counts in
/// (BUFFER[0]), and each slot's position and words.
Words draw_primitives(raster::Device& device, const PrimitiveDraw& draw);

}  // namespace valkyr::fuzz
