// Settings: lists every "set NAME VALUE..." of a scene and applies it to the draw state.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/arguments.hpp"
#include "app/conform/case.hpp"

namespace valkyr::conform {

/// Takes a name and its values and changes the state of the next draws.
void apply_setting(Arguments& arguments, DrawCommand& draw);

/// "key=value" arguments of a sampler statement.
void apply_sampler_keys(Arguments& arguments, raster::SamplerState& sampler);

}  // namespace valkyr::conform
