// GLSL costs: finds the GLSL of a profile's shaders.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_sources.hpp"
#include "app/profile/profile.hpp"

namespace valkyr::profile {

/// Fills in KernelCost::glsl of the shaders whose source is known.
void add_glsl(Profile& profile, const debug::GlslSources& sources);

}  // namespace valkyr::profile
