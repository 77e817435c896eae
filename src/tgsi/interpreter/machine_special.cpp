// Special handlers: execute interpolation, framebuffer fetch, sample positions and the like.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/interpreter/machine.hpp"
#include "tgsi/interpreter/sample_positions.hpp"

namespace valkyr::tgsi {

/// INTERP_*: the source names the input register; its swizzle and modifiers apply to the result.
void Machine::interpolate(const Instruction& instr) {
    const Src& src = instr.src[0];
    for (const uint32_t lane : running_) {
        if (group_.interpolator == nullptr) {
            store(lane, instr, fetch4(lane, instr, 0));
            continue;
        }
        const auto input = static_cast<uint32_t>(index_of(lane, src.reg.index));
        Word4 value{};
        if (instr.opcode == Opcode::INTERP_CENTROID)
            value = group_.interpolator->at_centroid(lane, input);
        else if (instr.opcode == Opcode::INTERP_SAMPLE)
            value = group_.interpolator->at_sample(lane, input, fetch(lane, instr, 1, 0));
        else
            value = group_.interpolator->at_offset(lane, input, fetch(lane, instr, 1, 0),
                                                   fetch(lane, instr, 1, 1));
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c) {
            out[c] = value[src.swizzle[c]];
            if (src.absolute)
                out[c] &= 0x7FFFFFFF;
            if (src.negate)
                out[c] ^= arith::kNegZero;
        }
        store(lane, instr, out);
    }
}

void Machine::framebuffer_fetch(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const auto& pixels = group_.invocations[lane].framebuffer;
        const int64_t index = index_of(lane, instr.src[0].reg.index);
        const bool inside = index >= 0 && index < static_cast<int64_t>(pixels.size());
        store(lane, instr, inside ? pixels[static_cast<size_t>(index)] : Word4{});
    }
}

void Machine::read_helper(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t value = is_helper(lane) ? arith::kAllOnes : 0;
        store(lane, instr, {value, value, value, value});
    }
}

/// There is no clock: 0 never decreases.
void Machine::clock(const Instruction& instr) {
    for (const uint32_t lane : running_)
        store(lane, instr, Word4{});
}

uint32_t Machine::sample_count(uint32_t lane, const RegisterRef& ref) const {
    if (ref.file != File::SamplerView)
        return group_.samples;
    return group_.textures == nullptr ? 1 : group_.textures->size(unit(lane, ref), 0).samples;
}

void Machine::sample_position(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t samples = sample_count(lane, instr.src[0].reg);
        const auto at = sample_position_of(samples, fetch(lane, instr, 1, 0));
        Word4 value{at[0], at[1], 0, 0};
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c)
            out[c] = value[instr.src[0].swizzle[c]];
        store(lane, instr, out);
    }
}

void Machine::sample_info(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const Word4 value{sample_count(lane, instr.src[0].reg), 0, 0, 0};
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c)
            out[c] = value[instr.src[0].swizzle[c]];
        store(lane, instr, out);
    }
}

/// IMG2HND, SAMP2HND: resource table << 24 | number, as Valhall handles are made.
void Machine::handle(const Instruction& instr) {
    constexpr uint32_t kSamplerTable = 3;
    constexpr uint32_t kImageTable = 5;
    const uint32_t table = instr.opcode == Opcode::IMG2HND ? kImageTable : kSamplerTable;
    for (const uint32_t lane : running_)
        store(lane, instr, {table << 24 | unit(lane, instr.src[0].reg), 0, 0, 0});
}

}  // namespace valkyr::tgsi
