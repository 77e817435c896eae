// Message instructions: share the sending warp, the environment and result registers.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpret.hpp"
#include "valhall/isa/messages.hpp"

#include <array>

namespace valkyr::valhall::interpret {

/// More registers than any message routine reads or writes.
inline constexpr unsigned kMessageRegisters = 10;
using MessageData = std::array<Lanes, kMessageRegisters>;

/// The warp as a message routine sees it: `lanes` send the message.
const exec::Warp& sender(Machine& m, uint16_t lanes);
/// All running lanes send.
const exec::Warp& sender(Machine& m);

/// The environment, or null with m.fault set when the draw has none.
const exec::Environment* environment(Machine& m, const Instr& i);

/// True if the environment has this routine; otherwise sets m.fault.
template <typename Routine>
bool available(Machine& m, const Instr& i, Routine routine) {
    if (!routine && !m.fault)
        m.fault = "the environment has no routine for " + std::string(op_info(i.op).name);
    return routine != nullptr;
}

/// The registers of a staging run; the rest is 0, so that no routine reads past it.
MessageData staging_in(const Machine& m, const Staging& run);
/// Writes the first run.count results to the run.
void staging_out(Machine& m, const Staging& run, const MessageData& data);

/// The message of a LD_VAR* or fused VAR_TEX* that names a varying by byte offset.
struct VaryingRequest {
    exec::VaryingMessage message;
    Lanes position;  ///< sample mask in bits 15..0, sample ID in 20..16, or an explicit offset
};
/// Interpolates; false if the environment cannot.
bool load_varying(Machine& m, const Instr& i, const VaryingRequest& request, Lanes* out);

}  // namespace valkyr::valhall::interpret
