// allocate_registers: linear scan over the values in layout order.
// SPDX-License-Identifier: MIT
//
// A value keeps one register for its whole interval. Runs (staging registers, 64-bit pairs) want
// consecutive, even-aligned registers: their members are hinted there when they are made, and what
// is elsewhere when the run is read is moved. If registers run out, values are spilled everywhere
// (spill.cpp) and the scan starts again.
#include "base/check.hpp"
#include "valhall/compiler/live_intervals.hpp"
#include "valhall/compiler/passes.hpp"
#include "valhall/compiler/register_moves.hpp"
#include "valhall/compiler/spec.hpp"
#include "valhall/compiler/spill.hpp"

#include <array>
#include <bit>
#include <utility>

namespace valkyr::valhall::ir {
namespace {

using Mask = uint64_t;
constexpr uint8_t kNoRegister = 0xFF;
constexpr Mask kEven = 0x5555555555555555U;
/// What a blend shader may overwrite, called between two BLENDs: r0-r15 and r48.
constexpr Mask kBlendClobbers = 0xFFFFU | Mask{1} << 48;
constexpr unsigned kMaxAttempts = 32;
constexpr unsigned kFirstKept = 59;

constexpr Mask bit(unsigned reg) {
    return Mask{1} << reg;
}
constexpr Mask run_mask(unsigned base, unsigned count) {
    return ((Mask{1} << count) - 1) << base;
}

/// Base registers at which `count` registers of `free` follow each other, even if two or more.
Mask run_bases(Mask free, unsigned count) {
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
    /// `never`: by value, those that spilling does not help; may be shorter than value_count.
    Allocator(Function& f, const std::vector<uint8_t>& never)
        : f_(f)
        , never_(never)
        , live_(find_live_intervals(f)) {}

    /// Assigns registers; false if values had to be marked for spilling.
    bool scan();
    [[nodiscard]] std::vector<uint8_t> take_spilled() { return std::move(spilled_); }
    /// Replaces values by registers; after a successful scan.
    void rewrite();

private:
    void find_groups();
    void add_group(uint32_t inst, uint32_t first, unsigned count, uint8_t fixed);
    void sort_ends();
    void find_blend_barrier();

    void visit(uint32_t i);
    void place_groups(uint32_t i);
    void place_group(Group& group);
    void define(uint32_t i);
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

    void rewrite_block(Block& block);
    void rewrite_inst(uint32_t i);
    void emit_phi_moves(BlockId from);
    [[nodiscard]] Operand in_register(Operand operand, uint32_t i, bool may_mark) const;
    uint32_t group_of(uint32_t pool_index) const { return group_at_[pool_index]; }

    Function& f_;
    const std::vector<uint8_t>& never_;
    LiveIntervals live_;
    std::vector<uint8_t> reg_of_;
    std::vector<uint8_t> spilled_;
    std::vector<Group> groups_;
    std::vector<uint32_t> group_at_;  ///< by pool index of the first member; kNone = no group
    std::vector<Hint> hints_;
    std::vector<ValueId> phi_hint_;  ///< a value that had better get the same register
    std::vector<ValueId> ending_next_;
    std::vector<ValueId> ending_head_;
    std::array<ValueId, 64> holder_{};
    Mask free_ = 0;
    Mask soft_ = 0;     ///< registers kept for members of groups, as long as there are others
    Mask staging_ = 0;  ///< registers that hold moved members during the current instruction
    uint32_t next_group_ = 0;
    uint32_t barrier_ = kNone;
    bool failed_ = false;
    std::vector<Inst> out_;
    std::vector<Move> moves_;
};

void Allocator::add_group(uint32_t inst, uint32_t first, unsigned count, uint8_t fixed) {
    const auto id = static_cast<uint32_t>(groups_.size());
    const bool is_fixed = fixed != kNotFixed;
    groups_.push_back(
        {inst, first, static_cast<uint8_t>(count), is_fixed ? fixed : kNoRegister, is_fixed});
    group_at_[first] = id;
    for (unsigned k = 0; k < count; ++k) {
        const Operand& member = f_.pool[first + k];
        if (!member.is_value() || hints_[member.value].group != kNone)
            continue;
        if (count > 1 || is_fixed)
            hints_[member.value] = {id, static_cast<uint8_t>(k)};
    }
    if (is_fixed)
        soft_ |= run_mask(fixed, count);
}

void Allocator::find_groups() {
    group_at_.assign(f_.pool.size(), kNone);
    hints_.assign(f_.value_count, {});
    phi_hint_.assign(f_.value_count, kNone);
    for (uint32_t i = 0; i < f_.insts.size(); ++i) {
        const Inst& inst = f_.insts[i];
        if (inst.op == kPhi) {
            for (const Operand& input : f_.staging(inst)) {
                if (!input.is_value())
                    continue;
                if (phi_hint_[input.value] == kNone)
                    phi_hint_[input.value] = inst.def;
                if (phi_hint_[inst.def] == kNone)
                    phi_hint_[inst.def] = input.value;
            }
            continue;
        }
        for (const Operand& source : inst.sources()) {
            if (source.kind == OperandKind::Pair)
                add_group(i, source.value, 2, kNotFixed);
        }
        if (inst.staging_count != 0 && inst.op != kEnd)
            add_group(i, inst.staging, inst.staging_count, inst.fixed);
    }
}

/// Chains the values by the instruction where their interval ends.
void Allocator::sort_ends() {
    ending_head_.assign(f_.insts.size(), kNone);
    ending_next_.assign(f_.value_count, kNone);
    for (ValueId v = 0; v < f_.value_count; ++v) {
        if (live_.start[v] == kNone)
            continue;
        ending_next_[v] = ending_head_[live_.end[v]];
        ending_head_[live_.end[v]] = v;
    }
}

/// The first BLEND that is followed by another one.
void Allocator::find_blend_barrier() {
    for (uint32_t i = 0; i < f_.insts.size(); ++i) {
        if (f_.insts[i].op == Op::BLEND && f_.insts[i].flow != Flow::end) {
            barrier_ = i;
            return;
        }
    }
}

bool Allocator::scan() {
    reg_of_.assign(f_.value_count, kNoRegister);
    spilled_.assign(f_.value_count, 0);
    find_groups();
    sort_ends();
    find_blend_barrier();
    free_ = ~f_.reserved;
    holder_.fill(kNone);
    for (uint32_t i = 0; i < f_.insts.size(); ++i)
        visit(i);
    return !failed_;
}

void Allocator::visit(uint32_t i) {
    const Inst& inst = f_.insts[i];
    staging_ = 0;
    place_groups(i);
    // Messages write while others may still read: their results stay clear of their operands.
    const bool at_once = is_pseudo(inst.op) || is_alu(op_info(inst.op).unit);
    if (at_once && inst.op != kPhi) {
        expire(i);
        define(i);
    } else {
        define(i);
        expire(i);
    }
    for (uint32_t k = 0; k < inst.def_count; ++k) {
        const ValueId v = inst.def + k;
        if (live_.end[v] == i && reg_of_[v] != kNoRegister && holder_[reg_of_[v]] == v) {
            free_ |= bit(reg_of_[v]) & ~f_.reserved;
            holder_[reg_of_[v]] = kNone;
        }
    }
}

void Allocator::expire(uint32_t i) {
    for (ValueId v = ending_head_[i]; v != kNone; v = ending_next_[v]) {
        const uint8_t reg = reg_of_[v];
        if (live_.start[v] == i || reg == kNoRegister || holder_[reg] != v)
            continue;
        holder_[reg] = kNone;
        free_ |= bit(reg);
    }
    free_ &= ~f_.reserved;
}

void Allocator::take(ValueId v, unsigned reg) {
    reg_of_[v] = static_cast<uint8_t>(reg);
    holder_[reg] = v;
    free_ &= ~bit(reg);
    soft_ &= ~bit(reg);
}

void Allocator::place_groups(uint32_t i) {
    for (; next_group_ < groups_.size() && groups_[next_group_].inst == i; ++next_group_)
        place_group(groups_[next_group_]);
}

/// Decides where a run is read: where its members are, or in free registers that they are moved to.
void Allocator::place_group(Group& group) {
    if (group.base != kNoRegister)
        soft_ &= ~run_mask(group.base, group.count);
    if (group.fixed)
        return;
    std::array<uint8_t, 8> at{};
    for (unsigned k = 0; k < group.count; ++k) {
        const Operand& member = f_.pool[group.first + k];
        at[k] = member.is_value() ? reg_of_[member.value] : kNoRegister;
    }
    bool in_place = at[0] != kNoRegister && (group.count == 1 || at[0] % 2 == 0);
    for (unsigned k = 1; k < group.count && in_place; ++k)
        in_place = at[k] == at[0] + k;
    if (in_place) {
        group.base = at[0];
        return;
    }
    // A base is good if each of its registers is free or already holds the right member.
    unsigned best = kNoRegister;
    int best_score = -1;
    const Mask free = free_ & ~staging_;
    for (unsigned base = 0; base + group.count <= 64; base += group.count > 1 ? 2 : 1) {
        int score = 0;
        for (unsigned k = 0; k < group.count && score >= 0; ++k) {
            if (at[k] == base + k)
                score += 2;
            else if ((free >> (base + k) & 1) == 0)
                score = -1;
        }
        if (score >= 0 && (soft_ & run_mask(base, group.count)) == 0)
            score += 1;
        if (score > best_score) {
            best_score = score;
            best = base;
        }
        if (best_score == 2 * group.count + 1)
            break;
    }
    if (best == kNoRegister) {
        fail_at(group.inst, kNone, group.count);
        return;
    }
    group.base = static_cast<uint8_t>(best);
    staging_ |= run_mask(best, group.count) & free_;
}

void Allocator::define(uint32_t i) {
    const Inst& inst = f_.insts[i];
    if (inst.def_count == 0)
        return;
    if (inst.fixed != kNotFixed)
        define_fixed(inst);
    else if (inst.def_count == 1)
        define_scalar(inst.def, i);
    else
        define_run(inst, i);
}

void Allocator::define_fixed(const Inst& inst) {
    for (uint32_t k = 0; k < inst.def_count; ++k)
        take(inst.def + k, inst.fixed + k);
}

/// The register a value would like to have; kNoRegister if it has no wish, or none that is free.
unsigned Allocator::hinted(ValueId v, Mask from) {
    const Hint hint = hints_[v];
    if (hint.group != kNone) {
        Group& group = groups_[hint.group];
        if (group.base == kNoRegister) {
            const Mask bases = run_bases(from & ~soft_, group.count);
            if (bases != 0) {
                group.base = static_cast<uint8_t>(std::countr_zero(bases));
                soft_ |= run_mask(group.base, group.count);
            }
        }
        if (group.base != kNoRegister && (from >> (group.base + hint.member) & 1) != 0)
            return group.base + hint.member;
    }
    const ValueId friendly = phi_hint_[v];
    if (friendly != kNone && reg_of_[friendly] != kNoRegister &&
        (from >> reg_of_[friendly] & 1) != 0)
        return reg_of_[friendly];
    return kNoRegister;
}

/// Registers whose even-aligned partner is taken come first, so that pairs stay whole.
unsigned Allocator::pick(ValueId v, Mask from) {
    const unsigned wish = hinted(v, from);
    if (wish != kNoRegister)
        return wish;
    Mask candidates = from & ~soft_;
    if (candidates == 0)
        candidates = from;
    if (candidates == 0)
        return kNoRegister;
    const Mask whole = candidates & candidates >> 1 & kEven;
    const Mask single = candidates & ~(whole | whole << 1);
    return static_cast<unsigned>(std::countr_zero(single != 0 ? single : candidates));
}

void Allocator::define_scalar(ValueId v, uint32_t i) {
    const unsigned reg = pick(v, allowed(v) & ~staging_);
    if (reg == kNoRegister)
        fail_at(i, v, 1);
    else
        take(v, reg);
}

void Allocator::define_run(const Inst& inst, uint32_t i) {
    Mask from = free_ & ~staging_;
    for (uint32_t k = 0; k < inst.def_count; ++k)
        from &= allowed(inst.def + k);
    unsigned base = kNoRegister;
    const Hint hint = hints_[inst.def];
    const Mask bases = run_bases(from, inst.def_count);
    if (hint.group != kNone) {
        const unsigned wish = hinted(inst.def, from);
        if (wish != kNoRegister && (bases >> wish & 1) != 0)
            base = wish;
    }
    if (base == kNoRegister) {
        const Mask quiet = run_bases(from & ~soft_, inst.def_count);
        const Mask choice = quiet != 0 ? quiet : bases;
        if (choice == 0) {
            fail_at(i, inst.def, inst.def_count);
            return;
        }
        base = static_cast<unsigned>(std::countr_zero(choice));
    }
    for (uint32_t k = 0; k < inst.def_count; ++k)
        take(inst.def + k, base + k);
}

/// Marks the value whose register is cheapest to have back; false if there is none.
bool Allocator::spill_one(uint32_t i) {
    ValueId best = kNone;
    uint64_t best_gain = 0;
    for (unsigned reg = 0; reg < 64; ++reg) {
        const ValueId v = holder_[reg];
        if (v == kNone || spilled_[v] != 0 || live_.end[v] <= i + 1)
            continue;
        const Inst& def = f_.insts[live_.start[v]];
        if (def.op == kPreload || def.fixed != kNotFixed)
            continue;
        if (v < never_.size() && never_[v] != 0)
            continue;
        const uint64_t length = live_.end[v] - live_.start[v];
        const uint64_t gain = (length << 16) / (live_.uses[v] + 1);
        if (best == kNone || gain > best_gain) {
            best = v;
            best_gain = gain;
        }
    }
    if (best == kNone)
        return false;
    spilled_[best] = 1;
    free_ |= bit(reg_of_[best]);
    holder_[reg_of_[best]] = kNone;
    return true;
}

/// No register: spills until the run would fit, so that the next scan gets further.
void Allocator::fail_at(uint32_t i, ValueId wanted, unsigned count) {
    failed_ = true;
    while (run_bases(free_ & ~staging_, count) == 0) {
        if (!spill_one(i))
            return;
    }
    if (wanted == kNone)
        return;
    const auto base = static_cast<unsigned>(std::countr_zero(run_bases(free_ & ~staging_, count)));
    for (unsigned k = 0; k < count; ++k)
        take(wanted + k, base + k);
}

Operand Allocator::in_register(Operand operand, uint32_t i, bool may_mark) const {
    if (!operand.is_value())
        return operand;
    const unsigned reg = reg_of_[operand.value];
    // Blend shaders may look at the coverage and sample registers of a fragment.
    const bool kept = f_.info.stage == exec::Stage::Fragment && reg >= kFirstKept;
    const bool last = may_mark && !kept && live_.end[operand.value] == i;
    operand.kind = OperandKind::Register;
    operand.value = reg;
    if (last)
        operand.flags |= kLastUse;
    return operand;
}

/// Moves members of runs into place and replaces operands.
void Allocator::rewrite_inst(uint32_t i) {
    Inst inst = f_.insts[i];
    if (inst.op == kEnd) {
        // Results of a prologue stay wherever they are.
        for (Operand& result : f_.staging(inst))
            result = in_register(result, i, false);
        out_.push_back(inst);
        return;
    }
    moves_.clear();
    const auto place = [&](uint32_t first, unsigned count) {
        const Group& group = groups_[group_of(first)];
        for (unsigned k = 0; k < count; ++k)
            add_move(moves_, group.base + k, in_register(f_.pool[first + k], i, false));
        return group.base;
    };
    for (unsigned s = 0; s < inst.src_count; ++s) {
        Operand& source = inst.src[s];
        if (source.kind != OperandKind::Pair) {
            source = in_register(source, i, true);
            continue;
        }
        const uint8_t base = place(source.value, 2);
        source = {base, OperandKind::Register, 0, kDefaultSelector, 0};
    }
    if (inst.staging_count != 0)
        inst.staging_base = place(inst.staging, inst.staging_count);
    const size_t first_move = out_.size();
    emit_moves(moves_, inst.line, out_);
    if (out_.size() != first_move) {
        // A register that dies here may just have been moved over: its mark would be wrong.
        for (Operand& source : inst.sources())
            source.flags = static_cast<uint8_t>(source.flags & ~kLastUse);
    }
    if (inst.def_count != 0)
        inst.def = reg_of_[inst.def];
    out_.push_back(inst);
}

void Allocator::emit_phi_moves(BlockId from) {
    const BlockId to = f_.blocks[from].succ[0];
    const std::span<const BlockId> preds = f_.preds_of(f_.blocks[to]);
    size_t edge = 0;
    while (preds[edge] != from)
        ++edge;
    moves_.clear();
    uint32_t line = 0;
    for (uint32_t i = f_.blocks[to].first; f_.insts[i].op == kPhi; ++i) {
        const Inst& phi = f_.insts[i];
        add_move(moves_, reg_of_[phi.def], in_register(f_.pool[phi.staging + edge], kNone, false));
        line = phi.line;
    }
    emit_moves(moves_, line, out_);
}

void Allocator::rewrite() {
    out_ = f_.take_spare();
    std::vector<Block> blocks = f_.blocks;
    for (BlockId id = 0; id < blocks.size(); ++id) {
        blocks[id].first = static_cast<uint32_t>(out_.size());
        for (uint32_t i = f_.blocks[id].first; i < f_.blocks[id].end; ++i) {
            const Op op = f_.insts[i].op;
            if (op == kPhi || op == kPreload)
                continue;
            if (op == kJump)
                emit_phi_moves(id);
            rewrite_inst(i);
        }
        blocks[id].end = static_cast<uint32_t>(out_.size());
    }
    f_.blocks.swap(blocks);
    f_.replace_insts(std::move(out_));
}

}  // namespace

Result<void> allocate_registers(Function& function) {
    std::vector<uint8_t> never;
    for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
        Allocator allocator(function, never);
        if (allocator.scan()) {
            allocator.rewrite();
            return {};
        }
        const std::vector<uint8_t> spilled = allocator.take_spilled();
        if (!spill(function, spilled, never))
            break;
    }
    return Error{Errc::Unsupported, {}, "a shader with this many values alive at once"};
}

}  // namespace valkyr::valhall::ir
