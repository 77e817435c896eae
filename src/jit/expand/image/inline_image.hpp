// Inline images: expands LD_TEX, LEA_TEX and ST_CVT.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/environment.hpp"
#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// LD_TEX and LEA_TEX: inline are units whose format the key names, by a known handle, or by one of
/// run time where the key says the same of all units. The conversion word that a LEA_TEX by a known
/// handle gives is known to the ST_CVT behind it.
MessageChoice choose_image(const MessageSource& m);

/// ST_CVT: inline with a known conversion word, or to what a LEA_TEX by a handle of run time gave
/// in the same block.
MessageChoice choose_convert_store(const MessageSource& m);

/// The message of LD_TEX and LEA_TEX. The modifiers that LEA_TEX_IMM lacks are 0.
exec::ImageMessage image_message(const valhall::Instr& instr, uint32_t handle);

/// KnownImage and CommonImage.
void expand_image_load(EmitContext& c);
void expand_image_address(EmitContext& c);

void expand_convert_store(EmitContext& c);

}  // namespace valkyr::jit
