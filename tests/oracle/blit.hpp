// Blits: copy and scale texels one destination sample at a time (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tests/oracle/resources.hpp"

namespace valkyr::reference {

/// A blit whose boxes, formats and sample counts fit together; others are not part of scenes.
/// errors  InvalidState: a texture of another device
Result<void> blit(const raster::BlitInfo& info);

}  // namespace valkyr::reference
