// Fragment lowering: discards, derivatives, interpolation at a place, and the end of a program.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

using float_bits::kOne;
/// Registers with fixed roles.
constexpr uint8_t kCoverage = exec::kCoverageRegister;

Operand special(uint32_t index, uint8_t word = 0) {
    return {index, OperandKind::Special, 0, ir::kDefaultSelector, word};
}

void discard(Lowering& l, Condition condition, Operand x, Operand y) {
    l.info().uses_discard = true;
    l.b.emit_message(Spec(Op::DISCARD_F32).with(Mod::cmp, condition), {x, y}, {});
}

void lower_kill(Lowering& l, const Instruction&, const Rule&) {
    discard(l, Condition::eq, literal(0), literal(0));
    l.note_discard(literal(0xFFFFFFFF));
    l.flow.leave_loops_if(literal(0xFFFFFFFF));
}

void lower_kill_if(Lowering& l, const Instruction& inst, const Rule&) {
    std::array<Operand, 4> x{};
    for (unsigned c = 0; c < 4; ++c)
        x[c] = l.src_float(inst, 0, c);
    // Equal components are compared once.
    const Operand low = x[0] == x[1] ? x[0] : l.b.fmin(x[0], x[1]);
    const Operand high = x[2] == x[3] ? x[2] : l.b.fmin(x[2], x[3]);
    const bool same = low == high || (x[0] == x[1] && x[2] == x[0] && x[3] == x[0]);
    const Operand least = same ? low : l.b.fmin(low, high);
    discard(l, Condition::lt, least, literal(0));
    const Operand discarded = l.b.fcmp(Condition::lt, ResultType::m1, least, literal(0));
    l.note_discard(discarded);
    if (l.flow.in_loop())
        l.flow.leave_loops_if(discarded);
}

/// DDX, DDY: rule.a = axis.
void lower_derivative(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) { return l.quad_derivative(l.src(inst, 0, c), rule.a); });
}

void lower_interpolation(Lowering& l, const Instruction& inst, SampleMode mode, Operand position) {
    if (inst.src[0].reg.file != tgsi::File::Input || inst.src[0].reg.index.indirect) {
        l.unsupported("interpolation of anything but a plain input");
        return;
    }
    const Vec4 loaded = l.load_varying(static_cast<uint32_t>(inst.src[0].reg.index.value),
                                       needed_components(inst), mode, position);
    by_component(l, inst, [&](unsigned c) {
        Operand value = loaded[inst.src[0].swizzle[c]];
        if (inst.src[0].absolute)
            value.flags |= ir::kAbs;
        if (inst.src[0].negate)
            value.flags ^= ir::kNeg;
        return value;
    });
}

void lower_interp_centroid(Lowering& l, const Instruction& inst, const Rule&) {
    lower_interpolation(l, inst, SampleMode::centroid, l.preload(exec::kSampleRegister));
}

void lower_interp_sample(Lowering& l, const Instruction& inst, const Rule&) {
    const uint8_t low = raw(Swizzles16Bit::h00);
    const Operand id = l.src(inst, 1, 0);
    const Operand position =
        l.b.emit(Spec(Op::MKVEC_V2I16), {select(literal(0), low), select(id, low)});
    lower_interpolation(l, inst, SampleMode::sample, position);
}

/// (offset + 0.5) * 256 from the pixel's corner, x low and y high.
void lower_interp_offset(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    const auto fixed = [&](unsigned c) {
        const Operand from_corner = b.fadd(l.src_float(inst, 1, c), literal(0x3F000000));
        return select(b.f32_to_s32(b.fmul(from_corner, literal(0x43800000)), RoundMode::rte),
                      raw(Swizzles16Bit::h00));
    };
    const Operand x = fixed(0);
    const Operand position = b.emit(Spec(Op::MKVEC_V2I16), {x, fixed(1)});
    lower_interpolation(l, inst, SampleMode::explicit_, position);
}

void lower_read_helper(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand& demoted = l.flow.get(l.scratch(Lowering::kDemotedScratch));
    const Operand helper = l.helper_invocation();
    l.store_all(inst, demoted.is_literal(0) ? helper : l.b.bit_or(helper, demoted));
}

constexpr Rule kFragmentRules[] = {
    {Opcode::KILL, lower_kill},
    {Opcode::DEMOTE, lower_kill},
    {Opcode::KILL_IF, lower_kill_if},
    {Opcode::DDX, lower_derivative, Op{}, 1},
    {Opcode::DDX_FINE, lower_derivative, Op{}, 1},
    {Opcode::DDY, lower_derivative, Op{}, 2},
    {Opcode::DDY_FINE, lower_derivative, Op{}, 2},
    {Opcode::INTERP_CENTROID, lower_interp_centroid},
    {Opcode::INTERP_SAMPLE, lower_interp_sample},
    {Opcode::INTERP_OFFSET, lower_interp_offset},
    {Opcode::READ_HELPER, lower_read_helper},
};

/// Values that the fragment writes, collected from its outputs.
struct Outputs {
    std::array<Vec4, exec::kMaxRenderTargets> color{};
    uint8_t color_mask = 0;
    Operand depth, stencil, sample_mask;
};

}  // namespace

std::span<const Rule> fragment_rules() {
    return kFragmentRules;
}

void Lowering::note_discard(Operand condition) {
    if (!reads_helper_)
        return;
    const VarId var = scratch(kDemotedScratch);
    flow.set(var, b.bit_or(flow.get(var), condition));
}

Operand Lowering::quad_derivative(Operand x, unsigned axis) {
    const Operand near = b.bit_and(literal(3U & ~axis), special(exec::kLaneId));
    const Operand far = b.iadd(near, literal(axis));
    const Spec permute = Spec(Op::CLPER_I32).with(Mod::subgroup, SubgroupSize::subgroup4);
    Operand start = b.emit(permute, {x, near});
    const Operand end = b.emit(permute, {x, far});
    start.flags = ir::kNeg;
    return b.fadd(end, start);
}

/// The tests: coverage by the sample mask, ATEST, ZS_EMIT. Returns the final coverage.
Operand Lowering::emit_tests(Operand alpha, Operand depth, Operand stencil, Operand sample_mask) {
    Operand coverage = preload(kCoverage);
    if (sample_mask.kind != OperandKind::None) {
        info().writes_sample_mask = true;
        const Operand masked = b.bit_and(coverage, sample_mask);
        const Operand samples = driver_value(exec::DriverValue::RasterSamples);
        coverage = b.csel_u32(Condition::gt, samples, literal(1), masked, coverage);
        coverage = ir::value_operand(
            b.emit_message(Spec(Op::MOV_I32), {coverage}, {.def_count = 1, .fixed = kCoverage})
                .def);
    }
    coverage = ir::value_operand(b.emit_message(Spec(Op::ATEST),
                                                {coverage, alpha, special(exec::kAtestDatum)},
                                                {.def_count = 1, .fixed = kCoverage})
                                     .def);
    info().writes_depth = depth.kind != OperandKind::None;
    info().writes_stencil = stencil.kind != OperandKind::None;
    if (!info().writes_depth && !info().writes_stencil)
        return coverage;
    const Spec spec = Spec(Op::ZS_EMIT)
                          .with(Mod::z, info().writes_depth)
                          .with(Mod::stencil, info().writes_stencil);
    const auto or_zero = [](Operand x) { return x.kind == OperandKind::None ? literal(0) : x; };
    return ir::value_operand(b.emit_message(spec, {or_zero(depth), or_zero(stencil), coverage},
                                            {.def_count = 1, .fixed = kCoverage})
                                 .def);
}

/// With dual-source blending, which is state of the driver, colour 1 is the second source of target
/// 0: BLEND reads it from r4-r7.
void Lowering::emit_second_source(const Vec4& color) {
    function_.reserved |= uint64_t{0xF} << exec::kSecondColorRegister;
    for (unsigned c = 0; c < 4; ++c)
        b.emit_message(
            Spec(Op::MOV_I32), {color[c]},
            {.def_count = 1, .fixed = static_cast<uint8_t>(exec::kSecondColorRegister + c)});
}

/// BLEND and its epilogue (docs/rules/isa-notes.md, BLEND). The last one ends the program.
void Lowering::emit_blend(unsigned target, const Vec4& color, Operand coverage, bool last) {
    const uint32_t descriptor = exec::kBlendDescriptor0 + target;
    const Spec blend =
        Spec(Op::BLEND).with(Mod::vecsize, VectorSize::v4).with(Mod::regfmt, RegisterFormat::auto_);
    b.emit_message(blend, {special(descriptor), coverage},
                   {.staging = color,
                    .imm = {last ? 0 : 2, 0},
                    .fixed = 0,
                    .flow = last ? Flow::end : Flow::none});
    Operand link = literal(0);
    if (!last)
        link = special(exec::kProgramCounter);
    b.emit_message(
        Spec(Op::IADD_IMM_I32), {link},
        {.def_count = 1, .staging = {}, .imm = {last ? 0 : 8, 0}, .fixed = exec::kLinkRegister});
    b.emit_message(Spec(Op::BRANCHZI).with(Mod::eq, 1).with(Mod::absolute, 1),
                   {literal(0), special(descriptor, 1)}, {});
}

void Lowering::finish_fragment() {
    Outputs out;
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file != tgsi::File::Output || !declaration.has_semantic)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last; ++i) {
            const uint32_t number = declaration.semantic_index + i - declaration.first;
            switch (declaration.semantic) {
            case tgsi::Semantic::Color:
                if (number >= exec::kMaxRenderTargets) {
                    fail(Errc::OutOfRange, "more colour outputs than render targets");
                    return;
                }
                for (unsigned c = 0; c < 4; ++c)
                    out.color[number][c] = output(i, c);
                out.color_mask |= static_cast<uint8_t>(1U << number);
                break;
            case tgsi::Semantic::Position: out.depth = output(i, 2); break;
            case tgsi::Semantic::Stencil: out.stencil = output(i, 1); break;
            case tgsi::Semantic::SampleMask: out.sample_mask = output(i, 0); break;
            default: break;
            }
        }
    }
    const bool has_color0 = (out.color_mask & 1) != 0;
    const Operand alpha = has_color0 ? out.color[0][3] : literal(kOne);
    const Operand coverage = emit_tests(alpha, out.depth, out.stencil, out.sample_mask);
    if (info().color0_writes_all && has_color0) {
        for (unsigned i = 1; i < options_.color_targets; ++i) {
            out.color[i] = out.color[0];
            out.color_mask |= static_cast<uint8_t>(1U << i);
        }
    }
    info().color_outputs = out.color_mask;
    if ((out.color_mask & 3) == 3)
        emit_second_source(out.color[1]);
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i) {
        if ((out.color_mask >> i & 1) != 0)
            emit_blend(i, out.color[i], coverage, out.color_mask >> (i + 1) == 0);
    }
    b.end_program();
}

}  // namespace valkyr::valhall::lower
