// Blend colours: reads the colour of a BLEND and finds the lanes and samples that it writes.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/blend_color.hpp"

#include "base/float_bits.hpp"
#include "exec/specials.hpp"
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

Color staged_color(EmitContext& c, Reg base, bool alpha_is_one) {
    Color color;
    for (unsigned k = 0; k < color.size(); ++k)
        color[k] = k == 3 && alpha_is_one
                       ? c.constant(kOne)
                       : Temp(c.regs.use(static_cast<Reg>((base + k) % exec::kRegisters), c.part));
    return color;
}

void combine_bits(EmitContext& c, LogicOp op, Vec d, Vec source, Operand stored) {
    HostAssembler& h = c.h;
    const Temp t = c.scratch();
    h.move(t, stored);  // d may be the same register
    const auto complement = [&](Vec v) { h.op(Binary::Xor, v, v, c.pool(0xFFFFFFFF)); };
    switch (op) {
    case LogicOp::Clear: h.zero(d); break;
    case LogicOp::Nor:
    case LogicOp::Or: h.op(Binary::Or, d, source, t); break;
    case LogicOp::AndInverted: h.op(Binary::AndNot, d, source, t); break;
    case LogicOp::CopyInverted:
    case LogicOp::Copy: h.move(d, source); break;
    case LogicOp::AndReverse:
    case LogicOp::OrInverted: h.op(Binary::AndNot, d, t, source); break;
    case LogicOp::Invert:
    case LogicOp::Noop: h.move(d, t); break;
    case LogicOp::Xor:
    case LogicOp::Equiv: h.op(Binary::Xor, d, source, t); break;
    case LogicOp::Nand:
    case LogicOp::And: h.op(Binary::And, d, source, t); break;
    case LogicOp::OrReverse: h.op(Binary::AndNot, d, source, t); break;
    case LogicOp::Set: h.ones(d); break;
    }
    // These operations complement the one above: ~s | d = ~(s & ~d), s | ~d = ~(~s & d).
    switch (op) {
    case LogicOp::Nor:
    case LogicOp::CopyInverted:
    case LogicOp::Invert:
    case LogicOp::Nand:
    case LogicOp::Equiv:
    case LogicOp::OrInverted:
    case LogicOp::OrReverse: complement(d); break;
    default: break;
    }
}

}  // namespace valkyr::jit
