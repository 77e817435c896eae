// Inline images: expands LD_TEX, LEA_TEX and ST_CVT.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/environment.hpp"
#include "jit/context/emit_context.hpp"
#include "jit/guest/message_source.hpp"

namespace valkyr::jit {

/// Chooses for LD_TEX and LEA_TEX: inline if the key names the unit's format, and the handle is
/// known or the key describes all units alike. The conversion word of a LEA_TEX with a known handle
/// is known to a later ST_CVT.
MessageChoice choose_image(const MessageSource& m);

/// Chooses for ST_CVT: inline with a known conversion word, or if all operands come from one
/// LEA_TEX with a run-time handle in the same block.
MessageChoice choose_convert_store(const MessageSource& m);

/// The message of LD_TEX and LEA_TEX. The modifiers that LEA_TEX_IMM lacks are 0.
exec::ImageMessage image_message(const valhall::Instr& instr, uint32_t handle);

/// Emit the expansions KnownImage and CommonImage.
void expand_image_load(EmitContext& c);
void expand_image_address(EmitContext& c);

void expand_convert_store(EmitContext& c);

}  // namespace valkyr::jit
