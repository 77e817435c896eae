// ATEST datum: packs the state that ATEST tests with in a 64-bit word.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/descriptors.hpp"

#include <bit>
#include <cstdint>

namespace valkyr::exec {

/// The operand of ATEST (docs/rules/isa-notes.md, section "ATEST").
struct AtestDatum {
    bool alpha_to_coverage = false;  ///< bit 0
    bool late_test = false;          ///< bit 1: ATEST runs the depth and stencil tests
    bool alpha_to_one = false;       ///< bit 2
    uint8_t samples = 1;             ///< bits 12..8
    CompareFunc alpha_func = CompareFunc::Always;  ///< bits 18..16
    float alpha_reference = 0;                     ///< bits 63..32
};

/// Byte of the word at which alpha_reference lies.
inline constexpr uint32_t kAlphaReferenceByte = 4;

constexpr uint64_t pack(const AtestDatum& datum) {
    return uint64_t{datum.alpha_to_coverage} | uint64_t{datum.late_test} << 1 |
           uint64_t{datum.alpha_to_one} << 2 | uint64_t{datum.samples} << 8 |
           static_cast<uint64_t>(datum.alpha_func) << 16 |
           uint64_t{std::bit_cast<uint32_t>(datum.alpha_reference)} << 32;
}

constexpr AtestDatum unpack_atest_datum(uint64_t word) {
    return {.alpha_to_coverage = (word & 1) != 0,
            .late_test = (word >> 1 & 1) != 0,
            .alpha_to_one = (word >> 2 & 1) != 0,
            .samples = static_cast<uint8_t>(word >> 8 & 0x1F),
            .alpha_func = static_cast<CompareFunc>(word >> 16 & 7),
            .alpha_reference = std::bit_cast<float>(static_cast<uint32_t>(word >> 32))};
}

}  // namespace valkyr::exec
