// Shader text: changes a client's shader text so that the rasterizer takes it.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace valkyr::virgl {

/// Removes `PROPERTY FS_COORD_ORIGIN`. Without fragment_coord_conventions in the capabilities, the
/// driver itself transforms window positions from an upper left origin; the property then only
/// repeats the program's request.
std::string without_coord_origin(std::string_view text);

/// Replaces PATCH[n] by GENERIC[32 + n]: the driver may declare varyings after GENERIC[31] as
/// PATCH. Tessellation shaders, where PATCH means per patch, are left alone.
std::string with_generic_patches(std::string_view text);

/// Declares all varyings of a fragment shader SAMPLE. The rasterizer state asks for this when every
/// sample is shaded (OpenGL 4.6 section 14.3.1.1: a fraction of 1).
std::string with_sampled_inputs(std::string_view text);

}  // namespace valkyr::virgl
