// Cross-lane arithmetic: the lane that CLPER reads, its value for an inactive lane, WMASK.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "valhall/isa/isa.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace valkyr::valhall::arith {

/// The value CLPER returns in place of a lane that does not run, by InactiveResult.
inline constexpr std::array<uint32_t, 16> kInactiveResult = {
    0x00000000, 0xFFFFFFFF, 0x00000001, 0x00010001, 0x80000000, 0x7FFFFFFF, 0x80008000, 0x7FFF7FFF,
    0x80808080, 0x7F7F7F7F, 0x3F800000, 0x3C003C00, 0xFF800000, 0x7F800000, 0xFC00FC00, 0x7C007C00};

/// Lanes of a subgroup, from its encoding.
constexpr unsigned subgroup_lanes(SubgroupSize size) {
    return 2U << static_cast<unsigned>(size);
}

/// The lane from which lane `lane` takes its data, or nothing when there is no such lane.
/// operand  the lane operand of CLPER as lane `lane` sees it
constexpr std::optional<unsigned>
clper_source(unsigned lane, uint32_t operand, unsigned subgroup, LaneOperation operation) {
    const unsigned base = lane & ~(subgroup - 1);
    const unsigned k = lane & (subgroup - 1);
    switch (operation) {
    case LaneOperation::none: return base + (operand & (subgroup - 1));
    case LaneOperation::xor_: return base + (k ^ (operand & (subgroup - 1)));
    case LaneOperation::accumulate:  // the last lane of the block of `operand` lanes before
        if (!(k & operand) || !std::has_single_bit(operand))
            return std::nullopt;
        return base + ((k & ~(2 * operand - 1)) | (operand - 1));
    case LaneOperation::shift:
        if (operand > k)
            return std::nullopt;
        return base + (k - operand);
    }
    return std::nullopt;
}

/// WMASK as lane `lane` sees it: the `nonzero` lanes of its subgroup, numbered from its base.
constexpr uint32_t subgroup_mask(unsigned lane, uint16_t nonzero, unsigned subgroup) {
    const unsigned base = lane & ~(subgroup - 1);
    return static_cast<uint32_t>(nonzero) >> base & ((1U << subgroup) - 1);
}

}  // namespace valkyr::valhall::arith
