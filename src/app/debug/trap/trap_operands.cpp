// Trap operands: keeps what each word has read, and prints what a line has read from outside of it.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_watch_p.hpp"

#include <cstdio>
#include <cstdlib>

namespace valkyr::debug {

namespace {

using exec::Lanes;
using valhall::Instr;
using valhall::SourceKind;

constexpr size_t kMostOperands = 8;

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

}  // namespace

void TrapWatch::keep_operands(const Reader& at) {
    WarpTrace::Operands& kept = at.trace.operands[at.word];
    for (unsigned k = 0; k < at.info.sources.size() && k < kept.values.size(); ++k) {
        const valhall::Source& source = at.instr().src[k];
        // Signs that the instruction changes are in its text.
        const Lanes value = at.info.sources[k].size == 16 || source.selector != 0
                                ? at.value(k)
                                : valhall::interpret::word(at.machine, source);
        if (at.lanes == kAllLanes) {
            kept.values[k] = value;
            kept.writers[k] =
                source.kind == SourceKind::Register ? at.trace.writers[source.index] : Lanes{};
            continue;
        }
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

}  // namespace valkyr::debug
