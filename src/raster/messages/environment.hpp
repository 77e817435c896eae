// Environment: implements Valhall's messages for interpreted and recompiled programs.
// SPDX-License-Identifier: MIT
//
// The routines are stateless: they read only the warp and the message. Recompiled code expands
// common states inline; tests compare it with these routines bit for bit.
#pragma once

#include "exec/abi.hpp"

namespace valkyr::raster {

/// Returns the table of message routines, which any thread may call at any time.
const exec::Environment& raster_environment() noexcept;

}  // namespace valkyr::raster
