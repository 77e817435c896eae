// Messages: turns message instructions into requests to routines of the environment.
// SPDX-License-Identifier: MIT
//
// The interpreter and recompiled code send the same messages, because both take them from here.
#pragma once

#include "exec/abi.hpp"
#include "valhall/isa/instr.hpp"

#include <optional>

namespace valkyr::valhall {

/// Bytes of a varying slot in a vertex record.
inline constexpr uint32_t kBytesPerSlot = 16;

/// Components of the vecsize modifier, 1 to 4.
inline uint8_t components(const Instr& instr) {
    return static_cast<uint8_t>(instr.mod(Mod::vecsize) + 1);
}
/// The modifier regfmt; Auto without one.
inline exec::RegisterFormat register_format(const Instr& instr) {
    return instr.get<exec::RegisterFormat>(Mod::regfmt);
}
/// The modifier sample of LD_VAR*; Center without one.
inline exec::SampleMode sample_mode(const Instr& instr) {
    return instr.get<exec::SampleMode>(Mod::sample);
}

/// The message of TEX_* and VAR_TEX* but for the handles, which the resource operand names.
/// VAR_TEX* send the components of a varying in place of a staging run.
exec::TextureMessage texture_message(const Instr& instr, exec::TextureOp op);
/// The varying at byte `offset` that a VAR_TEX* evaluates for `texture`.
exec::VaryingMessage
texture_varying(const Instr& instr, const exec::TextureMessage& texture, uint32_t offset);

/// LD_VAR_BUF*: the varying at byte `offset`; source format and type size say how memory and
/// registers look.
exec::VaryingMessage buffer_varying(const Instr& instr, uint32_t offset);
/// LD_VAR*: the varying of slot `slot` of the vertex record; the register format decides between
/// floats and uninterpreted bits.
exec::VaryingMessage slot_varying(const Instr& instr, uint32_t slot);

/// Whether the instruction only evaluates a varying: LD_VAR* but LD_VAR_SPECIAL.
bool reads_varying(Op op);
/// Whether the instruction only evaluates a varying, and a source names it.
bool reads_indexed_varying(Op op);
/// The message of an instruction whose immediates name the varying; nothing for all others.
std::optional<exec::VaryingMessage> immediate_varying(const Instr& instr);

}  // namespace valkyr::valhall
