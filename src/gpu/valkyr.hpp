// Valkyr: includes what a program that draws needs: <valkyr/valkyr.hpp>.
// SPDX-License-Identifier: MIT
//
// gpu::create_device() makes a raster::Device; its calls take the plain state of raster/state.hpp,
// and each that can fail returns a Result. The compiler, the recompiler and the instruction set
// have headers of their own, in the same folder of the installed library.
#pragma once

#include "base/result.hpp"
#include "gpu/create_device.hpp"
#include "raster/device.hpp"
#include "raster/state.hpp"
