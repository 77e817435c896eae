// Level of detail: computes it, and the anisotropy, for the reference sampler.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/sampling/reference_sampler.hpp"

#include <array>
#include <cstdint>

namespace valkyr::tgsi {

/// How far the coordinates of neighbouring pixels are from each other, in texels of level 0.
struct Stretch {
    float larger = 0;                  ///< squared length of the longer difference
    float smaller = 0;                 ///< of the shorter one
    std::array<float, 3> direction{};  ///< the longer difference, in coordinates
};

/// From the differences along x and y; `scale`: texels a coordinate unit; `count`: coordinates.
Stretch stretch_of(const std::array<float, 3>& dx,
                   const std::array<float, 3>& dy,
                   const std::array<float, 3>& scale,
                   unsigned count);

/// Half the binary logarithm of a number in 2^-60..2^60, by the project's polynomial.
float half_log2(float x);

/// Probes of an anisotropic filter: how much longer the longer difference is, less a quarter,
/// rounded up, at most the limit.
unsigned probe_count(const Stretch& stretch, unsigned limit);

/// Levels that are read.
struct LevelPair {
    bool magnifies = false;
    uint32_t first = 0;
    uint32_t second = 0;
    int32_t weight = 0;  ///< of the second, in 1/256
};

/// lod: in 1/256, limited; levels > 0.
LevelPair choose_levels(int32_t lod, LevelFilter filter, uint32_t levels);

/// The level of detail with biases (1/256), limited to the sampler's range, in 1/256.
int32_t limited_lod(float lambda, int32_t bias, const ReferenceSamplerState& sampler);

}  // namespace valkyr::tgsi
