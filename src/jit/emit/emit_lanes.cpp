// Cross-lane emitters: move data between the running lanes (CLPER, WMASK).
// SPDX-License-Identifier: MIT
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"
#include "valhall/arith/arith_lanes.hpp"

#include <array>

namespace valkyr::jit {

using valhall::LaneOperation;
using valhall::Mod;

namespace {

unsigned subgroup_of(const EmitContext& c) {
    return valhall::arith::subgroup_lanes(c.instr().get<valhall::SubgroupSize>(Mod::subgroup));
}

/// Lane numbers of the current part within its subgroup, or the base of the subgroup.
Temp lane_field(EmitContext& c, unsigned subgroup, bool base) {
    std::array<uint32_t, 16> table{};
    for (uint32_t lane = 0; lane < table.size(); ++lane)
        table[lane] = base ? lane & ~(subgroup - 1) : lane & (subgroup - 1);
    return c.lane_table(table);
}

/// For every lane, the lane of the warp whose data it takes, and whether that lane exists.
struct SourceLanes {
    U32 lane;
    TempMask exists;  ///< invalid: it always exists
};

/// The lane operand: the lowest element of the widened source.
Temp lane_operand(EmitContext& c, Element element) {
    switch (element) {
    case Element::B8:
    case Element::B16: {
        Temp d = c.scratch();
        Temp v = c.integer(1, element, false);
        c.h.op(Binary::And, d, v, c.pool(element == Element::B8 ? 0xFF : 0xFFFF));
        c.done_with(v);
        return d;
    }
    case Element::B32: return c.widen32(1, false);
    case Element::B64: {
        VecPair v = c.widen64(1, false);
        c.done_with(v.high);
        return std::move(v.low);
    }
    }
    return {};
}

/// accumulate: the last lane of the previous block of `operand` lanes. `operand` is a power of two.
SourceLanes accumulate_lanes(EmitContext& c, Vec operand, Vec k) {
    HostAssembler& h = c.h;
    U32 d(c);
    U32 t(c);
    TempMask exists = c.scratch_mask();
    const TempMask single = c.scratch_mask();
    const U32 minus_one(c, ~0U);
    t = u32(k) & operand;
    h.test_nonzero(exists, t);
    t = u32(operand) + minus_one;
    d = t & operand;
    h.test_nonzero(single, d);
    h.mask_and_not(exists, single, exists);
    d = u32(operand) + operand + minus_one;
    d = (~d & k) | t;
    return {std::move(d), std::move(exists)};
}

SourceLanes source_lanes(EmitContext& c, Vec operand) {
    HostAssembler& h = c.h;
    const unsigned subgroup = subgroup_of(c);
    const auto operation = c.instr().get<LaneOperation>(Mod::lane_op);
    SourceLanes result{U32(c), {}};
    Temp k = lane_field(c, subgroup, false);
    switch (operation) {
    case LaneOperation::none: result.lane = u32(operand) & (subgroup - 1); break;
    case LaneOperation::xor_: result.lane = (u32(operand) & (subgroup - 1)) ^ k; break;
    case LaneOperation::accumulate:
        result.lane.reset();
        result = accumulate_lanes(c, operand, k);
        break;
    case LaneOperation::shift:
        result.exists = c.scratch_mask();
        h.compare(IntCond::LessEqual, Element::B32, false, result.exists, operand, k);
        result.lane = u32(k) - operand;
        break;
    }
    k.reset();
    const Temp base = lane_field(c, subgroup, true);
    result.lane |= base;
    return result;
}

/// d = the word of lane `lane` of the round, from the registers of all parts.
void permute_parts(EmitContext& c, Vec d, Vec lane, const std::array<Temp, kMaxParts>& data) {
    HostAssembler& h = c.h;
    if (c.parts == 1)
        return h.permute(d, lane, data[0]);
    // Bits of `lane` above the lane number within a register choose the part.
    const unsigned lanes = h.traits().lanes;
    const Temp other = c.scratch();
    const Temp chosen = c.scratch();
    const TempMask here = c.scratch_mask();
    h.op(Binary::And, chosen, lane, c.pool(lanes * (c.parts - 1)));
    h.permute(d, lane, data[0]);
    for (unsigned p = 1; p < c.parts; ++p) {
        h.permute(other, lane, data[p]);
        h.compare(IntCond::Equal, Element::B32, false, here, chosen, c.pool(lanes * p));
        h.select(Element::B32, d, here, other, d);
    }
}

/// Whether lane `lane` of the warp runs. The frame's `spare` holds Gp::Running.
TempMask lane_runs(EmitContext& c, Vec lane) {
    HostAssembler& h = c.h;
    U32 bits(c);
    U32 place(c);
    TempMask runs = c.scratch_mask();
    // Lanes of a round are numbered from its first.
    place = u32(lane) & (h.traits().lanes * c.parts - 1);
    bits = u32(Operand::broadcast(VALKYR_FRAME(spare))) >> place & 1;
    h.test_nonzero(runs, bits);
    return runs;
}

/// Keeps d where the source lane runs and exists; elsewhere d = the constant of inactive lanes.
void replace_inactive(EmitContext& c, Vec d, const SourceLanes& from) {
    const uint32_t absent = valhall::arith::kInactiveResult[c.instr().mod(Mod::inactive_result)];
    TempMask runs;
    if (c.lanes_can_be_inactive()) {
        runs = lane_runs(c, from.lane);
        if (from.exists.valid())
            c.h.mask_and(runs, runs, from.exists);
    }
    const Mask valid = runs.valid() ? runs : from.exists;
    if (!valid.valid())
        return;
    const Temp constant = c.constant(absent);
    c.h.select(Element::B32, d, valid, d, constant);
}

/// One word of the result, in a temporary for each part.
std::array<Temp, kMaxParts> permuted(EmitContext& c, unsigned half, Element element) {
    std::array<Temp, kMaxParts> data;
    each_part(c, [&] { data[c.part] = c.word(0, half); });
    std::array<Temp, kMaxParts> results;
    each_part(c, [&] {
        Temp operand = lane_operand(c, element);
        const SourceLanes from = source_lanes(c, operand);
        c.done_with(operand);
        results[c.part] = c.scratch();
        permute_parts(c, results[c.part], from.lane, data);
        replace_inactive(c, results[c.part], from);
    });
    for (Temp& v : data)
        if (v.valid())
            c.done_with(v);
    return results;
}

/// CLPER of words within quads, whose lane operand follows from lane_id.
void clper_in_quads(EmitContext& c, uint8_t lanes) {
    each_part(c, [&] {
        const U32 moved(c, quad_permute(u32(c.word(0)), lanes));
        c.write(moved);
    });
}

void clper(EmitContext& c, Element element) {
    if (c.step->quad_lanes)
        return clper_in_quads(c, *c.step->quad_lanes);
    if (c.lanes_can_be_inactive())
        c.h.store32(VALKYR_FRAME(spare), Gp::Running);
    auto low = permuted(c, 0, element);
    if (element != Element::B64) {
        each_part(c, [&] { c.write(low[c.part]); });
        return;
    }
    // The low words wait in the frame while the high ones are permuted.
    for (unsigned p = 0; p < c.parts; ++p) {
        c.h.store(c.lanes_at(VALKYR_FRAME(out), p), low[p]);
        low[p].reset();
    }
    auto high = permuted(c, 1, element);
    each_part(c, [&] {
        low[c.part] = c.scratch();
        c.h.load(low[c.part], c.lanes_at(VALKYR_FRAME(out)));
        c.write_pair({std::move(low[c.part]), std::move(high[c.part])});
    });
}

}  // namespace

VALKYR_EMIT_AS(CLPER_I32, clper(c, Element::B32))
VALKYR_EMIT_AS(CLPER_S32, clper(c, Element::B32))
VALKYR_EMIT_AS(CLPER_V2U16, clper(c, Element::B16))
VALKYR_EMIT_AS(CLPER_V2S16, clper(c, Element::B16))
VALKYR_EMIT_AS(CLPER_V4U8, clper(c, Element::B8))
VALKYR_EMIT_AS(CLPER_V4S8, clper(c, Element::B8))
VALKYR_EMIT_AS(CLPER_U64, clper(c, Element::B64))
VALKYR_EMIT_AS(CLPER_S64, clper(c, Element::B64))

VALKYR_EMIT(WMASK) {
    HostAssembler& h = c.h;
    Scalar lanes;
    each_part(c, [&] {
        const TempMask m = c.scratch_mask();
        h.test_nonzero(m, c.word(0));
        c.collect_bits(lanes, m);
    });
    h.and32(lanes, Gp::Running);
    h.store32(VALKYR_FRAME(spare), lanes);
    const unsigned subgroup = subgroup_of(c);
    each_part(c, [&] {
        const Temp bits = c.scratch();
        const Temp base = lane_field(c, subgroup, true);
        h.move(bits, Operand::broadcast(VALKYR_FRAME(spare)));
        if (c.plan.rounds > 1)  // number bits and lanes from the round's first lane
            h.op(Binary::And, base, base, c.pool(h.traits().lanes * c.parts - 1));
        h.op(Binary::ShrV32, bits, bits, base);
        h.op(Binary::And, bits, bits, c.pool((1U << subgroup) - 1));
        c.write(bits);
    });
}

}  // namespace valkyr::jit
