// Trap watch: finds where NaN and infinity come from in warps that an interpreter runs.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_watch.hpp"

#include "app/debug/trap/trap_watch_p.hpp"
#include "exec/specials.hpp"
#include "valhall/isa/messages.hpp"
#include "valhall/isa/register_access.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace valkyr::debug {

namespace {

using exec::kLanes;
using exec::Lanes;
using valhall::Instr;
using valhall::Op;
using valhall::SourceKind;
using Origin = TrapMark::Origin;

bool has_double_result(valhall::DoubleOp op) {
    return double_op_info(op).result_words == 2 && op != valhall::DoubleOp::ToS64 &&
           op != valhall::DoubleOp::ToU64;
}

bool is_float_format(exec::Format format) {
    const exec::ChannelType type = exec::format_info(format).type;
    return type != exec::ChannelType::Uint && type != exec::ChannelType::Sint;
}

/// Whether BLEND sends floats: a target of integers gets the registers' bits.
bool blends_floats(const Instr& instr, const exec::Warp& warp) {
    const auto* key = static_cast<const exec::FragmentKey*>(warp.draw->key);
    const auto target = static_cast<unsigned>(instr.src[0].index - exec::kBlendDescriptor0);
    return key == nullptr || target >= exec::kMaxRenderTargets ||
           is_float_format(key->blend[target].format);
}

/// Whether all numbers that a varying is interpolated from are finite.
bool has_finite_planes(const exec::Warp& warp, uint32_t offset) {
    const exec::PrimitiveSetup& primitive = *warp.fragment->primitive;
    if (primitive.slots == nullptr || !std::isfinite(primitive.q.a) ||
        !std::isfinite(primitive.q.cx) || !std::isfinite(primitive.q.cy))
        return false;
    const exec::SlotPlanes& planes = primitive.slots[offset / valhall::kBytesPerSlot];
    const auto finite = [](float number) { return std::isfinite(number); };
    return std::ranges::all_of(planes.a, finite) && std::ranges::all_of(planes.cx, finite) &&
           std::ranges::all_of(planes.cy, finite);
}

/// The contents of the registers that a message fills.
enum class MessageResult : uint8_t { Bits, Floats, Halves, NoNumbers };
MessageResult result_of(const Instr& instr, const exec::Warp& warp) {
    using valhall::Effect;
    if (valhall::has_effect(instr.op, Effect::coverage))
        return MessageResult::NoNumbers;
    if (valhall::has_effect(instr.op, Effect::texture)) {
        const auto message = valhall::texture_message(instr, exec::TextureOp::Sample);
        if (message.half)
            return MessageResult::Halves;
        return message.register_type == 1 ? MessageResult::Floats : MessageResult::Bits;
    }
    if (const auto varying = valhall::immediate_varying(instr))
        return varying->half   ? MessageResult::Halves
               : varying->flat ? MessageResult::Bits
                               : MessageResult::Floats;
    if (instr.op == Op::LD_VAR_SPECIAL)
        return MessageResult::Floats;
    if (instr.op == Op::LD_ATTR_IMM) {
        const exec::ResourceTables& tables = warp.draw->tables;
        const auto index = static_cast<uint32_t>(instr.imm[0]);
        return index < tables.attribute_count && is_float_format(tables.attributes[index].format)
                   ? MessageResult::Floats
                   : MessageResult::Bits;
    }
    return MessageResult::Bits;
}

}  // namespace

TrapWatch::TrapWatch(const valhall::Program& program,
                     const TrapText& text,
                     std::shared_ptr<const PrologueMarks> prologue,
                     OnHit on_hit)
    : program_(program)
    , text_(text)
    , prologue_(std::move(prologue))
    , on_hit_(std::move(on_hit)) {
    const auto words = static_cast<uint32_t>(program.words.size());
    for (uint32_t word = 0; word < words; ++word) {
        const auto instr = valhall::decode(program.words[word]);
        instrs_.push_back(instr ? *instr : Instr{});
        const uint32_t line = word < program.source_lines.size() ? program.source_lines[word] : 0;
        const bool is_message = !is_alu(valhall::op_info(instrs_[word].op).unit);
        lines_.push_back(line != 0 && !is_message ? line : kOwnLine + word);
    }
    std::map<uint32_t, uint32_t> first_words;
    for (uint32_t word = 0; word < words; ++word) {
        const uint32_t line = word < program.source_lines.size() ? program.source_lines[word] : 0;
        places_.push_back(
            first_words.try_emplace(line != 0 ? line : kOwnLine + word, word).first->second);
    }
    ranges_.resize(words);
    for (const valhall::DoubleRange& range : program.double_ranges)
        for (uint32_t i = 0; i < range.count && range.first + i < words; ++i)
            ranges_[range.first + i] = &range;
}

TrapWatch::~TrapWatch() = default;

valhall::InterpreterOptions TrapWatch::options() {
    valhall::InterpreterOptions options;
    options.on_step = [this](const valhall::StepEvent& event) { step(event); };
    return options;
}

void TrapWatch::begin(const exec::DrawContext& draw, bool is_group) {
    fau_ = {draw.fau, draw.fau != nullptr ? program_.fau.size() : 0};
    warps_.begin(is_group);
}

TrapWatch::WarpTrace& TrapWatch::trace_of(const valhall::StepEvent& event) {
    const CallWarps::Place place = warps_.next(event);
    if (place.slot == traces_.size())
        traces_.push_back(
            std::make_unique<WarpTrace>(program_.words.size(), program_.double_ranges.size()));
    WarpTrace& trace = *traces_[place.slot];
    if (place.is_new) {
        trace.start();
        trace.number = place.number;
    }
    return trace;
}

void TrapWatch::step(const valhall::StepEvent& event) {
    WarpTrace& trace = trace_of(event);
    const valhall::interpret::CallContext call{.fau = fau_};
    // Reading operands changes neither the state nor the warp.
    auto& state = const_cast<valhall::WarpState&>(event.before);
    exec::Warp warp = event.warp;
    const valhall::interpret::Machine machine{state, warp, call, event.word_index};
    const Reader at{event,
                    trace,
                    event.word_index,
                    event.before.running,
                    static_cast<uint16_t>(event.before.running & event.before.live),
                    valhall::op_info(event.instr.op),
                    machine};
    const valhall::DoubleRange* range = ranges_[at.word];
    if (range != nullptr && range->first == at.word)
        read_doubles(at, *range);
    read_registers(at);
    keep_operands(at);
    if (range != nullptr) {
        for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(at.instr()))
            if (access.is_write())
                trace.clear(access.reg, at.lanes);
        if (at.word + 1 == range->first + range->count)
            write_doubles(at, *range);
    } else if (at.info.has_dest) {
        const bool is_halves =
            at.info.dest_is_float && (at.info.type_size == 16 || at.instr().dest.mask != 3);
        is_halves ? write_halves(at) : write_word(at);
    }
    write_staging(at);
    for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(at.instr()))
        if (access.is_write() && at.lanes == kAllLanes)
            std::ranges::fill(trace.writers[access.reg].v, at.word + 1);
        else if (access.is_write())
            at.each_lane([&](unsigned lane) { trace.writers[access.reg].v[lane] = at.word + 1; });
}

bool TrapWatch::is_carrier(uint32_t word) const {
    const valhall::OpInfo& info = valhall::op_info(instrs_[word].op);
    return info.has_dest && !info.dest_is_float && is_alu(info.unit) &&
           (lines_[word] >= kOwnLine || text_.line(lines_[word]).is_flow);
}

void TrapWatch::hit(const Reader& at, unsigned lane, const TrapMark& mark, bool is_made) {
    auto& counted = at.trace.counted[places_[mark.word]];
    if (!at.is_live(lane) ||
        !at.trace.is_first(counted[static_cast<size_t>(mark.special)][is_made ? 1 : 0], lane))
        return;
    const std::function<std::string()> operands = [&] {
        return is_made ? operands_of(at.trace, mark.word, lane) : std::string();
    };
    on_hit_(
        {mark.special, is_made, false, mark.word, lane, at.trace.number, at.event.warp, operands});
}

/// Counts what the prologue left in a register.
void TrapWatch::hit_prologue(const Reader& at, unsigned lane, uint32_t reg) {
    const PrologueMarks::Result& left = prologue_->registers[reg];
    if (!at.is_live(lane) || left.mark.origin == Origin::Known ||
        !at.trace.is_first(at.trace.counted_results[reg], lane))
        return;
    const std::function<std::string()> operands = [&left] { return left.operands; };
    on_hit_({left.mark.special, left.mark.origin == Origin::Made, true, left.mark.word, lane,
             at.trace.number, at.event.warp, operands});
}

/// Counts what the step reads: values that leave the line that made them, and untyped ones that it
/// takes for floats.
void TrapWatch::read_registers(const Reader& at) {
    if (at.trace.marked == 0)
        return;
    const Instr& instr = at.instr();
    const bool carries = is_carrier(at.word);
    for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(instr))
        if (!access.is_write() && !carries)
            read_one(at, access.reg, false);
    for (size_t k = 0; k < at.info.sources.size(); ++k)
        if (at.info.sources[k].is_float && at.info.sources[k].size == 32 &&
            instr.src[k].kind == SourceKind::Register)
            read_one(at, instr.src[k].index, true);
    if (valhall::has_effect(instr.op, valhall::Effect::blend) &&
        blends_floats(instr, at.event.warp))
        for (unsigned k = 0; k < instr.staging[0].count; ++k)
            read_one(at, instr.staging[0].base + k, true);
}

void TrapWatch::read_one(const Reader& at, unsigned reg, bool as_float) {
    reg %= exec::kRegisters;
    if (!at.trace.is_marked(reg))
        return;
    at.each_lane([&](unsigned lane) {
        TrapMark& mark = at.trace.marks[reg][lane];
        if (mark.origin != Origin::Made && (mark.origin != Origin::Bits || !as_float))
            return;
        if (one_line(mark.word, at.word))
            return;
        hit(at, lane, mark, mark.origin == Origin::Made);
        mark.origin = Origin::Known;
    });
}

/// Keeps the operands of an operation on doubles until its last word, and the mark of one that is
/// no number: a NaN rather than an infinity.
void TrapWatch::read_doubles(const Reader& at, const valhall::DoubleRange& range) {
    const DoubleOperands operands = operands_of_op(range.op);
    at.each_lane([&](unsigned lane) {
        auto& kept = at.trace.doubles[number_of(range)][lane];
        for (unsigned i = 0; i < double_op_info(range.op).source_words; ++i)
            kept[i] = at.event.before.r[range.sources[i]].v[lane];
        TrapMark& found = at.trace.doubles_mark[lane];
        found = {};
        for (unsigned i = 0; i < operands.doubles; ++i)
            read_number(at, lane, range.sources[2 * i + 1],
                        special_of_double(kept[2 * i], kept[2 * i + 1]), found);
        if (operands.floats != 0)
            read_number(at, lane, range.sources[0], special_of_bits(kept[0]), found);
    });
}

/// Counts an operand that came in, and keeps its mark.
/// reg  that has its sign
void TrapWatch::read_number(
    const Reader& at, unsigned lane, unsigned reg, Special special, TrapMark& found) {
    if (special == Special::None)
        return;
    TrapMark& mark = at.trace.change(reg, lane);
    if (mark.origin == Origin::None) {
        const uint32_t writer = at.trace.writers[reg].v[lane];
        mark = {special, Origin::Bits, writer != 0 ? writer - 1 : at.word};
    }
    if (mark.origin == Origin::Made ? !one_line(mark.word, at.word) : mark.origin == Origin::Bits) {
        mark.special = special;
        hit(at, lane, mark, mark.origin == Origin::Made);
        mark.origin = Origin::Known;
    }
    if (found.origin == Origin::None || special == Special::Nan)
        found = {special, mark.origin, mark.word};
}

void TrapWatch::write_doubles(const Reader& at, const valhall::DoubleRange& range) {
    const bool wide = has_double_result(range.op);
    if (!wide && range.op != valhall::DoubleOp::ToFloat)
        return;
    at.each_lane([&](unsigned lane) {
        const uint32_t low = at.event.after.r[range.result].v[lane];
        const unsigned reg = wide ? range.result + 1U : range.result;
        const uint32_t high = at.event.after.r[reg].v[lane];
        const Special special = wide ? special_of_double(low, high) : special_of_bits(low);
        if (special == Special::None)
            return;
        const TrapMark& operand = at.trace.doubles_mark[lane];
        TrapMark& mark = at.trace.change(reg, lane);
        if (operand.origin == Origin::Known && explains(operand.special, special))
            mark = {special, Origin::Known, operand.word};
        else
            mark = {special, Origin::Made, at.word};
    });
}

void TrapWatch::write_staging(const Reader& at) {
    const auto runs = at.info.staging;
    const bool writes = std::ranges::any_of(runs, [](const auto& run) { return run.write; });
    if (!writes)
        return;
    const MessageResult kind = result_of(at.instr(), at.event.warp);
    const auto varying = valhall::immediate_varying(at.instr());
    for (size_t n = 0; n < runs.size(); ++n) {
        const valhall::Staging& run = at.instr().staging[n];
        for (unsigned i = 0; runs[n].write && i < run.count; ++i) {
            const unsigned reg = (run.base + i) % exec::kRegisters;
            at.trace.clear(reg, at.lanes);
            if (special_lanes(at.event.after.r[reg], at.lanes) == 0)
                continue;
            at.each_lane([&](unsigned lane) {
                TrapMark& mark = at.trace.change(reg, lane);
                const Special special = special_of_bits(at.event.after.r[reg].v[lane]);
                if (special == Special::None || kind == MessageResult::Halves ||
                    kind == MessageResult::NoNumbers)
                    return;
                mark = {special, Origin::Bits, at.word};
                if (kind == MessageResult::Bits)
                    return;
                hit(at, lane, mark, varying && has_finite_planes(at.event.warp, varying->offset));
                mark.origin = Origin::Known;
            });
        }
    }
}

void TrapWatch::take_results(PrologueMarks& marks) const {
    marks = {};
    if (traces_.empty())
        return;
    const WarpTrace& trace = *traces_.front();
    for (unsigned reg = 0; reg < exec::kRegisters; ++reg) {
        const TrapMark& mark = trace.marks[reg][0];
        if (mark.origin == Origin::None)
            continue;
        marks.registers[reg] = {mark, lines_[mark.word], operands_of(trace, mark.word, 0)};
    }
}

}  // namespace valkyr::debug
