// Trap watch internals: a warp's trace and a step, for the files that define TrapWatch.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/trap/trap_watch.hpp"
#include "base/float_bits.hpp"
#include "valhall/arith/arith_half.hpp"
#include "valhall/interpreter/interpret.hpp"
#include "valhall/isa/decode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace valkyr::debug {

/// TrapWatch::lines_ of a message, or of a word that belongs to no line of the text: this plus the
/// word.
inline constexpr uint32_t kOwnLine = 0x80000000;

template <typename T>
Special special_of(T number) {
    if (std::isnan(number))
        return Special::Nan;
    return std::isinf(number) ? Special::Infinity : Special::None;
}
inline Special special_of_bits(uint32_t bits) {
    return special_of(std::bit_cast<float>(bits));
}
inline Special special_of_half(uint32_t bits) {
    return special_of(valhall::arith::half_to_float(static_cast<uint16_t>(bits)));
}
inline Special special_of_double(uint32_t low, uint32_t high) {
    return special_of(std::bit_cast<double>(uint64_t{high} << 32 | low));
}

/// Whether an operand explains a result: NaN explains both, infinity explains itself.
inline bool explains(Special operand, Special result) {
    return operand == Special::Nan || (operand == Special::Infinity && result == Special::Infinity);
}

/// Words of each operand of an operation on doubles, and whether they are doubles.
struct DoubleOperands {
    uint8_t doubles = 0;  ///< come first
    uint8_t floats = 0;
};
inline DoubleOperands operands_of_op(valhall::DoubleOp op) {
    using valhall::DoubleOp;
    const uint8_t words = double_op_info(op).source_words;
    if (op == DoubleOp::FromFloat)
        return {0, 1};
    if (op == DoubleOp::FromS32 || op == DoubleOp::FromU32 || op == DoubleOp::FromS64 ||
        op == DoubleOp::FromU64)
        return {};
    return {static_cast<uint8_t>(words / 2), 0};
}

/// The lanes whose values are no numbers when they are taken for floats.
inline uint16_t special_lanes(const exec::Lanes& values, uint16_t lanes) {
    uint32_t found = 0;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane)
        found |= uint32_t{(values.v[lane] & float_bits::kInfinity) == float_bits::kInfinity}
                 << lane;
    return static_cast<uint16_t>(found & lanes);
}

inline constexpr uint16_t kAllLanes = 0xFFFF;

/// A warp: the marks of its registers, and the operands of each word's last execution.
struct TrapWatch::WarpTrace {
    struct Operands {
        std::array<exec::Lanes, 4> values;
        std::array<exec::Lanes, 4> writers;  ///< of registers: word plus 1; 0: none
    };
    WarpTrace(size_t words, size_t double_ranges)
        : counted(words)
        , operands(words)
        , doubles(double_ranges) {}
    void start() {
        for (unsigned reg = 0; marked >> reg != 0; ++reg)
            if (is_marked(reg))
                marks[reg] = {};
        marked = 0;
        writers = {};
        if (std::exchange(has_counted, false)) {
            std::ranges::fill(counted, Counted{});
            counted_results = {};
        }
    }
    /// Whether some lane of a register may have a mark. Most registers of most programs never have.
    [[nodiscard]] bool is_marked(unsigned reg) const { return marked >> reg & 1; }
    /// A mark that will be set.
    TrapMark& change(unsigned reg, unsigned lane) {
        marked |= uint64_t{1} << reg;
        return marks[reg][lane];
    }
    void clear(unsigned reg, uint16_t lanes) {
        if (!is_marked(reg))
            return;
        for (unsigned lane = 0; lane < exec::kLanes; ++lane)
            if (lanes >> lane & 1)
                marks[reg][lane] = {};
        if (lanes == kAllLanes)
            marked &= ~(uint64_t{1} << reg);
    }
    /// Whether it is the first time for the lane.
    bool is_first(uint16_t& lanes, unsigned lane) {
        has_counted = true;
        const bool first = (lanes >> lane & 1) == 0;
        lanes |= static_cast<uint16_t>(1U << lane);
        return first;
    }

    static_assert(exec::kRegisters <= 64);
    std::array<std::array<TrapMark, exec::kLanes>, exec::kRegisters> marks{};
    uint64_t marked = 0;       ///< by register
    bool has_counted = false;  ///< `counted` or `counted_results` is not all zeros
    std::array<exec::Lanes, exec::kRegisters> writers{};  ///< word plus 1
    /// Lanes that have hit a place: by the Special and whether it was made.
    using Counted = std::array<std::array<uint16_t, 2>, 3>;
    std::vector<Counted> counted;
    std::array<uint16_t, exec::kRegisters> counted_results{};  ///< by register of the prologue
    std::vector<Operands> operands;
    /// By operation on doubles: the words of its operands when each lane executed it last.
    using Doubles = std::array<std::array<uint32_t, valhall::kMaxDoubleSources>, exec::kLanes>;
    std::vector<Doubles> doubles;
    std::array<TrapMark, exec::kLanes> doubles_mark{};  ///< of an operand that is no number
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

    [[nodiscard]] const valhall::Instr& instr() const { return event.instr; }
    [[nodiscard]] bool is_live(unsigned lane) const { return live >> lane & 1; }
    template <typename F>
    void each_lane(F f) const {
        for (unsigned lane = 0; lane < exec::kLanes; ++lane)
            if (lanes >> lane & 1)
                f(lane);
    }
    /// The values of a source as the instruction reads them.
    [[nodiscard]] exec::Lanes value(unsigned source) const {
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

}  // namespace valkyr::debug
