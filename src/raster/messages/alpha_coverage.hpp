// Alpha coverage: the samples that alpha to coverage keeps (GL 4.6 section 17.3.1).
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace valkyr::raster {

/// Returns the mask of the first round(alpha * samples) samples.
inline uint32_t alpha_coverage(float alpha, unsigned samples) {
    const float limited = alpha > 0 ? std::min(alpha, 1.0F) : 0.0F;
    const long count = std::lrint(limited * static_cast<float>(samples));
    return static_cast<uint32_t>(bit_mask(0, static_cast<unsigned>(count)));
}

}  // namespace valkyr::raster
