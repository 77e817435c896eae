// Lowering: votes, ballots and reads of other lanes.
// SPDX-License-Identifier: MIT
#include "exec/specials.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

/// The running lanes of the warp in which `x` is not 0, a bit a lane.
Operand lane_mask(Builder& b, Operand x) {
    return b.emit(Spec(Op::WMASK).with(Mod::subgroup, SubgroupSize::subgroup16), {x});
}

/// `x` as another lane has it; 0 if that lane does not run.
Operand read_lane(Builder& b, Operand x, Operand lane) {
    return b.emit(Spec(Op::CLPER_I32).with(Mod::subgroup, SubgroupSize::subgroup16), {x, lane});
}

Operand first_lane(Builder& b) {
    const Operand running = lane_mask(b, literal(~0U));
    const Operand lowest = b.bit_and(b.isub(literal(0), running), running);
    return b.isub(literal(31), b.unary(Op::CLZ_U32, lowest));
}

/// VOTE_ANY, VOTE_ALL: all = no running lane has a 0.
void lower_vote(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    by_component(l, inst, [&](unsigned c) {
        const Operand yes = lane_mask(b, l.src(inst, 0, c));
        return rule.a == 0
                   ? b.icmp_u32(Condition::ne, ResultType::m1, yes, literal(0))
                   : b.icmp_u32(Condition::eq, ResultType::m1, yes, lane_mask(b, literal(~0U)));
    });
}

/// VOTE_EQ: no running lane differs from the first one.
void lower_vote_equal(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    const Operand first = first_lane(b);
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        const Operand other = b.bit_xor(read_lane(b, x, first), x);
        return b.icmp_u32(Condition::eq, ResultType::m1, lane_mask(b, other), literal(0));
    });
}

void lower_ballot(Lowering& l, const Instruction& inst, const Rule&) {
    l.store(inst, {lane_mask(l.b, l.src(inst, 0, 0)), literal(0), literal(0), literal(0)});
}

void lower_read_first(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand first = first_lane(l.b);
    by_component(l, inst, [&](unsigned c) { return read_lane(l.b, l.src(inst, 0, c), first); });
}

void lower_read_invocation(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand lane = l.b.bit_and(literal(15), l.src(inst, 1, 0));
    by_component(l, inst, [&](unsigned c) { return read_lane(l.b, l.src(inst, 0, c), lane); });
}

/// This machine has no clock: 0 never decreases.
void lower_clock(Lowering& l, const Instruction& inst, const Rule&) {
    l.store_all(inst, literal(0));
}

constexpr Rule kLanesRules[] = {
    {Opcode::VOTE_ANY, lower_vote, Op{}, 0},
    {Opcode::VOTE_ALL, lower_vote, Op{}, 1},
    {Opcode::VOTE_EQ, lower_vote_equal},
    {Opcode::BALLOT, lower_ballot},
    {Opcode::READ_FIRST, lower_read_first},
    {Opcode::READ_INVOC, lower_read_invocation},
    {Opcode::CLOCK, lower_clock},
};

}  // namespace

std::span<const Rule> lane_rules() {
    return kLanesRules;
}

/// SUBGROUP_*: the warp is the subgroup. All but x are 0.
Operand Lowering::subgroup_value(tgsi::Semantic semantic, unsigned component) {
    constexpr uint32_t kEveryLane = 0xFFFF;
    if (component != 0)
        return literal(0);
    if (semantic == tgsi::Semantic::SubgroupSize)
        return literal(exec::kLanes);
    const Operand lane = b.mov({exec::kLaneId, OperandKind::Special, 0, ir::kDefaultSelector, 0});
    if (semantic == tgsi::Semantic::SubgroupInvocation)
        return lane;
    const Operand equal = b.shift_left(literal(1), lane);
    const Operand less = b.isub(equal, literal(1));
    switch (semantic) {
    case tgsi::Semantic::SubgroupEqMask: return equal;
    case tgsi::Semantic::SubgroupLtMask: return less;
    case tgsi::Semantic::SubgroupLeMask: return b.bit_or(equal, less);
    case tgsi::Semantic::SubgroupGeMask: return b.bit_xor(literal(kEveryLane), less);
    default: return b.bit_xor(literal(kEveryLane), b.bit_or(equal, less));
    }
}

}  // namespace valkyr::valhall::lower
