// Host target: makes the assembler of a host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/host/host_assembler.hpp"
#include "jit/host_level.hpp"

#include <asmjit/core.h>
#include <memory>

namespace valkyr::jit {

/// The environment of a CodeHolder for this level (not None); it may be another
/// architecture's than this machine's.
asmjit::Environment environment_of(HostLevel level);

/// Emits into `code`, which must have the environment of the level and outlive the assembler.
std::unique_ptr<HostAssembler> make_assembler(HostLevel level, asmjit::CodeHolder& code);

}  // namespace valkyr::jit
