// Level of detail: computes it in binary32, each operation in the order of the definition.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/sampler_lod.hpp"

#include "tgsi/arith/arith_float.hpp"

#include <bit>
#include <cmath>

namespace valkyr::tgsi {

namespace {

float length_squared(const std::array<float, 3>& d,
                     const std::array<float, 3>& scale,
                     unsigned count) {
    float sum = 0;
    for (unsigned i = count; i-- > 0;) {
        const float texels = d[i] * scale[i];
        sum = i == count - 1 ? texels * texels : std::fma(texels, texels, sum);
    }
    if (!(sum > 0x1p-60F))  // also NaN
        return 0x1p-60F;
    return sum > 0x1p60F ? 0x1p60F : sum;
}

}  // namespace

Stretch stretch_of(const std::array<float, 3>& dx,
                   const std::array<float, 3>& dy,
                   const std::array<float, 3>& scale,
                   unsigned count) {
    const float x = length_squared(dx, scale, count);
    const float y = length_squared(dy, scale, count);
    return x >= y ? Stretch{x, y, dx} : Stretch{y, x, dy};
}

float half_log2(float x) {
    const auto bits = std::bit_cast<uint32_t>(x);
    const int exponent = static_cast<int>(bits >> 23) - 127;
    const float u = std::bit_cast<float>((bits & 0x007FFFFF) | 0x3F800000) - 1.0F;
    const float k1 = std::bit_cast<float>(0xBE230A9EU);
    const float k0 = std::bit_cast<float>(0x3ED881CFU);
    const float p = std::fma(std::fma(-u, u, u), std::fma(k1, u, k0), u);
    return 0.5F * (static_cast<float>(exponent) + p);
}

unsigned probe_count(const Stretch& stretch, unsigned limit) {
    const float ratio = std::sqrt(stretch.larger / stretch.smaller);
    if (!(ratio > 1))
        return 1;  // also where both lengths are 0
    const float probes = std::ceil(ratio - 0.25F);
    return probes < static_cast<float>(limit) ? static_cast<unsigned>(probes) : limit;
}

LevelPair choose_levels(int32_t lod, LevelFilter filter, uint32_t levels) {
    const auto last = static_cast<int32_t>(levels) - 1;
    LevelPair out;
    out.magnifies = lod <= 0;
    if (out.magnifies || filter == LevelFilter::None)
        return out;
    const int32_t level = filter == LevelFilter::Nearest ? (lod + 127) >> 8 : lod >> 8;
    const bool past = level >= last;
    out.first = static_cast<uint32_t>(past ? last : level);
    out.second = out.first;
    if (filter == LevelFilter::Linear && !past) {
        out.second = out.first + 1;
        out.weight = lod & 255;
    }
    return out;
}

int32_t limited_lod(float lambda, int32_t bias, const ReferenceSamplerState& sampler) {
    const float low = static_cast<float>(sampler.min_lod) / 256.0F;
    const float high = static_cast<float>(sampler.max_lod) / 256.0F;
    float lod = lambda + static_cast<float>(bias) / 256.0F;
    lod = lod > low ? lod : low;
    lod = lod < high ? lod : high;
    return static_cast<int32_t>(std::lrint(256.0F * lod));
}

int32_t fixed_lod(uint32_t lod_bits) {
    constexpr uint32_t k1Over16 = 0x3D800000;
    constexpr uint32_t k4096 = 0x45800000;
    const uint32_t t =
        arith::clamp(arith::mul(lod_bits, k1Over16), arith::kOne ^ arith::kNegZero, arith::kOne);
    return arith::to_int(arith::mul(t, k4096), arith::Round::Even);
}

}  // namespace valkyr::tgsi
