// Blit: copies and scales texels, one destination sample at a time (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tests/oracle/resources.hpp"

namespace valkyr::reference {

/// Executes a blit. Boxes, formats and sample counts must be compatible, as they are in all scenes.
/// errors  InvalidState: a texture of another device
Result<void> blit(const raster::BlitInfo& info);

}  // namespace valkyr::reference
