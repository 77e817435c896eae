// Execution ABI: includes all that generated code and its callers share.
// SPDX-License-Identifier: MIT
//
// Everything is standard layout; offsets that recompiled code uses are asserted beside the structs.
//
// Lanes: 16 a warp. A fragment warp is the 4x4 block at pixel (4i, 4j) of the target; lane bits
// 0,1,2,3 are x0,y0,x1,y1 (Z order): lane_x, lane_y. Vertex warps are consecutive vertices.
#pragma once

#include "exec/atest_datum.hpp"        // IWYU pragma: export
#include "exec/blend_descriptor.hpp"   // IWYU pragma: export
#include "exec/calls.hpp"              // IWYU pragma: export
#include "exec/descriptors.hpp"        // IWYU pragma: export
#include "exec/entry_registers.hpp"    // IWYU pragma: export
#include "exec/environment.hpp"        // IWYU pragma: export
#include "exec/float_environment.hpp"  // IWYU pragma: export
#include "exec/handle.hpp"             // IWYU pragma: export
#include "exec/program.hpp"            // IWYU pragma: export
#include "exec/state_keys.hpp"         // IWYU pragma: export
#include "exec/vertex_record.hpp"      // IWYU pragma: export
