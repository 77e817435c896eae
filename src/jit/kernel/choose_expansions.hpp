// Expansion choice: decides for every step how its message becomes host code.
// SPDX-License-Identifier: MIT
//
// The file of an expansion has its chooser; the table here finds the chooser by Op. No other code
// calls choosers, so that trimming, planning and emission read one answer: Step::message.
#pragma once

#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

using Chooser = MessageChoice (*)(const MessageSource& m);

/// The chooser of a message; null: the instruction sends none.
Chooser chooser_of(valhall::Op op);

/// Sets Step::message of all steps. Runs after find_divergence(). source.program is `program`. If
/// source.cancellation is requested, steps may be left out.
void choose_expansions(GuestProgram& program, const KernelSource& source);

}  // namespace valkyr::jit
