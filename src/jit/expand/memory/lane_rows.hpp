// Lane rows: transpose rows of 16 bytes, one a lane, into registers and back.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

#include <array>

namespace valkyr::jit {

using FourVecs = std::array<Temp, 4>;

/// For the lanes of one register.
inline constexpr std::array<uint32_t, 16> kLaneNumbers = {0, 1, 2,  3,  4,  5,  6,  7,
                                                          8, 9, 10, 11, 12, 13, 14, 15};

/// The places of rows: the first at `base` + offset, the next ones `stride` bytes apart.
struct RowPlace {
    Gp base;  ///< moves on with the rows
    int32_t offset;
    Gp stride;  ///< bytes, kept
};

/// Word k of the row of each lane into register k: four new temporaries, eight meanwhile.
FourVecs load_rows(EmitContext& c, const RowPlace& rows);

/// Register k has the rows of lanes k, 4 + k, 8 + k ..; afterwards it has word k of the row of each
/// lane. Four temporaries meanwhile.
void transpose_rows(EmitContext& c, const FourVecs& rows);

/// The inverse of load_rows(); needs five temporaries.
void store_rows(EmitContext& c, const RowPlace& rows, const FourVecs& words);

}  // namespace valkyr::jit
