// Kernel source: names the program, key and options that a kernel is made from.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"
#include "jit/recompiler.hpp"

namespace valkyr::jit {

/// All inputs of the choice of expansions; known before code is emitted.
struct KernelSource {
    const GuestProgram& program;
    const KernelKey& key;
    bool inline_messages = true;     ///< RecompileOptions::inline_messages
    Cancellation cancellation = {};  ///< RecompileOptions::cancellation

    [[nodiscard]] exec::Stage stage() const { return program.source->info.stage; }
};

}  // namespace valkyr::jit
