// Cross-lane instructions: CLPER and WMASK. They see the lanes of the running group only.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_lanes.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// The lane operand: the lowest element of the widened source.
template <typename U>
Lanes lane_operand(const Machine& m, const Source& source) {
    if constexpr (sizeof(U) == 8)
        return widen64(m, source, false).low;
    else
        return map(integer<U>(m, source), [](uint32_t x) { return uint32_t{static_cast<U>(x)}; });
}

Lanes permute(const Machine& m, const Instr& i, const Lanes& data, const Lanes& operand) {
    const unsigned subgroup = arith::subgroup_lanes(i.get<SubgroupSize>(Mod::subgroup));
    const auto operation = i.get<LaneOperation>(Mod::lane_op);
    const uint32_t absent = arith::kInactiveResult[i.mod(Mod::inactive_result) & 15];
    return each([&](unsigned l) {
        const auto source = arith::clper_source(l, operand.v[l], subgroup, operation);
        return source && m.runs(*source) ? data.v[*source] : absent;
    });
}

template <typename U>
void clper(Machine& m, const Instr& i) {
    const Lanes operand = lane_operand<U>(m, i.src[1]);
    if constexpr (sizeof(U) == 8) {
        const Pair data = wide_word(m, i.src[0]);
        write_pair(m, i.dest,
                   {permute(m, i, data.low, operand), permute(m, i, data.high, operand)});
    } else {
        write(m, i.dest, permute(m, i, word(m, i.src[0]), operand));
    }
}

}  // namespace

VALKYR_INTERPRET_AS(CLPER_I32, clper<uint32_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_V2U16, clper<uint16_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_V4U8, clper<uint8_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_S32, clper<uint32_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_V2S16, clper<uint16_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_V4S8, clper<uint8_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_U64, clper<uint64_t>(m, i))
VALKYR_INTERPRET_AS(CLPER_S64, clper<uint64_t>(m, i))

VALKYR_INTERPRET(WMASK) {
    const Lanes value = word(m, i.src[0]);
    uint16_t nonzero = 0;
    for (unsigned l = 0; l < kLanes; ++l)
        nonzero |= static_cast<uint16_t>((m.runs(l) && value.v[l] ? 1U : 0U) << l);
    const unsigned subgroup = arith::subgroup_lanes(i.get<SubgroupSize>(Mod::subgroup));
    write(m, i.dest, each([&](unsigned l) { return arith::subgroup_mask(l, nonzero, subgroup); }));
}

}  // namespace valkyr::valhall::interpret
