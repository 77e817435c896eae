// Blend colours: reads the colour of a BLEND and finds the lanes and samples that it writes.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/blend_color.hpp"

#include "base/float_bits.hpp"
#include "exec/specials.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/fragment/inline_depth.hpp"

namespace valkyr::jit {

using exec::LogicOp;
using valhall::SourceKind;

using float_bits::kOne;

bool blends(const exec::BlendKey& key) {
    return key.enable && !key.logic_op_enable;
}

std::optional<unsigned> blend_target(const valhall::Instr& instr) {
    const valhall::Source& s = instr.src[0];
    if (s.kind != SourceKind::Special || s.index < exec::kBlendDescriptor0 ||
        s.index >= exec::kBlendDescriptor0 + exec::kMaxRenderTargets)
        return std::nullopt;
    return s.index - exec::kBlendDescriptor0;
}

TempMask covered_lanes(EmitContext& c, const LaneGroup& group, unsigned sample) {
    if (c.program.entry_coverage)
        return effective_lanes(c, group);
    Temp coverage = c.word(1);
    TempMask covered = c.scratch_mask();
    c.h.test_bit(covered, coverage, sample);
    c.done_with(coverage);
    if (coverage_is_effective(c, 1))
        return covered;
    TempMask lanes = effective_lanes(c, group);
    c.h.mask_and(lanes, lanes, covered);
    return lanes;
}

Color staged_color(EmitContext& c, Reg base) {
    Color color;
    for (unsigned k = 0; k < color.size(); ++k)
        color[k] = k == 3 && c.key.fragment->alpha_to_one
                       ? c.constant(kOne)
                       : Temp(c.regs.use(register_behind(base, k), c.part));
    return color;
}

void combine_bits(EmitContext& c, LogicOp op, Vec result, Vec source, Operand stored) {
    const U32 s(c, source);
    const U32 d(c, u32(stored));  // the result may be in its register
    U32 bits(c, result);
    switch (op) {
    case LogicOp::Clear: bits = 0; break;
    case LogicOp::Nor:
    case LogicOp::Or: bits = s | d; break;
    case LogicOp::CopyInverted:
    case LogicOp::Copy: bits = u32(s); break;
    case LogicOp::AndReverse:
    case LogicOp::OrInverted: bits = ~d & s; break;
    case LogicOp::Invert:
    case LogicOp::Noop: bits = u32(d); break;
    case LogicOp::Xor:
    case LogicOp::Equiv: bits = s ^ d; break;
    case LogicOp::Nand:
    case LogicOp::And: bits = s & d; break;
    case LogicOp::AndInverted:
    case LogicOp::OrReverse: bits = ~s & d; break;
    case LogicOp::Set: bits = ~0U; break;
    }
    // These operations complement the one above: ~s | d = ~(s & ~d), s | ~d = ~(~s & d).
    switch (op) {
    case LogicOp::Nor:
    case LogicOp::CopyInverted:
    case LogicOp::Invert:
    case LogicOp::Nand:
    case LogicOp::Equiv:
    case LogicOp::OrInverted:
    case LogicOp::OrReverse: bits ^= ~0U; break;
    default: break;
    }
}

}  // namespace valkyr::jit
