// Host target: makes the assembler of a host level.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/host/host_assembler.hpp"
#include "jit/host_level.hpp"

#include <asmjit/core.h>
#include <memory>

namespace valkyr::jit {

/// The environment of a CodeHolder for this level (not None). Its architecture may differ from this
/// machine's.
asmjit::Environment environment_of(HostLevel level);

/// Makes an assembler that emits into `code`, which must have the level's environment and outlive
/// it.
/// method  not Auto
std::unique_ptr<HostAssembler>
make_assembler(HostLevel level, GatherMethod method, asmjit::CodeHolder& code);

}  // namespace valkyr::jit
