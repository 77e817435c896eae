// Passes: transform functions in place; compile.cpp has their order.
// SPDX-License-Identifier: MIT
//
// No pass changes a bit of a result that is not a NaN. The names in comments switch a pass off
// (CompileOptions::disabled_passes); passes without such a name are needed for correctness.
#pragma once

#include "base/result.hpp"
#include "valhall/compiler/ir/ir.hpp"

#include <cstdint>

namespace valkyr::valhall::ir {

// On SSA, before constants are lowered.
void forward_stores(Function& function);    ///< "forward_stores"
void propagate_copies(Function& function);  ///< "propagate_copies"
void fold_constants(Function& function);    ///< "fold_constants"
void number_values(Function& function);     ///< "value_numbering"
void fuse_modifiers(Function& function);    ///< "fuse_modifiers"
void fuse_compares(Function& function);     ///< "fuse_compares"
void convert_ifs(Function& function);       ///< "convert_ifs"
void remove_dead(Function& function);       ///< "remove_dead"
void trim_results(Function& function);      ///< "trim_results"
void hoist_invariants(Function& function);  ///< "hoist_invariants"

/// "hoist_uniforms": moves work that depends on uniforms alone into a program of its own, whose end
/// reads the results; the main program reads them as FauKind::Prologue words with the number of the
/// result. Returns false, and changes nothing, if that is not worth a call a draw.
bool hoist_uniforms(Function& function, Function& prologue);

/// Gives literals and uniforms places that instructions can name: the immediate table, FAU words,
/// else registers; keeps to the FAU limits (xml/valhall.xml, element fau). Afterwards
/// Function::uniforms is the program's FAU layout. Phi operands and staging runs may keep literals.
/// errors   OutOfRange: too many driver values for the FAU
Result<void> lower_constants(Function& function);

/// "schedule": sends messages early, and puts the instructions that need their results late.
void schedule(Function& function);
/// "interleave": puts independent computations of long stretches beside each other.
void interleave(Function& function);

/// Linear scan over the SSA values in layout order; spills to thread-local storage. Afterwards
/// operands are registers and phis are moves.
/// errors   Unsupported: not even spilling makes the values fit
Result<void> allocate_registers(Function& function);

// On registers.
/// Message slots, waits, branches, reconvergence, `.end`; blocks keep only real instructions.
/// Branches get the block they go to in imm[0]; pack turns it into an offset.
void insert_flow(Function& function);
/// Clears last-use marks that hardware does not allow; without "mark_last_use" it clears all marks.
void mark_last_use(Function& function, bool keep);

/// The machine words, with the text line of each.
struct PackedCode {
    std::vector<uint64_t> words;
    std::vector<uint32_t> lines;
    std::vector<DoubleRange> double_ranges;
};
/// Appends the literals of operations on doubles to Function::uniforms.
PackedCode pack(Function& function);

// Helpers.
/// Whether an instruction must stay even if its result is not read.
bool has_side_effects(const Inst& inst);
/// Whether equal operands always give equal results, at any place and with any running lanes.
bool is_pure(const Inst& inst);

}  // namespace valkyr::valhall::ir
