// Lane rows: transpose rows of 16 bytes, one a lane, into registers and back.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

#include <array>

namespace valkyr::jit {

using FourVecs = std::array<Temp, 4>;

/// The lane numbers of one register.
inline constexpr std::array<uint32_t, 16> kLaneNumbers = {0, 1, 2,  3,  4,  5,  6,  7,
                                                          8, 9, 10, 11, 12, 13, 14, 15};

/// The places of rows: the first at `base` + offset, each next one `stride` bytes further.
struct RowPlace {
    Gp base;  ///< advances with the rows
    int32_t offset;
    Gp stride;  ///< bytes, not changed
};

/// Loads word k of each lane's row into register k. Returns four new temporaries, uses eight during
/// the call.
FourVecs load_rows(EmitContext& c, const RowPlace& rows);

/// Like load_rows(), into these registers; uses four temporaries during the call.
void load_rows_to(EmitContext& c, const RowPlace& rows, const FourVecs& words);

/// Register k holds the rows of lanes k, 4 + k, 8 + k ..; afterwards it holds word k of each lane's
/// row. Uses four temporaries during the call.
void transpose_rows(EmitContext& c, const FourVecs& rows);

/// The inverse of load_rows(); needs five temporaries.
void store_rows(EmitContext& c, const RowPlace& rows, const FourVecs& words);

}  // namespace valkyr::jit
