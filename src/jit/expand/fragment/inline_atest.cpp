// Inline ATEST and ZS_EMIT: expands the late tests of a fragment.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_atest.hpp"

#include "exec/atest_datum.hpp"
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_position.hpp"

#include <cstddef>

namespace valkyr::jit {

using exec::CompareFunc;
using valhall::Mod;
using valhall::SourceKind;

namespace {

/// The comparison of an alpha test. With a NaN only NotEqual passes.
FloatCond float_condition(CompareFunc func) {
    switch (func) {
    case CompareFunc::Less: return FloatCond::Less;
    case CompareFunc::Equal: return FloatCond::Equal;
    case CompareFunc::LessEqual: return FloatCond::LessEqual;
    case CompareFunc::Greater: return FloatCond::Greater;
    case CompareFunc::GreaterEqual: return FloatCond::GreaterEqual;
    default: return FloatCond::NotEqual;
    }
}

/// lanes &= alpha func reference.
void alpha_test(EmitContext& c, CompareFunc func, Mask lanes, Vec alpha) {
    const TempMask pass = c.scratch_mask();
    if (func == CompareFunc::Never) {
        const Scalar none = c.scalar();
        c.h.move(none, uint64_t{0});
        c.h.mask_from_bits(pass, none);
    } else {
        constexpr size_t reference = offsetof(exec::DrawContext, special) +
                                     sizeof(uint64_t) * exec::kAtestDatum +
                                     exec::kAlphaReferenceByte;
        const Scalar draw = c.load64({Gp::Call, 0});
        c.h.compare(float_condition(func), pass, alpha,
                    Operand::broadcast({draw, static_cast<int32_t>(reference)}));
    }
    c.h.mask_and(lanes, lanes, pass);
}

/// coverage &= the first round(alpha * samples) samples.
void alpha_to_coverage(EmitContext& c, unsigned samples, Vec coverage, Vec alpha) {
    S32 count(c);
    U32 bits(c, 0);
    const auto from_zero = max(f32(alpha), f32(bits));  // NaN becomes 0
    count = to_s32(min(from_zero, 1.0F) * static_cast<float>(samples));
    bits = 1;
    bits = (bits << count) + -1;
    U32 covered(c, coverage);
    covered &= bits;
}

bool tests_depth(const EmitContext& c) {
    return c.message().expansion == Expansion::AtestTests;
}

/// Whether ATEST leaves its coverage operand as it is.
bool changes_nothing(const EmitContext& c) {
    const exec::FragmentKey& key = *c.key.fragment;
    return key.alpha_func == CompareFunc::Always && !key.alpha_to_coverage && !tests_depth(c) &&
           coverage_is_effective(c, 0) && c.instr().src[0].index == c.instr().staging[0].base;
}

/// A temporary with the coverage source in the lanes of the mask, 0 in the others.
Temp coverage_in(EmitContext& c, Mask lanes, unsigned source) {
    Temp v = c.constant(0);
    Temp coverage = c.word(source);
    c.h.select(Element::B32, v, lanes, coverage, v);
    c.done_with(coverage);
    return v;
}

void atest_part(EmitContext& c, const LaneGroup& group) {
    const exec::FragmentKey& key = *c.key.fragment;
    TempMask lanes = effective_lanes(c, group);
    const bool tests_alpha = key.alpha_func != CompareFunc::Always;
    Temp alpha;
    if (tests_alpha || key.alpha_to_coverage)
        alpha = c.f32(1);
    if (tests_alpha)
        alpha_test(c, key.alpha_func, lanes, alpha);
    const Temp coverage = coverage_in(c, lanes, 0);
    lanes.reset();
    if (key.alpha_to_coverage)
        alpha_to_coverage(c, key.samples, coverage, alpha);
    if (tests_depth(c))
        test_coverage(c, group, coverage, {});
    c.regs.define(c.instr().staging[0].base, c.part, coverage);
}

void zs_emit_part(EmitContext& c, const LaneGroup& group) {
    DepthStencilValues values;
    if (c.instr().mod(Mod::z))
        values.depth = c.word(0);
    if (c.instr().mod(Mod::stencil))
        values.stencil = c.word(1);
    TempMask lanes = effective_lanes(c, group);
    const Temp coverage = coverage_in(c, lanes, 2);
    lanes.reset();
    test_coverage(c, group, coverage, values);
    c.regs.define(c.instr().staging[0].base, c.part, coverage);
}

template <typename F>
void each_register_part(EmitContext& c, F f) {
    expand_parts(c, [&] { f(c, group_of_part(c, c.part)); });
}

/// Whether depth and stencil tests run in ATEST: they are not early, and the program writes neither
/// depth nor stencil. Bit 1 of the draw's datum agrees.
bool tests_in_atest(const MessageSource& m) {
    const exec::DepthStencilKey& zs = m.key.fragment->zs;
    const exec::ProgramInfo& info = m.program.source->info;
    return (zs.depth_test || zs.stencil_test() || zs.count_samples) && !zs.early &&
           !info.writes_depth && !info.writes_stencil;
}

/// Whether an ATEST without tests leaves r60 unchanged.
bool passes_coverage(const MessageSource& m) {
    const valhall::Source& coverage = m.instr().src[0];
    const valhall::Staging& result = m.instr().staging[0];
    return m.key.fragment->alpha_func == CompareFunc::Always &&
           !m.key.fragment->alpha_to_coverage && coverage.kind == SourceKind::Register &&
           coverage.index == exec::kCoverageRegister && result.base == exec::kCoverageRegister &&
           result.count == 1;
}

}  // namespace

MessageChoice choose_atest(const MessageSource& m) {
    const valhall::Source& datum = m.instr().src[2];
    if (!expands_fragment(m) || datum.kind != SourceKind::Special ||
        datum.index != exec::kAtestDatum)
        return {Expansion::Routine};
    if (tests_in_atest(m))
        return {Expansion::AtestTests};
    return {passes_coverage(m) ? Expansion::AtestPass : Expansion::Atest};
}

MessageChoice choose_zs_emit(const MessageSource& m) {
    return {expands_fragment(m) ? Expansion::ZsEmit : Expansion::Routine};
}

void expand_atest(EmitContext& c) {
    if (!changes_nothing(c))
        each_register_part(c, atest_part);
}

void pass_atest(EmitContext& c) {
    if (!c.program.entry_coverage)
        expand_atest(c);
}

void expand_zs_emit(EmitContext& c) {
    each_register_part(c, zs_emit_part);
}

}  // namespace valkyr::jit
