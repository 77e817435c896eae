// Emit context: gives emitters their operands as host registers and takes their results.
// SPDX-License-Identifier: MIT
#include "jit/context/emit_context.hpp"

#include "base/check.hpp"
#include "base/float_bits.hpp"
#include "exec/thread_storage.hpp"
#include "jit/code/listing.hpp"
#include "jit/context/warp_call.hpp"
#include "jit/guest/known_words.hpp"

#include <cstddef>

namespace valkyr::jit {

using valhall::Clamp;
using valhall::Source;
using valhall::SourceKind;

namespace {

using float_bits::kMinusOne;
using float_bits::kOne;
using float_bits::kQuietNan;

/// Masks of lanes that wait at joins, and of lanes that are parked at resume points.
unsigned count_masks(const GuestProgram& program) {
    return program.joins() + static_cast<unsigned>(program.resume_points.size());
}

}  // namespace

EmitContext::EmitContext(HostAssembler& host, const KernelPlan& kernel, ListingLogger* listing)
    : KernelSource(kernel)
    , h(host)
    , plan(kernel)
    , parts(kernel.parts)
    , regs(host, kernel.program, kernel.homes, kernel.parts, layout_)
    , listing_(listing)
    , layout_(count_masks(kernel.program), RegisterFile::slot_bound(kernel.program, kernel.parts)) {
    for (unsigned k = 0; k < kernel.strip_rows; ++k)
        strip.push_back(regs.reserve());
}

Address EmitContext::lanes_at(Address base, unsigned of_part) const {
    Address a = base.plus(static_cast<int32_t>(of_part * h.traits().lanes * 4));
    if (plan.rounds > 1) {
        VALKYR_DCHECK(a.index == Gp::None);
        a.index = Gp::Half;
    }
    return a;
}

void EmitContext::begin_step(const Step& next) {
    step = &next;
    wrote_constant = false;
    // Only these operations distinguish signalling from quiet NaNs.
    keeps_signalling_ =
        next.instr.op == valhall::Op::FPCLASS_F32 ||
        next.instr.get<valhall::Condition>(valhall::Mod::cmp) == valhall::Condition::total;
    if (listing_)
        listing_->set_word(next.word_index);
}

// ---------------------------------------------------------------------------------------------
// Words

std::optional<uint32_t> EmitContext::known_word(unsigned source, unsigned half) const {
    const Source& s = instr().src[source];
    if (s.kind == SourceKind::Register)
        return regs.constant(static_cast<Reg>((s.index + half) % 64));
    return fixed_word(program, *step, source, half);
}

void EmitContext::move_constant(Vec d, uint32_t value) {
    if (value == 0)
        h.zero(d);
    else if (value == 0xFFFFFFFF)
        h.ones(d);
    else
        h.move(d, Operand::broadcast(h.pool_word(value)));  // a copy of a register costs as much
}

// Where a constant costs an instruction, it stays in a register if one is left. Zeros and ones are
// immediates, which some operations have.
Operand EmitContext::pool(uint32_t value) {
    const Operand word = Operand::broadcast(h.pool_word(value));
    const bool keep = !h.traits().folds_broadcast && value != 0 && value != 0xFFFFFFFF;
    return keep ? invariant(word) : word;
}

Temp EmitContext::constant(uint32_t value) {
    Temp v = scratch();
    move_constant(v, value);
    return v;
}

Address EmitContext::pool_row(const std::array<uint32_t, exec::kLanes>& words) {
    for (const auto& [known, place] : pool_rows_)
        if (known == words)
            return place;
    return pool_rows_.emplace_back(words, h.pool_words(words)).second;
}

Operand EmitContext::pool_wide(uint64_t value) {
    std::array<uint32_t, exec::kLanes> words{};
    for (size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<uint32_t>(value >> (i % 2 * 32));
    return Operand::memory(pool_row(words));
}

Operand EmitContext::pool_lanes(uint32_t value) {
    std::array<uint32_t, exec::kLanes> words{};
    words.fill(value);
    return invariant(Operand::memory(pool_row(words)));
}

TempOperand EmitContext::source_operand(const Source& s, unsigned half) {
    switch (s.kind) {
    case SourceKind::Register: return regs.operand(static_cast<Reg>((s.index + half) % 64), part);
    case SourceKind::Uniform:
    case SourceKind::Constant:
        if (const auto value = known_value(*program.source, s, half)) {
            if (*value == 0 || *value == 0xFFFFFFFF)
                return constant(*value);
            return pool(*value);
        }
        return Operand::broadcast({Gp::Fau, static_cast<int32_t>(4 * (s.index + half))});
    case SourceKind::Special: return special_word(s, half);
    }
    VALKYR_UNREACHABLE();
}

TempOperand EmitContext::word_operand(unsigned source, unsigned half) {
    const Source& s = instr().src[source];
    if (s.kind == SourceKind::Register)
        return regs.operand(static_cast<Reg>((s.index + half) % 64), part);
    if (const auto value = known_word(source, half))
        return pool(*value);
    TempOperand operand = source_operand(s, half);
    if (operand.kind() == Operand::Kind::Broadcast && !h.traits().folds_broadcast)
        return invariant(operand);
    return operand;
}

Temp EmitContext::word(unsigned source, unsigned half) {
    const Source& s = instr().src[source];
    if (s.kind == SourceKind::Register)
        return regs.use(static_cast<Reg>((s.index + half) % 64), part);
    TempOperand operand = source_operand(s, half);
    if (operand.is_reg())
        return std::move(operand).take_register();
    Temp v = scratch();
    h.move(v, operand);
    return v;
}

Scalar EmitContext::uniform_word(unsigned source, unsigned half) {
    const Source& s = instr().src[source];
    const std::optional<uint32_t> value = known_word(source, half);
    if (!value && s.kind != SourceKind::Uniform && !lanes_can_be_inactive())
        return first_word(source, half);
    Scalar d = scalar();
    if (value) {
        h.move(d, *value);
        return d;
    }
    if (s.kind == SourceKind::Uniform) {
        h.load32(d, {Gp::Fau, static_cast<int32_t>(4 * (s.index + half))});
        return d;
    }
    const Address area = VALKYR_FRAME(operand[2]);
    for (part = 0; part < parts; ++part)
        h.store(area.plus(static_cast<int32_t>(part * h.traits().lanes * 4)), word(source, half));
    part = 0;
    h.lowest_bit(d, Gp::Running);
    Address lane = area;
    lane.index = d;
    lane.shift = 2;
    h.load32(d, lane);
    return d;
}

Scalar EmitContext::first_word(unsigned source, unsigned half) {
    part = 0;
    Scalar d = scalar();
    h.extract_first(d, word(source, half));
    return d;
}

Scalar EmitContext::load64(Address a) {
    Scalar d = scalar();
    h.load64(d, a);
    return d;
}

// ---------------------------------------------------------------------------------------------
// Masks

void EmitContext::load_exec_masks() {
    h.mask_from_bits(regs.exec(0), Gp::Running);
    for (unsigned p = 1; p < parts; ++p) {
        const Scalar bits = scalar();
        h.move(bits, Gp::Running);
        h.shift_right32(bits, p * h.traits().lanes);
        h.mask_from_bits(regs.exec(p), bits);
    }
}

void EmitContext::after_call() {
    if (plan.rounds > 1)
        h.load32(Gp::Half, VALKYR_FRAME(half));
    regs.after_call();
    if (!strip.empty())
        h.store32(VALKYR_FRAME(strip_texels), uint32_t{0});
    if (block && block->masks)
        load_exec_masks();
}

void EmitContext::collect_bits(Scalar& bits, Mask mask) {
    Scalar lanes = scalar();
    h.mask_bits(lanes, mask);
    if (part == 0) {
        bits = std::move(lanes);
        return;
    }
    h.shift_left64(lanes, part * h.traits().lanes);
    h.or32(bits, lanes);
}

void EmitContext::export_registers() {
    if (!returns_registers(*program.source, key))
        return;
    const Label skip = h.new_label();
    const Scalar copies = load64({Gp::Call, offsetof(exec::ComputeCall, registers)});
    const Scalar bits = scalar();
    h.move(bits, uint64_t{0});
    h.compare64(copies, bits);
    h.jump(Jump::Equal, skip);
    for (part = 0; part < parts; ++part) {
        const TempMask running = scratch_mask();
        h.move(bits, Gp::Running);
        h.shift_right32(bits, part * h.traits().lanes);
        h.mask_from_bits(running, bits);
        RegSet exported;
        // Export values in registers first: no value is read after this step, so loading values
        // from the frame would evict them.
        for (const bool held : {true, false}) {
            for (unsigned r = 0; r < exec::kRegisters; ++r) {
                const auto reg = static_cast<Reg>(r);
                if (exported.has(reg) || (held && !regs.in_register(reg, part)))
                    continue;
                Temp v = regs.use(reg, part);
                const auto offset = static_cast<int32_t>(r * sizeof(exec::Lanes));
                h.store_masked(lanes_at({copies, offset}), running, v);
                done_with(v);
                exported |= RegSet::one(reg);
            }
        }
    }
    part = 0;
    regs.end_part();  // only this path has borrowed registers of homes
    h.bind(skip);
}

// ---------------------------------------------------------------------------------------------
// Specials

Temp EmitContext::lane_numbers() {
    constexpr std::array<uint32_t, 16> numbers = {0, 1, 2,  3,  4,  5,  6,  7,
                                                  8, 9, 10, 11, 12, 13, 14, 15};
    return lane_table(numbers);
}

Temp EmitContext::lane_table(const std::array<uint32_t, 16>& values) {
    Temp v = scratch();
    Address table = pool_row(values);
    Scalar base;  // addresses in the constant pool take no index
    if (plan.rounds > 1) {
        base = scalar();
        h.load_address(base, table);
        table = {base};
    }
    h.load(v, lanes_at(table, part % (exec::kLanes / h.traits().lanes)));
    return v;
}

int32_t EmitContext::call_member(int32_t vertex, int32_t fragment, int32_t compute) const {
    switch (stage()) {
    case exec::Stage::Vertex:
    case exec::Stage::Geometry: return vertex;  // GeometryCall begins with a VertexCall
    case exec::Stage::Fragment:
    case exec::Stage::Blend: return fragment;
    case exec::Stage::Compute: return compute;
    }
    return 0;
}

Address EmitContext::thread_storage() const {
    return {Gp::Call,
            call_member(offsetof(exec::VertexCall, tls), offsetof(exec::FragmentCall, tls),
                        offsetof(exec::ComputeCall, tls))};
}

Temp EmitContext::draw_special(unsigned index, unsigned half) {
    Temp v = scratch();
    const Scalar draw = load64({Gp::Call, 0});
    h.move(v, Operand::broadcast({draw, static_cast<int32_t>(offsetof(exec::DrawContext, special) +
                                                             8 * index + 4 * half)}));
    return v;
}

Temp EmitContext::call_word(int32_t member) {
    Temp v = scratch();
    h.move(v, Operand::broadcast({Gp::Call, member}));
    return v;
}

Temp EmitContext::special_word(const Source& s, unsigned half) {
    const unsigned word_number = s.word + half;
    switch (s.index) {
    case exec::kLaneId: return word_number ? constant(0) : lane_numbers();
    case exec::kThreadLocalPointer:
        return constant(static_cast<uint32_t>(exec::kThreadLocalBase >> (32 * word_number)));
    case exec::kProgramCounter: return constant(word_number ? 0 : 8 * (step->word_index + 1));
    case exec::kCoreId:
        if (word_number)
            return constant(0);
        return call_word(call_member(offsetof(exec::VertexCall, worker),
                                     offsetof(exec::FragmentCall, worker),
                                     offsetof(exec::ComputeCall, worker)));
    case exec::kWorkgroupLocalPointer:
        if (stage() == exec::Stage::Compute && word_number < 2)
            return call_word(
                static_cast<int32_t>(offsetof(WarpCall, local_pointer) + 4 * word_number));
        break;
    default: break;
    }
    if (word_number > 1 || s.index >= exec::kDrawSpecials)
        return constant(0);
    return draw_special(s.index, word_number);
}

// ---------------------------------------------------------------------------------------------
// Results

void EmitContext::write(Vec value) {
    const valhall::Destination& dest = instr().dest;
    if (dest.mask == 3)
        return regs.define(dest.reg, part, value);
    const Vec old = regs.use(dest.reg, part);
    const Temp merged = scratch();
    if (dest.mask == 1)
        h.merge_halves(merged, value, old);
    else
        h.merge_halves(merged, old, value);
    regs.define(dest.reg, part, merged);
}

void EmitContext::write_source(unsigned source) {
    const WordFacts facts = word_facts(source);
    const Temp value = word(source);
    const Temp d = result_over(value);
    h.move(d, value);
    write(d);
    set_facts(facts);
}

void EmitContext::write_f32(Vec value, const FloatFacts& facts) {
    const FloatFacts finished = finish_f32(value, facts);
    write(value);
    set_facts({.number = finished, .quiet = true});
}

void EmitContext::write_constant(uint32_t value) {
    regs.define_constant(instr().dest.reg, value);
    wrote_constant = true;
}

void EmitContext::set_facts(const WordFacts& facts) {
    if (instr().dest.mask == 3)
        regs.set_facts(instr().dest.reg, part, facts);
}

void EmitContext::reject() {
    VALKYR_UNREACHABLE();
}

void EmitContext::write_f32_narrowing(Vec value, const FloatFacts& facts) {
    if (instr().dest.mask == 3) {
        write_f32(value, facts);
        return;
    }
    finish_f32(value, facts);
    const Temp half = scratch();
    h.f32_to_f16(half, value, Rounding::Nearest);
    write_half(half);
}

FloatFacts EmitContext::finish_f32(Vec value, const FloatFacts& facts) {
    const auto mode = instr().get<Clamp>(valhall::Mod::clamp);
    if (mode == Clamp::none) {
        if (!facts.is_number())
            canonicalise(value);
        return facts;
    }
    clamp(value, mode);  // NaNs become 0 or -1
    if (mode == Clamp::clamp_0_inf)
        return {1, facts.high, true, facts.from_one};
    return FloatFacts::within(1, mode == Clamp::clamp_0_1);
}

void EmitContext::write_half(Vec value) {
    if (instr().dest.mask != 2)
        return write(value);
    const Temp shifted = scratch();
    h.op(ImmOp::Shl32, shifted, value, 16);
    write(shifted);
}

void EmitContext::write_pair(const VecPair& value) {
    const auto reg = instr().dest.reg;
    regs.define(reg, part, value.low);
    regs.define(static_cast<Reg>((reg + 1) % 64), part, value.high);
}

void EmitContext::canonicalise(Vec value) {
    if (!shows_nans())
        return;
    h.replace_nans(value, value, pool(kQuietNan));
}

// max with the low bound first: a NaN becomes the bound, and -0 becomes +0 under max(x, +0).
void EmitContext::clamp(Vec value, Clamp mode, bool may_signal) {
    const NumOperands bounded = {
        .may_signal = may_signal, .second_is_number = true, .second_if_equal = true};
    switch (mode) {
    case Clamp::none: return;
    case Clamp::clamp_0_inf: h.max_num(value, value, constant(0), bounded); return;
    case Clamp::clamp_m1_1:
        h.max_num(value, value, pool(kMinusOne), bounded);
        h.min_num(value, value, pool(kOne), bounded);
        return;
    case Clamp::clamp_0_1:
        h.max_num(value, value, constant(0), bounded);
        h.min_num(value, value, pool(kOne), bounded);
        return;
    }
}

}  // namespace valkyr::jit
