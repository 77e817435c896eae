// Register allocator: holds the state that the parts of allocate_registers share.
// SPDX-License-Identifier: MIT
//
// A value keeps one register for its whole interval. Runs (staging registers, 64-bit pairs) need
// consecutive, even-aligned registers: hints put their members there when they are made, and
// members that lie elsewhere are moved when the run is read.
#pragma once

#include "exec/entry_registers.hpp"
#include "valhall/compiler/registers/live_intervals.hpp"
#include "valhall/compiler/registers/register_moves.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace valkyr::valhall::ir::registers {

using Mask = uint64_t;
inline constexpr uint8_t kNoRegister = 0xFF;
inline constexpr Mask kEven = 0x5555555555555555U;
/// Registers that a blend shader, called between two BLENDs, may overwrite: r0-r15 and r48.
inline constexpr Mask kBlendClobbers =
    exec::register_bits(0, exec::kLowRegisterEnd) | exec::register_bits(exec::kLinkRegister);

constexpr Mask bit(unsigned reg) {
    return Mask{1} << reg;
}
constexpr Mask run_mask(unsigned base, unsigned count) {
    return ((Mask{1} << count) - 1) << base;
}

/// Base registers at which `count` registers of `free` follow each other, even if two or more.
constexpr Mask run_bases(Mask free, unsigned count) {
    Mask bases = free;
    for (unsigned k = 1; k < count; ++k)
        bases &= free >> k;
    return count > 1 ? bases & kEven : bases;
}

/// A run of operands that is read as consecutive registers.
struct Group {
    uint32_t inst = 0;
    uint32_t first = 0;  ///< pool index of its members
    uint8_t count = 0;
    uint8_t base = kNoRegister;
    bool fixed = false;
};

struct Hint {
    uint32_t group = kNone;
    uint8_t member = 0;
};

class Allocator {
public:
    /// `never`: by value, whether spilling does not help it; may be shorter than value_count.
    Allocator(Function& f, const std::vector<uint8_t>& never)
        : f_(f)
        , never_(never)
        , live_(find_live_intervals(f)) {}

    /// Assigns registers; false if values had to be marked for spilling.
    bool scan();
    [[nodiscard]] std::vector<uint8_t> take_spilled() { return std::move(spilled_); }
    /// Replaces values by registers; after a successful scan.
    void rewrite();
    /// Tells the function's log where values are, and numbers the instructions; after a successful
    /// scan, before rewrite().
    void note_places();

private:
    void find_groups();
    void add_group(uint32_t inst, uint32_t first, unsigned count, uint8_t fixed);
    void sort_ends();
    void find_blend_barrier();

    void visit(uint32_t i);
    /// Places the runs that instruction `i` reads.
    void place_groups(uint32_t i) {
        for (; next_group_ < groups_.size() && groups_[next_group_].inst == i; ++next_group_)
            place_group(groups_[next_group_]);
    }
    void place_group(Group& group);
    void define(uint32_t i);
    void take_scratch(uint32_t i);
    void define_scalar(ValueId v, uint32_t i);
    void define_run(const Inst& inst, uint32_t i);
    void define_fixed(const Inst& inst);
    void expire(uint32_t i);
    void take(ValueId v, unsigned reg);
    void fail_at(uint32_t i, ValueId wanted, unsigned count);
    bool spill_one(uint32_t i);

    [[nodiscard]] Mask allowed(ValueId v) const {
        const bool crosses = live_.start[v] < barrier_ && live_.end[v] > barrier_;
        return crosses ? free_ & ~kBlendClobbers : free_;
    }
    unsigned pick(ValueId v, Mask from);
    unsigned hinted(ValueId v, Mask from);

    void rewrite_inst(uint32_t i);
    void rewrite_plain(const Inst& from, uint32_t i);
    void emit_phi_moves(BlockId from);
    [[nodiscard]] std::optional<uint8_t> find_spare() const;
    [[nodiscard]] Operand in_register(Operand operand) const;
    void mark_last_read(Operand& operand, ValueId value, uint32_t i) const;

    Function& f_;
    const std::vector<uint8_t>& never_;
    LiveIntervals live_;
    std::vector<uint8_t> reg_of_;
    std::vector<uint8_t> spilled_;
    std::vector<Group> groups_;
    std::vector<uint32_t> group_at_;  ///< by pool index of the first member; kNone = no group
    std::vector<Hint> hints_;
    std::vector<ValueId> phi_hint_;  ///< a value that should get the same register
    std::vector<ValueId> ending_next_;
    std::vector<ValueId> ending_head_;
    std::array<ValueId, 64> holder_{};
    Mask free_ = 0;
    Mask soft_ = 0;     ///< registers kept for members of groups, as long as there are others
    Mask staging_ = 0;  ///< registers that hold moved members during the current instruction
    uint32_t next_group_ = 0;
    uint32_t barrier_ = kNone;
    bool failed_ = false;
    std::optional<uint8_t> spare_;  ///< a register for moves in cycles
    std::vector<Inst> out_;
    std::vector<Move> moves_;
};

}  // namespace valkyr::valhall::ir::registers
