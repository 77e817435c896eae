// Varying messages: reads out of LD_VAR* instructions what they ask for.
// SPDX-License-Identifier: MIT
#include "jit/guest/varying_message.hpp"

#include "valhall/isa/register_access.hpp"

namespace valkyr::jit {

using exec::RegisterFormat;
using valhall::Instr;
using valhall::Mod;
using valhall::Op;
using valhall::SourceFormat;

namespace {

constexpr uint32_t kBytesPerSlot = 16;

uint8_t component_count(const Instr& instr) {
    return static_cast<uint8_t>(instr.mod(Mod::vecsize) + 1);
}

}  // namespace

exec::VaryingMessage buffer_message(const Instr& instr, uint32_t offset) {
    const auto format = instr.get<SourceFormat>(Mod::source_format);
    const bool flat = format == SourceFormat::src_flat32 || format == SourceFormat::src_flat16;
    const bool source_half = format == SourceFormat::src_flat16 || format == SourceFormat::src_f16;
    const bool half = valhall::op_info(instr.op).type_size == 16;
    return {offset,      instr.get<exec::SampleMode>(Mod::sample),
            flat,        half,
            source_half, component_count(instr)};
}

exec::VaryingMessage slot_message(const Instr& instr, uint32_t slot) {
    const bool flat = !valhall::has_modifier(instr.op, Mod::sample);
    const auto format = instr.get<RegisterFormat>(Mod::regfmt);
    const bool half = format == RegisterFormat::F16 || format == RegisterFormat::S16 ||
                      format == RegisterFormat::U16;
    const bool is_float = format == RegisterFormat::Auto || format == RegisterFormat::F32 ||
                          format == RegisterFormat::F16;
    const bool bits = flat || !is_float;
    const auto sample = flat ? exec::SampleMode::Center : instr.get<exec::SampleMode>(Mod::sample);
    return {slot * kBytesPerSlot, sample, bits, half, half && bits, component_count(instr)};
}

bool reads_indexed_varying(Op op) {
    return reads_varying(op) && valhall::op_info(op).immediates.empty();
}

bool reads_varying(Op op) {
    const valhall::OpInfo& info = valhall::op_info(op);
    return info.effects.any(valhall::Effect::varying) && info.unit == valhall::Unit::Varying &&
           op != Op::LD_VAR_SPECIAL;
}

std::optional<exec::VaryingMessage> immediate_varying(const Instr& instr) {
    if (!reads_varying(instr.op) || reads_indexed_varying(instr.op))
        return std::nullopt;
    if (valhall::has_modifier(instr.op, Mod::source_format))
        return buffer_message(instr, static_cast<uint32_t>(instr.imm[0]));
    return slot_message(instr, static_cast<uint32_t>(instr.imm[1]));
}

}  // namespace valkyr::jit
