// Level of detail: finds the footprint and the mipmap levels of a sample.
// SPDX-License-Identifier: MIT
#include "raster/messages/texture_lod.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/lod_rule.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

constexpr float kSmallest = as_float(exec::kSmallestFootprint);
constexpr float kLargest = as_float(exec::kLargestFootprint);

using Difference = std::array<float, 3>;

/// Returns c(lane ^ step) - c(lane); 0 if that lane does not run or samples another cube face.
Difference difference(const WarpCoordinates& at, unsigned lane, unsigned step) {
    const unsigned other = lane ^ step;
    Difference d{};
    if (!(at.running >> other & 1) || at.face.v[other] != at.face.v[lane])
        return d;
    for (unsigned i = 0; i < at.count; ++i)
        d[i] = as_float(at.c[i].v[other]) - as_float(at.c[i].v[lane]);
    return d;
}

/// Returns the squared length in texels, summed from the last coordinate, clamped; a NaN counts as
/// the smallest value.
float squared_length(const Difference& d, const std::array<float, 3>& scale, unsigned count) {
    const float last = d[count - 1] * scale[count - 1];
    float sum = last * last;
    for (unsigned i = count - 1; i-- > 0;) {
        const float scaled = d[i] * scale[i];
        sum = std::fma(scaled, scaled, sum);
    }
    const float at_least = sum > kSmallest ? sum : kSmallest;
    return std::min(at_least, kLargest);
}

}  // namespace

Footprint
footprint_of(const WarpCoordinates& at, const std::array<float, 3>& scale, unsigned lane) noexcept {
    const Difference dx = difference(at, lane, 1);
    const Difference dy = difference(at, lane, 2);
    const float x = squared_length(dx, scale, at.count);
    const float y = squared_length(dy, scale, at.count);
    if (x >= y)
        return {x, y, dx};
    return {y, x, dy};
}

float quad_rho_squared(const WarpCoordinates& at,
                       const std::array<float, 3>& scale,
                       unsigned lane) noexcept {
    float largest = kSmallest;
    for (unsigned i = lane & ~3U; i < (lane & ~3U) + 4; ++i)
        if (at.running >> i & 1)
            largest = std::max(largest, footprint_of(at, scale, i).rho_squared_max);
    return largest;
}

float half_log2(float x) noexcept {
    const uint32_t bits = as_bits(x);
    const auto exponent = static_cast<float>(static_cast<int>(bits >> 23) - 127);
    const float u = as_float((bits & 0x7FFFFF) | float_bits::kOne) - 1.0F;
    // log2(1 + u) = u + (u - u^2) * (k0 + k1 * u), exact at both ends of [0, 1].
    const float correction =
        std::fma(as_float(exec::kLog2Polynomial1), u, as_float(exec::kLog2Polynomial0));
    const float logarithm = std::fma(std::fma(-u, u, u), correction, u);
    return 0.5F * (exponent + logarithm);
}

unsigned probe_count(const Footprint& footprint, unsigned limit) noexcept {
    const float ratio = std::sqrt(footprint.rho_squared_max / footprint.rho_squared_min);
    // A ratio that is NaN (0 / 0) gives one probe.
    const float probes = ratio > 1 ? std::ceil(ratio - 0.25F) : 1;
    return static_cast<unsigned>(std::min(probes, static_cast<float>(limit)));
}

int32_t fixed_lod(float lambda,
                  int32_t bias,
                  int32_t minimum,
                  const exec::SamplerDescriptor& sampler) noexcept {
    int32_t low = sampler.min_lod;
    if (minimum != 0)
        low = std::max(low, minimum);
    const float biased = lambda + static_cast<float>(bias) / 256;
    const float limited = std::min(std::max(biased, static_cast<float>(low) / 256),
                                   static_cast<float>(sampler.max_lod) / 256);
    return static_cast<int32_t>(std::lrint(256 * limited));
}

LevelChoice choose_levels(int32_t lod, exec::MipFilter mip_filter, uint32_t level_count) noexcept {
    const bool magnify = lod <= 0;
    const uint32_t last = level_count - 1;
    if (magnify || mip_filter == exec::MipFilter::None)
        return {magnify, 0, 0, 0};
    if (mip_filter == exec::MipFilter::Nearest)
        return {false, std::min(static_cast<uint32_t>(lod + 127) >> 8, last), 0, 0};
    const uint32_t level = static_cast<uint32_t>(lod) >> 8;
    if (level >= last)
        return {false, last, last, 0};
    return {false, level, level + 1, lod & 255};
}

}  // namespace valkyr::raster
