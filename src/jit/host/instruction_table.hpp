// Instruction tables: check that every lane-vector operation has its row.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

namespace valkyr::jit {

/// True if every operation below `count` has a row, in the order of the enumeration.
template <typename Row, size_t N, typename Op>
constexpr bool is_complete(const std::array<Row, N>& rows, Op count) {
    if (N != static_cast<size_t>(count))
        return false;
    for (size_t i = 0; i < N; ++i)
        if (static_cast<size_t>(rows[i].op) != i)
            return false;
    return true;
}

}  // namespace valkyr::jit
