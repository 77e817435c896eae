// Multisample resolve: averages the samples of texels (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/convert/convert.hpp"
#include "raster/resource/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Method that makes one texel of several samples (docs/rules/formats.md, Resolve).
enum class ResolveMethod : uint8_t {
    First,    ///< sample 0: integers, depth and stencil
    Bytes,    ///< integer averages of 8-bit unorm
    Numbers,  ///< binary32 averages
};
ResolveMethod resolve_method(const exec::FormatInfo& info);

/// Samples of one pixel, `step` bytes apart.
struct Samples {
    const uint8_t* first;
    size_t step;
    uint32_t count;
};

/// Resolves all samples to one texel.
void resolve_texel(const exec::FormatInfo& info, const Samples& samples, uint8_t* out);

/// Resolves the box's columns and rows of slice z of a multisampled texture into rows of single
/// texels.
/// convert  null: texel by texel
void resolve_rows(TextureImpl& texture,
                  uint32_t level,
                  const Box& box,
                  uint32_t z,
                  std::byte* rows,
                  size_t stride_bytes,
                  ConvertTiles convert);

}  // namespace valkyr::raster
