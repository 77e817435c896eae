// Environment: implements Valhall's messages for interpreted and recompiled programs.
// SPDX-License-Identifier: MIT
//
// The routines are stateless: all they know is in the warp and the message. Recompiled code expands
// the common states inline and is tested against these routines bit for bit.
#pragma once

#include "exec/abi.hpp"

namespace valkyr::raster {

/// The one table of message routines. Any thread may call them at any time.
const exec::Environment& raster_environment() noexcept;

}  // namespace valkyr::raster
