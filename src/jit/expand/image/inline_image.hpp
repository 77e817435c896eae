// Inline images: expands LD_TEX, LEA_TEX and ST_CVT.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/environment.hpp"
#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// LD_TEX of a unit whose format the key names; false: call the routine.
bool expand_image_load(EmitContext& c, const exec::ImageMessage& message);

/// LEA_TEX, the same; the conversion word that it gives is known to the ST_CVT behind it.
bool expand_image_address(EmitContext& c, const exec::ImageMessage& message);

/// The same for a handle of run time, source 2, where the key says the same of all units.
bool expand_indexed_load(EmitContext& c, const exec::ImageMessage& message);
bool expand_indexed_address(EmitContext& c, const exec::ImageMessage& message);

/// ST_CVT with a known conversion word, or to what a LEA_TEX by a handle of run time gave in the
/// same block; false: call the routine.
bool expand_convert_store(EmitContext& c);

}  // namespace valkyr::jit
