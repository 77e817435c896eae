// How many staging registers an instruction needs.
// SPDX-License-Identifier: MIT
#include "valhall/isa/staging_count.hpp"

#include "valhall/isa/register_access.hpp"

#include <bit>

namespace valkyr::valhall {

namespace {

unsigned registers_for(unsigned components, bool half) {
    return half ? (components + 1) / 2 : components;
}

bool is_half(const Instr& instr) {
    const auto format = instr.get<RegisterFormat>(Mod::regfmt);
    return format == RegisterFormat::f16 || format == RegisterFormat::s16 ||
           format == RegisterFormat::u16;
}

unsigned vector_size(const Instr& instr) {
    return instr.mod(Mod::vecsize) + 1U;
}

unsigned coordinates(const Instr& instr) {
    constexpr unsigned kByDimension[] = {1, 2, 3, 2};  // a cube has a packed face and s, and t
    return kByDimension[instr.mod(Mod::dimension) & 3];
}

unsigned lod_registers(const Instr& instr) {
    if (instr.op != Op::TEX_SINGLE)
        return 0;
    switch (instr.get<LodMode>(Mod::lod_mode)) {
    case LodMode::explicit_:
    case LodMode::computed_bias: return 1;
    case LodMode::grdesc: return 2;
    case LodMode::zero:
    case LodMode::computed: break;
    }
    return 0;
}

unsigned texture_operands(const Instr& instr) {
    return coordinates(instr) + instr.mod(Mod::array_enable) + instr.mod(Mod::shadow) +
           instr.mod(Mod::texel_offset) + lod_registers(instr);
}

unsigned texture_results(const Instr& instr) {
    const auto mask = static_cast<unsigned>(instr.mod(Mod::write_mask));
    const bool half = instr.get<RegisterWidth>(Mod::register_width) == RegisterWidth::n16;
    return registers_for(static_cast<unsigned>(std::popcount(mask)), half);
}

/// LOAD and LD_BUFFER: one register for every 32 bits, two when extended to 64.
unsigned load_results(const Instr& instr, unsigned bits) {
    const bool to_64 =
        (bits == 8 && instr.get<LoadLane8Bit>(Mod::load_lane_8_bit) == LoadLane8Bit::d0) ||
        (bits == 16 && instr.get<LoadLane16Bit>(Mod::load_lane_16_bit) == LoadLane16Bit::d0) ||
        (bits == 32 && instr.get<LoadLane32Bit>(Mod::load_lane_32_bit) == LoadLane32Bit::d0);
    return to_64 ? 2 : (bits + 31) / 32;
}

}  // namespace

std::optional<unsigned> staging_count(const Instr& instr, unsigned run) {
    const OpInfo& info = op_info(instr.op);
    const unsigned bits = info.type_size;
    switch (instr.op) {
    case Op::TEX_SINGLE:
    case Op::TEX_FETCH:
    case Op::TEX_GATHER: return run == 0 ? texture_results(instr) : texture_operands(instr);
    case Op::VAR_TEX_SINGLE:
    case Op::VAR_TEX_GATHER:
    case Op::VAR_TEX_BUF_SINGLE:
    case Op::VAR_TEX_BUF_GATHER: return instr.mod(Mod::vartex_register_width) == 0 ? 2 : 4;
    case Op::LD_VAR_BUF_F32:
    case Op::LD_VAR_BUF_IMM_F32: return vector_size(instr);
    case Op::LD_VAR_BUF_F16:
    case Op::LD_VAR_BUF_IMM_F16: return registers_for(vector_size(instr), true);
    case Op::LEA_BUF_IMM: return 2;
    case Op::LEA_ATTR:
    case Op::LEA_ATTR_IMM:
    case Op::LEA_TEX:
    case Op::LEA_TEX_IMM: return 3;
    case Op::ATEST:
    case Op::ZS_EMIT: return 1;
    case Op::ATOM_I32:
    case Op::ATOM_I64: return bits / 32;
    case Op::ATOM_RETURN_I32:
    case Op::ATOM_RETURN_I64: return run == 1 && instr.mod(Mod::compare) ? bits / 16 : bits / 32;
    case Op::ATOM1_RETURN_I32:
    case Op::ATOM1_RETURN_I64: return instr.staging[0].count == 0 ? 0 : bits / 32;
    default: break;
    }
    if (has_modifier(instr.op, Mod::regfmt))
        return registers_for(vector_size(instr), is_half(instr));
    const bool is_store = run < info.staging.size() && info.staging[run].read;
    return is_store ? (bits + 31) / 32 : load_results(instr, bits);
}

}  // namespace valkyr::valhall
