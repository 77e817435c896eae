// What LD_VAR* instructions ask for.
// SPDX-License-Identifier: MIT
#include "jit/guest/varying_message.hpp"

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
    const bool half = instr.op == Op::LD_VAR_BUF_F16 || instr.op == Op::LD_VAR_BUF_IMM_F16;
    return {offset,      instr.get<exec::SampleMode>(Mod::sample),
            flat,        half,
            source_half, component_count(instr)};
}

exec::VaryingMessage slot_message(const Instr& instr, uint32_t slot) {
    const bool flat = instr.op == Op::LD_VAR_FLAT || instr.op == Op::LD_VAR_FLAT_IMM;
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
    return op == Op::LD_VAR_BUF_F32 || op == Op::LD_VAR_BUF_F16 || op == Op::LD_VAR ||
           op == Op::LD_VAR_FLAT;
}

bool reads_varying(Op op) {
    return reads_indexed_varying(op) || op == Op::LD_VAR_BUF_IMM_F32 ||
           op == Op::LD_VAR_BUF_IMM_F16 || op == Op::LD_VAR_IMM || op == Op::LD_VAR_FLAT_IMM;
}

std::optional<exec::VaryingMessage> immediate_varying(const Instr& instr) {
    switch (instr.op) {
    case Op::LD_VAR_BUF_IMM_F32:
    case Op::LD_VAR_BUF_IMM_F16: return buffer_message(instr, static_cast<uint32_t>(instr.imm[0]));
    case Op::LD_VAR_IMM:
    case Op::LD_VAR_FLAT_IMM: return slot_message(instr, static_cast<uint32_t>(instr.imm[1]));
    default: return std::nullopt;
    }
}

}  // namespace valkyr::jit
