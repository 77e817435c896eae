// Linking stream output: where the vertex program leaves what is captured.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/record/stream_output.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <string>

namespace valkyr::gpu {

using namespace raster;

/// What tells captures apart in names of linked pairs.
std::string capture_name(const StreamOutputState& stream);

/// Gives every captured output a place in the record; adds slots to `layout`.
/// errors  InvalidState: an output that does not exist; Unsupported, OutOfRange: one without a slot
Result<StreamLayout> capture(const tgsi::Shader& vertex,
                             const StreamOutputState& stream,
                             valhall::VaryingLayout& layout);

}  // namespace valkyr::gpu
