// Curve lookup: applies the tables of exec/srgb.hpp.
// SPDX-License-Identifier: MIT
#include "raster/formats/srgb.hpp"

#include "exec/srgb.hpp"

#include <algorithm>

namespace valkyr::raster {

uint32_t srgb_to_linear(uint8_t code) noexcept {
    return exec::kSrgbLinear[code];
}

uint8_t linear_to_srgb(uint32_t bits) noexcept {
    const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
    if (is_nan || bits >> 31)
        return 0;
    const auto* above =
        std::upper_bound(exec::kSrgbThreshold.begin(), exec::kSrgbThreshold.end(), bits);
    return static_cast<uint8_t>(above - exec::kSrgbThreshold.begin());
}

}  // namespace valkyr::raster
