// Cross-lane instructions: CLPER and WMASK. They see the running lanes only.
// SPDX-License-Identifier: MIT
#include "jit/emitter.hpp"
#include "valhall/isa/arith_lanes.hpp"

#include <array>

namespace valkyr::jit {

using valhall::LaneOperation;
using valhall::Mod;

namespace {

unsigned subgroup_of(const EmitContext& c) {
    return valhall::arith::subgroup_lanes(c.instr().get<valhall::SubgroupSize>(Mod::subgroup));
}

/// Lane numbers of the current part within its subgroup, or the base of the subgroup.
Vec lane_field(EmitContext& c, unsigned subgroup, bool base) {
    std::array<uint32_t, 16> table{};
    for (uint32_t lane = 0; lane < table.size(); ++lane)
        table[lane] = base ? lane & ~(subgroup - 1) : lane & (subgroup - 1);
    return c.lane_table(table);
}

/// Which lane of the warp every lane takes its data from, and whether there is one.
struct SourceLanes {
    Vec lane;
    Mask exists;  ///< invalid: always
};

/// Lane operand: the lowest element of the widened source.
Vec lane_operand(EmitContext& c, Element element) {
    switch (element) {
    case Element::B8:
    case Element::B16: {
        const Vec d = c.scratch();
        const Vec v = c.integer(1, element, false);
        c.h.op(Binary::And, d, v, c.pool(element == Element::B8 ? 0xFF : 0xFFFF));
        return d;
    }
    case Element::B32: return c.widen32(1, false);
    case Element::B64: return c.widen64(1, false).low;
    }
    return {};
}

/// accumulate: the last lane of the block of `operand` lanes before; operand a power of two.
SourceLanes accumulate_lanes(EmitContext& c, Vec operand, Vec k) {
    HostAssembler& h = c.h;
    const Vec d = c.scratch();
    const Vec t = c.scratch();
    const Mask exists = c.scratch_mask();
    const Mask single = c.scratch_mask();
    const Vec ones = c.constant(0xFFFFFFFF);
    h.op(Binary::And, t, k, operand);
    h.test_nonzero(exists, t);
    h.op(Binary::AddI32, t, operand, ones);  // operand - 1
    h.op(Binary::And, d, t, operand);
    h.test_nonzero(single, d);
    h.mask_and_not(exists, single, exists);
    // (k & ~(2 * operand - 1)) | (operand - 1)
    h.op(Binary::AddI32, d, operand, operand);
    h.op(Binary::AddI32, d, d, ones);
    h.op(Binary::AndNot, d, d, k);
    h.op(Binary::Or, d, d, t);
    c.release(t);
    c.release(ones);
    c.release(single);
    return {d, exists};
}

SourceLanes source_lanes(EmitContext& c, Vec operand) {
    HostAssembler& h = c.h;
    const unsigned subgroup = subgroup_of(c);
    const Vec base = lane_field(c, subgroup, true);
    const auto operation = c.instr().get<LaneOperation>(Mod::lane_op);
    SourceLanes result{c.scratch(), {}};
    const Vec k = lane_field(c, subgroup, false);
    switch (operation) {
    case LaneOperation::none: h.op(Binary::And, result.lane, operand, c.pool(subgroup - 1)); break;
    case LaneOperation::xor_:
        h.op(Binary::And, result.lane, operand, c.pool(subgroup - 1));
        h.op(Binary::Xor, result.lane, result.lane, k);
        break;
    case LaneOperation::accumulate:
        c.release(result.lane);
        result = accumulate_lanes(c, operand, k);
        break;
    case LaneOperation::shift:
        result.exists = c.scratch_mask();
        h.compare(IntCond::LessEqual, Element::B32, false, result.exists, operand, k);
        h.op(Binary::SubI32, result.lane, k, operand);
        break;
    }
    h.op(Binary::Or, result.lane, result.lane, base);
    c.release(base);
    c.release(k);
    return result;
}

/// d = the word of lane `lane` of the pass, from the registers of all parts.
void permute_parts(EmitContext& c, Vec d, Vec lane, const std::array<Vec, kMaxParts>& data) {
    HostAssembler& h = c.h;
    if (c.parts == 1)
        return h.permute(d, lane, data[0]);
    const Vec other = c.scratch();
    const Mask upper = c.scratch_mask();
    h.op(Binary::And, other, lane, c.pool(h.traits().lanes));
    h.test_nonzero(upper, other);
    h.permute(other, lane, data[1]);
    h.permute(d, lane, data[0]);
    h.select(Element::B32, d, upper, other, d);
    c.release(other);
    c.release(upper);
}

/// Registers that are ~0 in the running lanes.
std::array<Vec, kMaxParts> running_words(EmitContext& c) {
    std::array<Vec, kMaxParts> words{};
    for (unsigned p = 0; p < c.parts; ++p) {
        words[p] = c.scratch();
        const Mask m = c.scratch_mask();
        c.h.move(Gp::T0, Gp::Running);
        c.h.shift_right32(Gp::T0, p * c.h.traits().lanes);
        c.h.mask_from_bits(m, Gp::T0);
        c.h.mask_value(Element::B32, words[p], m, 0xFFFFFFFF);
        c.release(m);
    }
    return words;
}

/// One word of the result, for all parts, into temporaries.
std::array<Vec, kMaxParts> permuted(EmitContext& c, unsigned half, Element element) {
    HostAssembler& h = c.h;
    const uint32_t absent = valhall::arith::kInactiveResult[c.instr().mod(Mod::inactive_result)];
    std::array<Vec, kMaxParts> data{};
    for (c.part = 0; c.part < c.parts; ++c.part)
        data[c.part] = c.word(0, half);
    const bool some_inactive = c.lanes_can_be_inactive();
    const std::array<Vec, kMaxParts> running =
        some_inactive ? running_words(c) : std::array<Vec, kMaxParts>{};
    std::array<Vec, kMaxParts> results{};
    for (c.part = 0; c.part < c.parts; ++c.part) {
        const SourceLanes from = source_lanes(c, lane_operand(c, element));
        const Vec d = c.scratch();
        permute_parts(c, d, from.lane, data);
        if (some_inactive) {
            const Mask runs = c.scratch_mask();
            permute_parts(c, from.lane, from.lane, running);
            h.test_nonzero(runs, from.lane);
            if (from.exists.valid())
                h.mask_and(runs, runs, from.exists);
            const Vec constant = c.constant(absent);
            h.select(Element::B32, d, runs, d, constant);
            c.release(constant);
            c.release(runs);
        } else if (from.exists.valid()) {
            const Vec constant = c.constant(absent);
            h.select(Element::B32, d, from.exists, d, constant);
            c.release(constant);
        }
        c.release(from.lane);
        if (from.exists.valid())
            c.release(from.exists);
        results[c.part] = d;
    }
    c.part = 0;
    return results;
}

void clper(EmitContext& c, Element element) {
    const auto low = permuted(c, 0, element);
    if (element == Element::B64) {
        const auto high = permuted(c, 1, element);
        for (c.part = 0; c.part < c.parts; ++c.part)
            c.write_pair({low[c.part], high[c.part]});
    } else {
        for (c.part = 0; c.part < c.parts; ++c.part)
            c.write(low[c.part]);
    }
    c.part = 0;
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
    for (c.part = 0; c.part < c.parts; ++c.part) {
        const Mask m = c.scratch_mask();
        h.test_nonzero(m, c.word(0));
        c.collect_bits(Gp::T0, Gp::T1, m);
        c.release(m);
    }
    h.and32(Gp::T0, Gp::Running);
    h.store32(VALKYR_FRAME(spare), Gp::T0);
    const unsigned subgroup = subgroup_of(c);
    for (c.part = 0; c.part < c.parts; ++c.part) {
        const Vec bits = c.scratch();
        const Vec base = lane_field(c, subgroup, true);
        h.move(bits, Operand::broadcast(VALKYR_FRAME(spare)));
        if (c.passes > 1)  // bits and lanes of a pass start at its first lane
            h.op(Binary::And, base, base, c.pool(h.traits().lanes * c.parts - 1));
        h.op(Binary::ShrV32, bits, bits, base);
        h.op(Binary::And, bits, bits, c.pool((1U << subgroup) - 1));
        c.write(bits);
    }
    c.part = 0;
}

}  // namespace valkyr::jit
