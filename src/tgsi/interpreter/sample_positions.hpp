// Sample positions: lists the standard ones of multisample targets.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::tgsi {

/// Position of a sample inside its pixel, x and y in 0..1 as float bits; y with the rows. Sample
/// counts other than 2, 4, 8, 16 and samples that are not there: the centre.
std::array<uint32_t, 2> sample_position_of(uint32_t samples, uint32_t sample);

}  // namespace valkyr::tgsi
