// Validation: checks API state when an object is made and when a draw is recorded.
// SPDX-License-Identifier: MIT
//
// The draw path cannot fail on validated state. Error texts name the value and its limit.
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/resource/resource.hpp"
#include "raster/resource/targets.hpp"

#include <vector>

namespace valkyr::raster {

/// Checks pipeline state.
/// errors  InvalidState, OutOfRange: state that cannot be drawn with
Result<void> validate_pipeline(const PipelineDesc& desc);
/// Checks vertex elements.
/// errors  InvalidState: the vertex program reads an attribute that no element describes
Result<void> validate_attributes(const PipelineDesc& desc, const exec::ProgramInfo& vertex);
/// Check the bindings of a stage, as far as their descriptors do not.
/// call  names the call in errors
/// errors  OutOfRange: too many of them, or too large constant buffers
Result<void> validate_constants(const std::vector<std::vector<uint32_t>>& buffers,
                                const char* call);
Result<void> validate_units(const StageResources& stage, const char* call);
/// Checks a draw.
/// groups  the groups to check: others are unchanged since their last check
/// errors  InvalidState, OutOfRange: missing index buffer, too many vertices, other Device's
///         buffers
Result<void> validate_draw(const DrawState& state,
                           const DrawInfo& info,
                           const DeviceTag* owner,
                           StateGroups groups);
/// Checks the layers of the attachments.
/// errors  OutOfRange: the vertex program chooses from more layers than the bins can hold
Result<void> validate_layers(const PassTargets& targets, const exec::ProgramInfo& vertex);

/// Finds the attachments of a framebuffer.
/// targets  has none yet; after an error, it is unspecified
/// errors  InvalidState: no or unlike attachments, formats that cannot be drawn to
Result<void>
resolve_targets(const Framebuffer& framebuffer, const DeviceTag* owner, PassTargets& targets);

}  // namespace valkyr::raster
