// Trap marks: says where the result of a step comes from.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_watch_p.hpp"
#include "valhall/isa/messages.hpp"

namespace valkyr::debug {

using exec::kLanes;
using exec::Lanes;
using valhall::Op;
using valhall::SourceKind;
using Origin = TrapMark::Origin;

bool TrapWatch::makes_floats(uint32_t word) const {
    if (lines_[word] < kOwnLine)
        return text_.line(lines_[word]).makes_floats;
    return valhall::op_info(instrs_[word].op).dest_is_float;
}

bool TrapWatch::reads_constant(uint32_t word, uint32_t bits) const {
    const std::vector<uint32_t>& constants = text_.line(lines_[word]).constants;
    return std::ranges::find(constants, bits) != constants.end();
}

/// Halves count where they are made: the registers that hold them are those of integers.
void TrapWatch::write_halves(const Reader& at) {
    const bool narrows = at.info.type_size == 32 || at.info.sources[0].size == 32;
    const bool each_own = at.instr().op == Op::V2F32_TO_V2F16;
    at.each_lane([&](unsigned lane) {
        const uint32_t bits = at.event.after.r[at.instr().dest.reg].v[lane];
        TrapMark& mark = at.trace.change(at.instr().dest.reg, lane);
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
    const unsigned reg = at.instr().dest.reg;
    const Lanes& result = at.event.after.r[reg];
    // Numbers that are computed of numbers: the commonest case by far.
    if (special_lanes(result, at.lanes) == 0 && !reads_marked(at)) {
        at.trace.clear(reg, at.lanes);
    } else {
        std::array<TrapMark, kLanes> marks{};
        at.each_lane([&](unsigned lane) { marks[lane] = result_mark(at, lane, result.v[lane]); });
        at.each_lane([&](unsigned lane) { at.trace.change(reg, lane) = marks[lane]; });
    }
    if (at.info.dest_is_pair)
        at.trace.clear((reg + 1) % exec::kRegisters, at.lanes);
}

/// Whether a source is a register that may have marks.
bool TrapWatch::reads_marked(const Reader& at) {
    const auto& sources = at.instr().src;
    return std::any_of(sources.begin(), sources.begin() + at.info.sources.size(),
                       [&](const valhall::Source& source) {
                           return source.kind == SourceKind::Register &&
                                  at.trace.is_marked(source.index);
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

}  // namespace valkyr::debug
