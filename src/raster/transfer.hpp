// Texels between the application's rows and textures, and clear values into surfaces.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/resource.hpp"
#include "raster/targets.hpp"

#include <cstddef>
#include <span>

namespace valkyr::raster {

/// errors  OutOfRange: box or data outside; Unsupported: multisampled
Result<void> upload(TextureImpl& texture,
                    uint32_t level,
                    const Box& box,
                    std::span<const std::byte> data,
                    size_t stride_bytes,
                    size_t slice_bytes);

/// Multisampled textures are resolved (execution document 7.6).
/// errors  OutOfRange: box or data outside
Result<void> download(TextureImpl& texture,
                      uint32_t level,
                      const Box& box,
                      std::span<std::byte> data,
                      size_t stride_bytes,
                      size_t slice_bytes);

/// Marks every tile of the attachments as cleared.
void clear_targets(const PassTargets& targets, const ClearInfo& info);

}  // namespace valkyr::raster
