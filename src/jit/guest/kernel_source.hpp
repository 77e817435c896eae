// What a kernel is made from: a program, a key and options that shape the code.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"
#include "jit/recompiler.hpp"

namespace valkyr::jit {

/// All that decides which expansions a kernel has; known before anything is emitted.
struct KernelSource {
    const GuestProgram& program;
    const KernelKey& key;
    bool inline_messages = true;  ///< RecompileOptions::inline_messages

    [[nodiscard]] exec::Stage stage() const { return program.source->info.stage; }
};

}  // namespace valkyr::jit
