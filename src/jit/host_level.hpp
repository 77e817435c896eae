// Host levels: name the levels of recompiled code, and the version of the assembler.
// SPDX-License-Identifier: MIT
//
// With HostLevel::None there is no recompiler: the Valhall interpreter runs all programs.
#pragma once

#include "base/export.hpp"
#include "base/host_level.hpp"

#include <string>

namespace valkyr::jit {

using valkyr::best_host_level;
using valkyr::fast_gather_method;
using valkyr::gather_method_name;
using valkyr::GatherMethod;
using valkyr::host_features;
using valkyr::host_level_name;
using valkyr::host_supports;
using valkyr::HostLevel;
using valkyr::parse_host_level;

/// Version of asmjit, e.g. "1.9.0".
VALKYR_API std::string asmjit_version();

}  // namespace valkyr::jit
