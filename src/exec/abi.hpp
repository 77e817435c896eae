// The contract between generated code and its callers: registers, records, descriptors, state keys,
// calls and the environment of message routines.
// SPDX-License-Identifier: MIT
//
// Everything is standard layout; offsets that recompiled code uses are asserted beside the structs.
// Float environment on entry to a kernel: round to nearest even, no flush to zero (MXCSR 0x1F80,
// FPCR 0). Callers set it once a thread (exec_float_env.hpp), kernels do not touch it.
//
// Lanes: 16 a warp. A fragment warp is the 4x4 block at pixel (4i, 4j) of the target; lane bits
// 0,1,2,3 are x0,y0,x1,y1 (Z order): lane_x, lane_y. Vertex warps are consecutive vertices.
#pragma once

#include "exec/atest_datum.hpp"       // IWYU pragma: export
#include "exec/blend_descriptor.hpp"  // IWYU pragma: export
#include "exec/calls.hpp"             // IWYU pragma: export
#include "exec/descriptors.hpp"       // IWYU pragma: export
#include "exec/entry_registers.hpp"   // IWYU pragma: export
#include "exec/environment.hpp"       // IWYU pragma: export
#include "exec/handle.hpp"            // IWYU pragma: export
#include "exec/program.hpp"           // IWYU pragma: export
#include "exec/state_keys.hpp"        // IWYU pragma: export
#include "exec/vertex_record.hpp"     // IWYU pragma: export
