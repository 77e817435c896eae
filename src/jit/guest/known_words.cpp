// Known words: follows constants through the registers of a basic block.
// SPDX-License-Identifier: MIT
#include "jit/guest/known_words.hpp"

#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"

namespace valkyr::jit {

using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

std::optional<uint32_t>
fixed_word(const GuestProgram& program, const Step& step, unsigned source, unsigned half) {
    const Source& s = step.instr.src[source];
    if (s.kind == SourceKind::Special && s.index == exec::kProgramCounter)
        return s.word + half ? 0 : 8 * (step.word_index + 1);
    return known_value(*program.source, s, half);
}

void KnownWords::begin_block(uint32_t block) {
    registers_.fill(std::nullopt);
    if (block != 0 || program_.entry_repeats)
        return;
    const RegSet filled{exec::entry_registers(program_.source->info.stage)};
    for (unsigned r = 0; r < kRegCount; ++r)
        if (!filled.has(static_cast<Reg>(r)))
            registers_[r] = 0;
}

void KnownWords::pass(const Step& step) {
    const std::optional<uint32_t> result = result_of(step);
    step.access.writes.each([&](Reg r) { registers_[r] = std::nullopt; });
    for (const valhall::Staging& run : step.instr.staging)
        for (unsigned r = kRegCount; r < run.base + unsigned{run.count}; ++r)
            registers_[r % kRegCount] = std::nullopt;  // staging runs wrap around to r0
    if (result)
        registers_[step.instr.dest.reg] = result;
    if (const valhall::Staging& run = step.instr.staging[0]; step.message.conversion)
        registers_[(run.base + run.count - 1U) % kRegCount] = step.message.conversion;
}

/// The value of a whole destination.
std::optional<uint32_t> KnownWords::result_of(const Step& step) const {
    const valhall::Instr& instr = step.instr;
    if ((instr.op != Op::MOV_I32 && instr.op != Op::IADD_IMM_I32) || instr.dest.mask != 3)
        return std::nullopt;
    const std::optional<uint32_t> source = word(step, 0);
    if (source && instr.op == Op::IADD_IMM_I32)
        return *source + static_cast<uint32_t>(instr.imm[0]);
    return source;
}

std::optional<uint32_t> KnownWords::word(const Step& step, unsigned source, unsigned half) const {
    const Source& s = step.instr.src[source];
    if (s.kind == SourceKind::Register)
        return registers_[(s.index + half) % kRegCount];
    return fixed_word(program_, step, source, half);
}

}  // namespace valkyr::jit
