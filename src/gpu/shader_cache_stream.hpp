// Stream output linking: gives captured outputs a place in the vertex record.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/record/stream_output.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <string>

namespace valkyr::gpu {

using namespace raster;

/// Text that tells captures apart in the names of linked pairs.
std::string capture_name(const StreamOutputState& stream);

/// Gives every captured output of the last vertex stage a place in its record; adds slots to
/// `layout`.
/// errors  InvalidState: an output that does not exist; Unsupported, OutOfRange: an output that
///         cannot have a slot
Result<StreamLayout> capture(const tgsi::Shader& shader,
                             const StreamOutputState& stream,
                             valhall::VaryingLayout& layout);

}  // namespace valkyr::gpu
