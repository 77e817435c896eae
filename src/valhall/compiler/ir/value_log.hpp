// Value log: notes which value each variable has at each point of a compilation, for DebugInfo.
// SPDX-License-Identifier: MIT
//
// While there is a log, ir::Inst::line holds a point number instead of a line, and from register
// allocation on the number that its instruction had before the allocation. A log changes no machine
// word.
#pragma once

#include "valhall/compiler/ir/debug_info.hpp"
#include "valhall/compiler/ir/ir.hpp"

#include <vector>

namespace valkyr::valhall::ir {

struct ValueLog {
    struct Entry {
        uint32_t variable = 0;
        uint32_t point = 0;
        Operand value;
        FauWord uniform{};  ///< after name_uniforms(): the word of a Uniform operand
    };
    /// Where a value is after allocation, in instruction numbers.
    struct Interval {
        uint8_t reg = 0xFF;     ///< 0xFF: in no register
        bool at_entry = false;  ///< there already before `first`: a phi or a preload
        uint32_t first = 0;     ///< the instruction that makes it
        uint32_t last = 0;      ///< the last one that needs it
        uint32_t slot = kNone;  ///< spilled: byte of thread-local storage, from `last` on
    };

    DebugInfo* info = nullptr;
    std::vector<Operand> current;  ///< by variable: what was noted last
    std::vector<Entry> entries;
    std::vector<uint32_t> inst_points;  ///< by instruction number
    std::vector<uint8_t> inst_jumps;    ///< by instruction number: moves for phis stand before it
    std::vector<Interval> intervals;    ///< by value
    std::vector<uint32_t> slots;        ///< by value; shorter if there are none

    /// Begins a point; returns its number.
    uint32_t begin_point(uint32_t line, bool joins);
    /// Notes the variables that have changed. `values` has one operand a variable.
    void note(uint32_t point, std::span<const Operand> values);
    /// Stores the words of uniforms, because their numbers will change.
    void name_uniforms(const std::vector<FauWord>& uniforms);
    /// Fills the info: `numbers` has the instruction number of each word.
    /// prologue: uniforms of the kind Prologue get their value from its results; may be null
    void finish(const std::vector<uint32_t>& numbers, const Function* prologue);
};

/// Calls f(operand) for each value that is noted.
template <typename F>
void for_each_noted(Function& function, F&& f) {
    if (function.log != nullptr)
        for (ValueLog::Entry& entry : function.log->entries)
            f(entry.value);
}

}  // namespace valkyr::valhall::ir
