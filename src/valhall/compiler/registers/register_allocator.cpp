// Register allocator: scans the values in layout order and spills where registers run out.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/registers/register_allocator.hpp"

#include "valhall/compiler/ir/spec.hpp"

#include <bit>

namespace valkyr::valhall::ir::registers {

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
    for (uint32_t i = 0; i < f_.insts.size() && !f_.cancellation.requested(); ++i)
        visit(i);
    return !failed_;
}

void Allocator::visit(uint32_t i) {
    const Inst& inst = f_.insts[i];
    staging_ = 0;
    place_groups(i);
    // Messages write results while they may still read operands, so the two do not overlap.
    // Operations on doubles read their sources up to the end, and write scratch before.
    if (inst.op == kDouble)
        take_scratch(i);
    const bool at_once = is_pseudo(inst.op) || traits(inst.op).alu;
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

/// The register that a value's hints name; kNoRegister if there is none, or none that is free.
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

/// Prefers registers whose even-aligned partner is taken, so that pairs stay whole.
unsigned Allocator::pick(ValueId v, Mask from) {
    if (hints_[v].group != kNone || phi_hint_[v] != kNone) {
        const unsigned wish = hinted(v, from);
        if (wish != kNoRegister)
            return wish;
    }
    Mask candidates = from & ~soft_;
    if (candidates == 0)
        candidates = from;
    if (candidates == 0)
        return kNoRegister;
    const Mask whole = candidates & candidates >> 1 & kEven;
    const Mask single = candidates & ~(whole | whole << 1);
    return static_cast<unsigned>(std::countr_zero(single != 0 ? single : candidates));
}

/// Reserves pairs of free registers for the words of an operation on doubles.
void Allocator::take_scratch(uint32_t i) {
    Inst& inst = f_.insts[i];
    const auto count = static_cast<int>(f_.find_template(double_op(inst)).scratch_pairs);
    const auto pairs = [&] { return run_bases(free_, 2); };
    while (std::popcount(pairs()) < count) {
        failed_ = true;
        if (!spill_one(i))
            return;
    }
    Mask left = pairs();
    Mask chosen = 0;
    for (int k = 0; k < count; ++k) {
        const Mask quiet = left & ~(soft_ | soft_ >> 1);
        const Mask base = std::bit_floor(quiet != 0 ? quiet : left);
        chosen |= base | base << 1;
        left &= ~base;
    }
    inst.word = chosen;
    staging_ |= chosen;
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

/// Marks the value whose register is cheapest to free; false if there is none.
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

}  // namespace valkyr::valhall::ir::registers
