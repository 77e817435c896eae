// Staging count: computes how many staging registers an instruction needs.
// SPDX-License-Identifier: MIT
#include "valhall/isa/staging_count.hpp"

#include "valhall/isa/register_access.hpp"

#include <bit>

namespace valkyr::valhall {

namespace {

unsigned registers_for(unsigned components, bool half) {
    return half ? (components + 1) / 2 : components;
}

/// Whether the components of a message have 16 bits: by regfmt, or else by the type size.
bool has_half_components(const Instr& instr) {
    if (!has_modifier(instr.op, Mod::regfmt))
        return op_info(instr.op).type_size == 16;
    const auto format = instr.get<RegisterFormat>(Mod::regfmt);
    return format == RegisterFormat::f16 || format == RegisterFormat::s16 ||
           format == RegisterFormat::u16;
}

unsigned coordinates(const Instr& instr) {
    constexpr unsigned kByDimension[] = {1, 2, 3, 2};  // a cube has a packed face and s, and t
    return kByDimension[instr.mod(Mod::dimension) & 3];
}

/// Registers that the level of detail takes; an instruction without lod_mode has lod_mode 0.
unsigned lod_registers(const Instr& instr) {
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

/// Whether a loaded value is extended to 64 bits.
bool extends_to_pair(const Instr& instr) {
    switch (op_info(instr.op).type_size) {
    case 8: return instr.get<LoadLane8Bit>(Mod::load_lane_8_bit) == LoadLane8Bit::d0;
    case 16: return instr.get<LoadLane16Bit>(Mod::load_lane_16_bit) == LoadLane16Bit::d0;
    case 32: return instr.get<LoadLane32Bit>(Mod::load_lane_32_bit) == LoadLane32Bit::d0;
    default: return false;
    }
}

}  // namespace

unsigned staging_count(const Instr& instr, unsigned run) {
    const OpInfo& info = op_info(instr.op);
    const StagingInfo& staging = info.staging[run];
    const unsigned words = (info.type_size + 31U) / 32;
    switch (staging.need) {
    case StagingNeed::Number: return staging.need_count;
    case StagingNeed::Components:
        return registers_for(instr.mod(Mod::vecsize) + 1U, has_half_components(instr));
    case StagingNeed::Size:
        return staging.may_be_empty && instr.staging[run].count == 0 ? 0 : words;
    case StagingNeed::Loaded: return extends_to_pair(instr) ? 2 : words;
    case StagingNeed::Exchanged: return instr.mod(Mod::compare) ? 2 * words : words;
    case StagingNeed::TextureResults: return texture_results(instr);
    case StagingNeed::TextureOperands: return texture_operands(instr);
    case StagingNeed::FusedResults: return instr.mod(Mod::vartex_register_width) == 0 ? 2 : 4;
    }
    return 0;
}

}  // namespace valkyr::valhall
