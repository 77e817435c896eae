// End of fragment: ATEST, ZS_EMIT, BLEND and access to the tile buffer.
// SPDX-License-Identifier: MIT
#include "exec/blend_descriptor.hpp"
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/interpreter/interpret_memory.hpp"
#include "valhall/interpreter/interpret_message.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// The 64-bit datum if the operand is the special, else the operand's 32-bit word.
uint64_t atest_datum(Machine& m, const Source& source) {
    if (source.kind == SourceKind::Special && source.index == exec::kAtestDatum && m.warp.draw)
        return m.warp.draw->special[exec::kAtestDatum];
    return uniform_word(m, source);
}

/// Whether the blend state of a target reads the second source colour.
bool dual_source(const Machine& m, uint32_t target) {
    if (!m.warp.fragment || !m.warp.draw->key || target >= exec::kMaxRenderTargets)
        return false;
    const auto* key = static_cast<const exec::FragmentKey*>(m.warp.draw->key);
    return key->blend[target].reads_second_color();
}

exec::TileMessage tile_message(Machine& m, const Instr& i) {
    return {.format = register_format(i),
            .components = components(i),
            .conversion = uniform_word(m, i.src[2])};
}

}  // namespace

VALKYR_INTERPRET(ATEST) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->atest))
        return;
    MessageData out{};
    env->atest(sender(m), word(m, i.src[0]), f32(m, i.src[1]), atest_datum(m, i.src[2]),
               out.data());
    staging_out(m, i.staging[0], out);
}

VALKYR_INTERPRET(ZS_EMIT) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->zs_emit))
        return;
    const Lanes depth = word(m, i.src[0]);
    const Lanes stencil = word(m, i.src[1]);
    MessageData out{};
    env->zs_emit(sender(m), i.mod(Mod::z) ? &depth : nullptr,
                 i.mod(Mod::stencil) ? &stencil : nullptr, word(m, i.src[2]), out.data());
    staging_out(m, i.staging[0], out);
}

VALKYR_INTERPRET(BLEND) {
    const Pair operand = wide_word(m, i.src[0]);
    const uint64_t descriptor = operand.lane(m.first_lane());
    const auto mode = exec::blend_mode(descriptor);
    if (mode == exec::BlendMode::Shader) {
        m.flow_ignored = true;  // goes on into the epilogue, which calls the blend shader
        return;
    }
    if (mode != exec::BlendMode::Off) {
        const exec::Environment* env = environment(m, i);
        if (!env || !available(m, i, env->blend))
            return;
        const auto target = exec::blend_target(descriptor);
        const MessageData in = staging_in(m, i.staging[0]);
        const Lanes* in1 =
            dual_source(m, target) ? &m.state.r[exec::kSecondColorRegister] : nullptr;
        env->blend(sender(m, effect_lanes(m, false)), {target, register_format(i), components(i)},
                   descriptor, word(m, i.src[1]), in.data(), in1);
    }
    if (i.flow == Flow::end)
        return;
    m.regroup = true;
    for (unsigned l = 0; l < kLanes; ++l)
        if (m.runs(l))
            m.state.pc[l] += static_cast<uint32_t>(i.imm[0]);
}

VALKYR_INTERPRET(LD_TILE) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->tile_load))
        return;
    MessageData out = staging_in(m, i.staging[0]);
    env->tile_load(sender(m), tile_message(m, i), word(m, i.src[0]), word(m, i.src[1]), out.data());
    staging_out(m, i.staging[0], out);
}

VALKYR_INTERPRET(ST_TILE) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->tile_store))
        return;
    const MessageData in = staging_in(m, i.staging[0]);
    env->tile_store(sender(m, effect_lanes(m, false)), tile_message(m, i), word(m, i.src[0]),
                    word(m, i.src[1]), in.data());
}

}  // namespace valkyr::valhall::interpret
