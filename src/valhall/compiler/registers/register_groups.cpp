// Register groups: find runs of operands that are read together, and place them.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/registers/register_allocator.hpp"

namespace valkyr::valhall::ir::registers {

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
        if (inst.staging_count == 0 && traits(inst.op).wide_sources == 0)
            continue;
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
        if (reads_run(inst))
            add_group(i, inst.staging, inst.staging_count, inst.fixed);
    }
}

/// Decides where a run is read: where its members are, or in free registers to move them to.
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

}  // namespace valkyr::valhall::ir::registers
