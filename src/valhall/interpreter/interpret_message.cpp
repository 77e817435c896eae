// Message instructions: share the sending warp, the environment and result registers.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpret_message.hpp"

#include <algorithm>

namespace valkyr::valhall::interpret {

const exec::Warp& sender(Machine& m, uint16_t lanes) {
    m.warp.running = lanes;
    m.warp.live = m.state.live;
    return m.warp;
}

const exec::Warp& sender(Machine& m) {
    return sender(m, m.state.running);
}

const exec::Environment* environment(Machine& m, const Instr& i) {
    if (m.warp.draw && m.warp.draw->environment)
        return m.warp.draw->environment;
    m.fault = std::string(op_info(i.op).name) + " without an environment";
    return nullptr;
}

MessageData staging_in(const Machine& m, const Staging& run) {
    MessageData data{};
    for (unsigned k = 0; k < std::min<unsigned>(run.count, kMessageRegisters); ++k)
        data[k] = m.state.r[(run.base + k) % exec::kRegisters];
    return data;
}

void staging_out(Machine& m, const Staging& run, const MessageData& data) {
    for (unsigned k = 0; k < std::min<unsigned>(run.count, kMessageRegisters); ++k)
        write_register(m, run.base + k, data[k]);
}

bool load_varying(Machine& m, const Instr& i, const VaryingRequest& request, Lanes* out) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->varying))
        return false;
    const Lanes coverage = map(request.position, [](uint32_t x) { return x & 0xFFFF; });
    env->varying(sender(m), request.message, coverage, request.position, out);
    return true;
}

}  // namespace valkyr::valhall::interpret
