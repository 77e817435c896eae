// Shader text: changes a client's shader text for the rasterizer, and reads facts from it.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"
#include "virgl/protocol/protocol.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace valkyr::virgl {

/// Removes `PROPERTY FS_COORD_ORIGIN`. Without fragment_coord_conventions in the capabilities, the
/// driver itself transforms window positions from an upper left origin; the property then only
/// repeats the program's request.
std::string without_coord_origin(std::string_view text);

/// Replaces PATCH[n] by GENERIC[32 + n]: the driver may declare varyings after GENERIC[31] as
/// PATCH. In tessellation shaders, where PATCH means per patch, only registers that are used with
/// the number of a vertex are such varyings; their declaration gets its `[]`, too.
std::string with_generic_patches(std::string_view text);

/// Adds .xyxy to sources of double-precision instructions that write zw alone. The driver copies
/// such sources to components x and y, while TGSI reads them from z and w.
std::string with_double_sources(std::string_view text);

/// Declares all varyings of a fragment shader SAMPLE. The rasterizer state asks for this when every
/// sample is shaded (OpenGL 4.6 section 14.3.1.1: a fraction of 1).
std::string with_sampled_inputs(std::string_view text);

/// Adds BUFFER and PIPE_FORMAT_NONE to declarations of images, where the driver leaves them out.
std::string with_image_targets(std::string_view text);

/// Images that a shader declares, and their kinds: these decide how coordinates are read, whatever
/// texture is bound.
struct DeclaredImages {
    uint32_t mask = 0;  ///< bit i: IMAGE[i]
    std::array<raster::TextureKind, kMaxImages> kinds{};
};
DeclaredImages declared_images(std::string_view text);

/// Invocations of a work-group in x, y, z, as a compute shader's properties fix them; 0: not fixed.
std::array<uint32_t, 3> declared_group_size(std::string_view text);

}  // namespace valkyr::virgl
