// Tessellator: divides the domain of a patch, as docs/rules/tessellation.md says.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::reference {

/// A place in the domain, in 1/65536.
struct DomainPoint {
    uint32_t u = 0;
    uint32_t v = 0;
};

struct Division {
    std::vector<DomainPoint> points;
    std::vector<std::vector<uint32_t>> primitives;  ///< numbers of the corners' points
};

/// Divides a domain by levels of any bits. A patch that is culled has neither points nor
/// primitives.
Division
divide(const exec::TessellationInfo& rules, std::array<float, 4> outer, std::array<float, 2> inner);

}  // namespace valkyr::reference
