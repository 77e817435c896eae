// Level of detail: computes mip levels and anisotropic probes from differences in the quad.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/sampling.md "Level of detail" (after GL 4.6 section 8.14.1). Arithmetic is
// binary32, every operation rounded once.
#pragma once

#include "exec/abi.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Texture coordinates of a warp.
struct WarpCoordinates {
    std::array<exec::Lanes, 3> c;  ///< binary32 bits
    exec::Lanes face;              ///< cube face; 0 for other kinds
    unsigned count = 0;            ///< 1..3
    uint16_t running = 0;
};

/// The footprint of a lane's pixel in the base level.
struct Footprint {
    float rho_squared_max;  ///< in [2^-60, 2^60]
    float rho_squared_min;
    std::array<float, 3> longer;  ///< difference of the coordinates along the longer axis
};

/// Computes the footprint of a lane's pixel.
/// scale  size of the base level in texels (1 for coordinates that count texels)
Footprint
footprint_of(const WarpCoordinates& at, const std::array<float, 3>& scale, unsigned lane) noexcept;

/// Returns the largest rho^2 of the running lanes in a lane's quad, which cube maps use.
float quad_rho_squared(const WarpCoordinates& at,
                       const std::array<float, 3>& scale,
                       unsigned lane) noexcept;

/// Returns half the base-2 logarithm of a positive normal number, within 0.0005: monotonic, and
/// exact at powers of two.
float half_log2(float x) noexcept;

/// Returns the probes of an anisotropic filter: rho_max / rho_min minus a quarter, rounded up, at
/// most `limit` (1..16).
unsigned probe_count(const Footprint& footprint, unsigned limit) noexcept;

/// Returns 256 * (lambda + bias / 256), clamped to the sampler's range and rounded to the nearest
/// integer.
/// bias     sum of the biases in 1/256
/// minimum  further lower bound in 1/256, 0 = none
int32_t fixed_lod(float lambda,
                  int32_t bias,
                  int32_t minimum,
                  const exec::SamplerDescriptor& sampler) noexcept;

/// Mipmap levels that a lane samples: one, or two with a weight.
struct LevelChoice {
    bool magnify;     ///< the magnification filter applies
    uint32_t level;   ///< relative to the view's first level
    uint32_t second;  ///< next level; used only if weight > 0
    int32_t weight;   ///< weight of the second level, 0..255 in 1/256
};

/// mip_filter  Linear blends two levels, Nearest takes one, None takes level 0
/// lod         result of fixed_lod()
LevelChoice choose_levels(int32_t lod, exec::MipFilter mip_filter, uint32_t level_count) noexcept;

}  // namespace valkyr::raster
