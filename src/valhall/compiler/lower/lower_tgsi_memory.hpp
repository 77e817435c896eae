// Memory lowering: computes addresses of buffers, counters and images, for its .cpp files.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {

/// A driver value of unit `index`; a computed index chooses among the units that are declared.
/// limit  units of the file; an error if a number is not below it
Operand unit_value(Lowering& l,
                   exec::DriverValue value,
                   tgsi::File file,
                   const tgsi::RegisterIndex& index,
                   uint32_t limit);

/// Stores the components of a LOAD, swizzled as its resource operand says.
void store_loaded(Lowering& l, const Instruction& inst, const Vec4& value);

/// The address of a 32-bit cell that an atomic changes; 0 where there is none.
Wide atomic_address(Lowering& l, const Instruction& inst);

/// x / 6 for 32-bit x.
Operand sixth(Builder& b, Operand x);

/// The three words that LEA_TEX gives for the texel of an image instruction.
struct TexelAddress {
    Wide address;
    Operand conversion;
};
TexelAddress texel_address(Lowering& l, const Instruction& inst, bool stores);

void load_image(Lowering& l, const Instruction& inst);
void store_image(Lowering& l, const Instruction& inst);
void query_image(Lowering& l, const Instruction& inst);

}  // namespace valkyr::valhall::lower
