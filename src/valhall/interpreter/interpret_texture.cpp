// Texture functions: execute texture and image messages.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/interpreter/interpret_memory.hpp"
#include "valhall/interpreter/interpret_message.hpp"

namespace valkyr::valhall::interpret {

namespace {

struct Handles {
    uint32_t texture;
    uint32_t sampler;
};

/// Handles from the two words of the resource operand.
Handles handles_of(uint32_t low, uint32_t high, bool wide) {
    if (wide)
        return {high, low};
    return {exec::widen_narrow_handle(low >> exec::kNarrowTextureShift),
            exec::widen_narrow_handle(low & 0xFFFF)};
}

/// The message of the instruction with the handles that its resource operand names.
exec::TextureMessage addressed_message(Machine& m, const Instr& i, exec::TextureOp op) {
    const Pair resource = wide_word(m, i.src[0]);
    const unsigned l = m.first_lane();
    const Handles handles =
        handles_of(resource.low.v[l], resource.high.v[l], i.mod(Mod::wide_indices));
    if (m.warp.draw)
        check_index(m, i, exec::index_of(handles.texture), m.warp.draw->tables.texture_count);
    exec::TextureMessage message = texture_message(i, op);
    message.texture = handles.texture;
    message.sampler = handles.sampler;
    return message;
}

void texture(Machine& m, const Instr& i, exec::TextureOp op) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->texture))
        return;
    const exec::TextureMessage message = addressed_message(m, i, op);
    const MessageData in = staging_in(m, i.staging[1]);
    MessageData out = staging_in(m, i.staging[0]);
    env->texture(sender(m), message, in.data(), out.data());
    staging_out(m, i.staging[0], out);
}

/// VAR_TEX*: coordinates (then array index, then reference) are the first components of the
/// varying at a byte offset; r61 says which sample.
void varying_texture(Machine& m, const Instr& i, exec::TextureOp op, uint32_t offset) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->texture))
        return;
    const exec::TextureMessage message = addressed_message(m, i, op);
    const exec::VaryingMessage varying = texture_varying(i, message, offset);
    MessageData in{};
    if (!load_varying(m, i, {varying, m.state.r[exec::kSampleRegister]}, in.data()))
        return;
    MessageData out = staging_in(m, i.staging[0]);
    env->texture(sender(m), message, in.data(), out.data());
    staging_out(m, i.staging[0], out);
}

/// The byte offset of the slot that source 1 names.
uint32_t slot_offset(Machine& m, const Instr& i) {
    return exec::index_of(uniform_word(m, i.src[1])) * kBytesPerSlot;
}

uint32_t image_handle(const Instr& i, unsigned table, unsigned index) {
    return exec::make_handle(exec::ResourceTable(i.imm[table]),
                             static_cast<uint32_t>(i.imm[index]));
}

/// Reads a texel (LD_TEX) or its address (LEA_TEX) by the given routine.
template <typename Routine>
void image(Machine& m, const Instr& i, uint32_t handle, Routine routine) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->*routine))
        return;
    check_index(m, i, exec::index_of(handle), m.warp.draw->tables.image_count);
    MessageData out = staging_in(m, i.staging[0]);
    (env->*routine)(sender(m), {handle, register_format(i), components(i)}, word(m, i.src[0]),
                    word(m, i.src[1]), out.data());
    staging_out(m, i.staging[0], out);
}

}  // namespace

VALKYR_INTERPRET_AS(TEX_SINGLE, texture(m, i, exec::TextureOp::Sample))
VALKYR_INTERPRET_AS(TEX_FETCH, texture(m, i, exec::TextureOp::Fetch))
VALKYR_INTERPRET_AS(TEX_GATHER, texture(m, i, exec::TextureOp::Gather))
VALKYR_INTERPRET_AS(VAR_TEX_BUF_SINGLE,
                    varying_texture(m, i, exec::TextureOp::Sample, uniform_word(m, i.src[1])))
VALKYR_INTERPRET_AS(VAR_TEX_BUF_GATHER,
                    varying_texture(m, i, exec::TextureOp::Gather, uniform_word(m, i.src[1])))
VALKYR_INTERPRET_AS(VAR_TEX_SINGLE,
                    varying_texture(m, i, exec::TextureOp::Sample, slot_offset(m, i)))
VALKYR_INTERPRET_AS(VAR_TEX_GATHER,
                    varying_texture(m, i, exec::TextureOp::Gather, slot_offset(m, i)))
VALKYR_INTERPRET_AS(LD_TEX_IMM, image(m, i, image_handle(i, 1, 0), &exec::Environment::image_load))
VALKYR_INTERPRET_AS(LD_TEX, image(m, i, uniform_word(m, i.src[2]), &exec::Environment::image_load))
VALKYR_INTERPRET_AS(LEA_TEX_IMM,
                    image(m, i, image_handle(i, 0, 1), &exec::Environment::image_address))
VALKYR_INTERPRET_AS(LEA_TEX,
                    image(m, i, uniform_word(m, i.src[2]), &exec::Environment::image_address))

VALKYR_INTERPRET(ST_CVT) {
    const exec::Environment* env = environment(m, i);
    if (!env || !available(m, i, env->convert_store))
        return;
    const bool forced = i.get<MemoryAccess>(Mod::memory_access) == MemoryAccess::force;
    const uint16_t lanes = effect_lanes(m, forced);
    const Pair address = wide_word(m, i.src[0]);
    const MessageData in = staging_in(m, i.staging[0]);
    sender(m, lanes);
    m.warp.live |= lanes;  // a forced store of a helper counts
    env->convert_store(m.warp, register_format(i), components(i), address.low, address.high,
                       static_cast<uint32_t>(i.imm[0]), word(m, i.src[1]), in.data());
}

}  // namespace valkyr::valhall::interpret
