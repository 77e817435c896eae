// Compile listing: lists host code, alone or beside the shader's text and Valhall words.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "jit/recompiler.hpp"
#include "valhall/isa/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// "auto" is the best level of this host.
/// errors  Unsupported: no recompiler for this host, or no such level
Result<jit::HostLevel> host_level_option(const std::string& name);

/// The host code of a program for common state: RGBA8 targets, 32-bit float attributes, one sample.
/// This processor need not support the level.
Result<std::vector<jit::HostLine>> recompile_for_listing(const valhall::Program& program,
                                                         jit::HostLevel level);

/// Offset and text, one line an instruction.
std::string list_host(const std::vector<jit::HostLine>& lines);

/// Three columns: line of the source, Valhall word and mnemonic, host instructions.
std::string list_side_by_side(const valhall::Program& program,
                              const std::vector<jit::HostLine>& lines,
                              std::string_view source);

}  // namespace valkyr::app
