// Expansion choice: decides for every step how its message becomes host code.
// SPDX-License-Identifier: MIT
//
// The chooser of a message stands beside its expansion; this table finds it by Op. Nothing else
// calls choosers, so that trimming, planning and emission have one answer: Step::message.
#pragma once

#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

using Chooser = MessageChoice (*)(const MessageSource& m);

/// The chooser of a message; null: the instruction sends none.
Chooser chooser_of(valhall::Op op);

/// Fills in Step::message of all steps. After find_divergence(). source.program is `program`.
/// If source.cancellation is requested some may be left out.
void choose_expansions(GuestProgram& program, const KernelSource& source);

}  // namespace valkyr::jit
