// Trap watch: finds where NaN and infinity come from in warps that an interpreter runs.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_watch.hpp"

#include "base/float_bits.hpp"
#include "exec/specials.hpp"
#include "valhall/arith/arith_half.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/messages.hpp"
#include "valhall/isa/register_access.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace valkyr::debug {

namespace {

using exec::kLanes;
using exec::Lanes;
using valhall::Instr;
using valhall::Op;
using valhall::SourceKind;
using Origin = TrapMark::Origin;

/// TrapWatch::lines_ of a message, or of a word that belongs to no line of the text: this plus the
/// word.
constexpr uint32_t kOwnLine = 0x80000000;
constexpr size_t kMostOperands = 8;

template <typename T>
Special special_of(T number) {
    if (std::isnan(number))
        return Special::Nan;
    return std::isinf(number) ? Special::Infinity : Special::None;
}
Special special_of_bits(uint32_t bits) {
    return special_of(std::bit_cast<float>(bits));
}
Special special_of_half(uint32_t bits) {
    return special_of(valhall::arith::half_to_float(static_cast<uint16_t>(bits)));
}
Special special_of_double(uint32_t low, uint32_t high) {
    return special_of(std::bit_cast<double>(uint64_t{high} << 32 | low));
}

/// Whether an operand explains a result: NaN explains both, infinity explains itself.
bool explains(Special operand, Special result) {
    return operand == Special::Nan || (operand == Special::Infinity && result == Special::Infinity);
}

std::string number_text(double number, int digits) {
    if (std::isnan(number))
        return "nan";
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, number);
    return text;
}
/// As few digits as tell the number from its neighbours.
std::string float_text(uint32_t bits) {
    const auto number = std::bit_cast<float>(bits);
    for (int digits = 6; digits < 9; ++digits)
        if (std::string text = number_text(number, digits);
            std::strtof(text.c_str(), nullptr) == number)
            return text;
    return number_text(number, 9);
}
std::string double_text(uint32_t low, uint32_t high) {
    return number_text(std::bit_cast<double>(uint64_t{high} << 32 | low), 17);
}

/// Words of each operand of an operation on doubles, and whether they are doubles.
struct DoubleOperands {
    uint8_t doubles = 0;  ///< come first
    uint8_t floats = 0;
};
DoubleOperands operands_of_op(valhall::DoubleOp op) {
    using valhall::DoubleOp;
    const uint8_t words = double_op_info(op).source_words;
    if (op == DoubleOp::FromFloat)
        return {0, 1};
    if (op == DoubleOp::FromS32 || op == DoubleOp::FromU32 || op == DoubleOp::FromS64 ||
        op == DoubleOp::FromU64)
        return {};
    return {static_cast<uint8_t>(words / 2), 0};
}
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

/// A warp: the marks of its registers, and the operands of each word's last execution.
struct TrapWatch::WarpTrace {
    struct Operands {
        std::array<Lanes, 4> values;
        std::array<Lanes, 4> writers;  ///< of registers: word plus 1; 0: none
    };
    WarpTrace(size_t words, size_t double_ranges)
        : counted(words)
        , operands(words)
        , doubles(double_ranges) {}
    void start() {
        marks = {};
        writers = {};
        std::ranges::fill(counted, Counted{});
        counted_results = {};
    }
    /// Whether it is the first time for the lane.
    static bool is_first(uint16_t& lanes, unsigned lane) {
        const bool first = (lanes >> lane & 1) == 0;
        lanes |= static_cast<uint16_t>(1U << lane);
        return first;
    }

    std::array<std::array<TrapMark, kLanes>, exec::kRegisters> marks{};
    std::array<Lanes, exec::kRegisters> writers{};  ///< word plus 1
    /// Lanes that have hit a place: by the Special and whether it was made.
    using Counted = std::array<std::array<uint16_t, 2>, 3>;
    std::vector<Counted> counted;
    std::array<uint16_t, exec::kRegisters> counted_results{};  ///< by register of the prologue
    std::vector<Operands> operands;
    /// By operation on doubles: the words of its operands when each lane executed it last.
    using Doubles = std::array<std::array<uint32_t, valhall::kMaxDoubleSources>, kLanes>;
    std::vector<Doubles> doubles;
    std::array<TrapMark, kLanes> doubles_mark{};  ///< of an operand that is no number
    uint32_t number = 0;
};

/// A step that is looked at.
struct TrapWatch::Reader {
    const valhall::StepEvent& event;
    WarpTrace& trace;
    uint32_t word;
    uint16_t lanes;  ///< that execute it
    uint16_t live;   ///< and are no helpers
    const valhall::OpInfo& info;
    const valhall::interpret::Machine& machine;  ///< before the step

    [[nodiscard]] const Instr& instr() const { return event.instr; }
    [[nodiscard]] bool is_live(unsigned lane) const { return live >> lane & 1; }
    template <typename F>
    void each_lane(F f) const {
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if (lanes >> lane & 1)
                f(lane);
    }
    /// The values of a source as the instruction reads them.
    [[nodiscard]] Lanes value(unsigned source) const {
        const valhall::Source& from = instr().src[source];
        if (!info.sources[source].is_float)
            return valhall::interpret::word(machine, from);
        if (info.sources[source].size == 16)
            return valhall::interpret::v2f16(machine, from);
        return info.sources[source].selector == valhall::SelectorKind::None
                   ? valhall::interpret::f32_plain(machine, from)
                   : valhall::interpret::f32(machine, from);
    }
};

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
                at.each_lane([&](unsigned lane) { trace.marks[access.reg][lane] = {}; });
        if (at.word + 1 == range->first + range->count)
            write_doubles(at, *range);
    } else if (at.info.has_dest) {
        const bool is_halves =
            at.info.dest_is_float && (at.info.type_size == 16 || at.instr().dest.mask != 3);
        is_halves ? write_halves(at) : write_word(at);
    }
    write_staging(at);
    for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(at.instr()))
        if (access.is_write())
            at.each_lane([&](unsigned lane) { trace.writers[access.reg].v[lane] = at.word + 1; });
}

bool TrapWatch::makes_floats(uint32_t word) const {
    if (lines_[word] < kOwnLine)
        return text_.line(lines_[word]).makes_floats;
    return valhall::op_info(instrs_[word].op).dest_is_float;
}

bool TrapWatch::is_carrier(uint32_t word) const {
    const valhall::OpInfo& info = valhall::op_info(instrs_[word].op);
    return info.has_dest && !info.dest_is_float && is_alu(info.unit) &&
           (lines_[word] >= kOwnLine || text_.line(lines_[word]).is_flow);
}

bool TrapWatch::reads_constant(uint32_t word, uint32_t bits) const {
    const std::vector<uint32_t>& constants = text_.line(lines_[word]).constants;
    return std::ranges::find(constants, bits) != constants.end();
}

void TrapWatch::hit(const Reader& at, unsigned lane, const TrapMark& mark, bool is_made) {
    auto& counted = at.trace.counted[places_[mark.word]];
    if (!at.is_live(lane) ||
        !WarpTrace::is_first(counted[static_cast<size_t>(mark.special)][is_made ? 1 : 0], lane))
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
        !WarpTrace::is_first(at.trace.counted_results[reg], lane))
        return;
    const std::function<std::string()> operands = [&left] { return left.operands; };
    on_hit_({left.mark.special, left.mark.origin == Origin::Made, true, left.mark.word, lane,
             at.trace.number, at.event.warp, operands});
}

/// Counts what the step reads: values that leave the line that made them, and untyped ones that it
/// takes for floats.
void TrapWatch::read_registers(const Reader& at) {
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
    at.each_lane([&](unsigned lane) {
        TrapMark& mark = at.trace.marks[reg % exec::kRegisters][lane];
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
    TrapMark& mark = at.trace.marks[reg][lane];
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
        TrapMark& mark = at.trace.marks[reg][lane];
        if (operand.origin == Origin::Known && explains(operand.special, special))
            mark = {special, Origin::Known, operand.word};
        else
            mark = {special, Origin::Made, at.word};
    });
}

/// Halves count where they are made: the registers that hold them are those of integers.
void TrapWatch::write_halves(const Reader& at) {
    const bool narrows = at.info.type_size == 32 || at.info.sources[0].size == 32;
    const bool each_own = at.instr().op == Op::V2F32_TO_V2F16;
    at.each_lane([&](unsigned lane) {
        const uint32_t bits = at.event.after.r[at.instr().dest.reg].v[lane];
        TrapMark& mark = at.trace.marks[at.instr().dest.reg][lane];
        mark = {};
        for (unsigned half = 0; half < 2; ++half) {
            const Special special = special_of_half(bits >> 16 * half);
            if ((at.instr().dest.mask >> half & 1) == 0 || special == Special::None)
                continue;
            bool explained = false;
            for (size_t k = 0; k < at.info.sources.size(); ++k) {
                if (!at.info.sources[k].is_float || (each_own && k != half))
                    continue;
                const uint32_t value = at.value(static_cast<unsigned>(k)).v[lane];
                explained |=
                    explains(narrows ? special_of_bits(value) : special_of_half(value >> 16 * half),
                             special);
            }
            if (!explained)
                hit(at, lane, {special, Origin::Made, at.word}, true);
            mark = {special, Origin::Known, at.word};
        }
    });
}

void TrapWatch::write_word(const Reader& at) {
    at.each_lane([&](unsigned lane) {
        const unsigned reg = at.instr().dest.reg;
        const TrapMark mark = result_mark(at, lane, at.event.after.r[reg].v[lane]);
        at.trace.marks[reg][lane] = mark;
        if (at.info.dest_is_pair)
            at.trace.marks[(reg + 1) % exec::kRegisters][lane] = {};
    });
}

/// The mark of a result: that of the operand that explains it, or a new one. An operand from
/// outside of the line explains it better than the line's own.
TrapMark TrapWatch::result_mark(const Reader& at, unsigned lane, uint32_t bits) {
    std::optional<TrapMark> passed;
    if (valhall::has_effect(at.instr().op, valhall::Effect::lanes))
        passed = mark_of_neighbour(at, bits);
    for (unsigned k = 0; k < at.info.sources.size(); ++k) {
        const TrapMark mark = mark_of_source(at, k, lane, bits);
        if (mark.origin != Origin::None && (!passed || mark.origin == Origin::Known))
            passed = mark;
    }
    if (passed)
        return *passed;
    const Special special = special_of_bits(bits);
    if (special == Special::None)
        return {};
    return {special, makes_floats(at.word) ? Origin::Made : Origin::Bits, at.word};
}

/// The mark of a value that may be another lane's. A value that only helper lanes have is new.
std::optional<TrapMark> TrapWatch::mark_of_neighbour(const Reader& at, uint32_t bits) const {
    const valhall::Source& from = at.instr().src[0];
    if (from.kind != SourceKind::Register)
        return std::nullopt;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const TrapMark& mark = at.trace.marks[from.index][lane];
        if (at.is_live(lane) && mark.origin != Origin::None &&
            at.event.before.r[from.index].v[lane] == bits)
            return TrapMark{mark.special, Origin::Known, at.word};
    }
    return std::nullopt;
}

/// The mark that the result has because of a source; none if the source does not explain it.
TrapMark
TrapWatch::mark_of_source(const Reader& at, unsigned source, unsigned lane, uint32_t bits) {
    const valhall::Source& from = at.instr().src[source];
    const valhall::SourceInfo& info = at.info.sources[source];
    const uint32_t value = at.value(source).v[lane];
    const bool copies = !info.is_float && value == bits;
    const bool is_half = info.is_float && info.size == 16;
    // A copy keeps the mark, also that of the upper half of a double.
    if (copies && from.kind == SourceKind::Register) {
        TrapMark mark = at.trace.marks[from.index][lane];
        if (mark.origin != Origin::None && one_line(mark.word, at.word))
            mark.word = at.word;
        if (mark.origin != Origin::None)
            return mark;
    }
    const Special result = special_of_bits(bits);
    const Special special = is_half                   ? special_of_half(value)
                            : info.is_float || copies ? special_of_bits(value)
                                                      : Special::None;
    if (result == Special::None || !explains(special, result))
        return {};
    if (from.kind == SourceKind::Uniform)
        return mark_of_uniform(at, source, lane, result, copies);
    if (from.kind != SourceKind::Register)
        return {};
    return is_half ? TrapMark{result, Origin::Bits, at.word}
                   : mark_of_register(at, from.index, lane, result);
}

TrapMark
TrapWatch::mark_of_register(const Reader& at, unsigned reg, unsigned lane, Special result) const {
    const TrapMark& mark = at.trace.marks[reg][lane];
    const bool is_own =
        mark.origin != Origin::None && mark.origin != Origin::Known && one_line(mark.word, at.word);
    return {result, is_own ? Origin::Made : Origin::Known, at.word};
}

/// Counts what comes in by a uniform, and what the prologue left there.
TrapMark TrapWatch::mark_of_uniform(
    const Reader& at, unsigned source, unsigned lane, Special result, bool copies) {
    const uint32_t index = at.instr().src[source].index;
    const valhall::FauWord fau =
        index < program_.fau.size() ? program_.fau[index] : valhall::FauWord{};
    if (fau.kind == valhall::FauKind::Immediate && !reads_constant(at.word, fau.value))
        return {};  // a constant of the compiler's code
    if (fau.kind == valhall::FauKind::Prologue && prologue_ &&
        fau.value < prologue_->registers.size()) {
        const PrologueMarks::Result& left = prologue_->registers[fau.value];
        const bool is_made = left.mark.origin == Origin::Made;
        if (is_made && left.line == lines_[at.word])
            return {};  // the line's own
        if (left.mark.origin != Origin::None) {
            hit_prologue(at, lane, fau.value);
            return {result, Origin::Known, at.word};
        }
    }
    if (copies)
        return {result, Origin::Bits, at.word};
    hit(at, lane, {result, Origin::Bits, at.word}, false);
    return {result, Origin::Known, at.word};
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
            at.each_lane([&](unsigned lane) {
                TrapMark& mark = at.trace.marks[reg][lane];
                mark = {};
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

void TrapWatch::keep_operands(const Reader& at) {
    WarpTrace::Operands& kept = at.trace.operands[at.word];
    for (unsigned k = 0; k < at.info.sources.size() && k < kept.values.size(); ++k) {
        const valhall::Source& source = at.instr().src[k];
        // Signs that the instruction changes are in its text.
        const Lanes value = at.info.sources[k].size == 16 || source.selector != 0
                                ? at.value(k)
                                : valhall::interpret::word(at.machine, source);
        at.each_lane([&](unsigned lane) {
            kept.values[k].v[lane] = value.v[lane];
            kept.writers[k].v[lane] =
                source.kind == SourceKind::Register ? at.trace.writers[source.index].v[lane] : 0;
        });
    }
}

/// Adds the values that a word and the words of its line that it depends on read from outside of
/// the line.
void TrapWatch::collect(const WarpTrace& trace,
                        uint32_t word,
                        unsigned lane,
                        std::set<uint32_t>& seen,
                        std::vector<std::string>& values) const {
    if (!seen.insert(word).second)
        return;
    if (const valhall::DoubleRange* range = ranges_[word]) {
        const auto& kept = trace.doubles[number_of(*range)][lane];
        const DoubleOperands operands = operands_of_op(range->op);
        for (unsigned i = 0; i < operands.doubles; ++i)
            values.push_back(double_text(kept[2 * i], kept[2 * i + 1]));
        return;
    }
    const Instr& instr = instrs_[word];
    const valhall::OpInfo& info = valhall::op_info(instr.op);
    for (unsigned k = 0; k < info.sources.size() && k < 4; ++k) {
        const valhall::Source& source = instr.src[k];
        const uint32_t writer = trace.operands[word].writers[k].v[lane];
        const uint32_t bits = trace.operands[word].values[k].v[lane];
        if (source.kind == SourceKind::Register && writer != 0 && one_line(writer - 1, word)) {
            collect(trace, writer - 1, lane, seen, values);
            continue;
        }
        const bool is_constant =
            source.kind == SourceKind::Constant || source.kind == SourceKind::Special ||
            (source.kind == SourceKind::Uniform && source.index < program_.fau.size() &&
             program_.fau[source.index].kind == valhall::FauKind::Immediate);
        if (is_constant && !reads_constant(word, bits) && lines_[word] < kOwnLine)
            continue;
        std::string text = info.sources[k].size == 16
                               ? float_text(std::bit_cast<uint32_t>(
                                     valhall::arith::half_to_float(static_cast<uint16_t>(bits))))
                               : float_text(bits);
        if (std::ranges::find(values, text) == values.end())
            values.push_back(std::move(text));
    }
}

std::string TrapWatch::operands_of(const WarpTrace& trace, uint32_t word, unsigned lane) const {
    std::set<uint32_t> seen;
    std::vector<std::string> values;
    collect(trace, word, lane, seen, values);
    std::string text;
    for (size_t i = 0; i < values.size() && i < kMostOperands; ++i)
        text += (i != 0 ? ", " : "") + values[i];
    return text;
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
