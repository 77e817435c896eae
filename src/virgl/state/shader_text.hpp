// Shader text: changes a client's shader text so that the rasterizer takes it.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace valkyr::virgl {

/// The text without `PROPERTY FS_COORD_ORIGIN`: as fragment_coord_conventions is not advertised,
/// the driver transforms window positions itself, from the upper left origin, and the property only
/// repeats what the program asked for.
std::string without_coord_origin(std::string_view text);

/// The text with GENERIC[32 + n] for PATCH[n], as which the driver may count what comes behind
/// GENERIC[31]. Texts of tessellation, where PATCH is per patch, stay.
std::string with_generic_patches(std::string_view text);

/// The text of a fragment shader with all varyings declared SAMPLE: what the rasterizer state asks
/// for when each sample is shaded (OpenGL 4.6 section 14.3.1.1: a fraction of 1).
std::string with_sampled_inputs(std::string_view text);

}  // namespace valkyr::virgl
