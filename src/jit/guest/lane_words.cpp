// Lane words: follows words that depend on the lane's number only through a basic block.
// SPDX-License-Identifier: MIT
#include "jit/guest/lane_words.hpp"

#include "exec/specials.hpp"
#include "valhall/isa/isa.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace valkyr::jit {

using valhall::Mod;
using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

namespace {

constexpr unsigned kQuad = 4;

/// The results of an operation on two rows.
template <typename F>
LaneWords::Row combined(const LaneWords::Row& a, const LaneWords::Row& b, F operation) {
    LaneWords::Row result;
    std::ranges::transform(a, b, result.begin(), operation);
    return result;
}

}  // namespace

void LaneWords::pass(const Step& step, const KnownWords& known) {
    const std::optional<Row> result = result_of(step, known);
    step.access.writes.each([&](Reg r) { rows_[r] = std::nullopt; });
    for (const valhall::Staging& run : step.instr.staging)
        for (unsigned r = kRegCount; r < run.base + unsigned{run.count}; ++r)
            rows_[r % kRegCount] = std::nullopt;  // staging runs wrap around to r0
    if (result)
        rows_[step.instr.dest.reg] = result;
}

std::optional<uint8_t> LaneWords::quad_lanes(const Step& step, const KnownWords& known) const {
    const valhall::Instr& instr = step.instr;
    if (instr.op != Op::CLPER_I32 ||
        instr.get<valhall::LaneOperation>(Mod::lane_op) != valhall::LaneOperation::none ||
        instr.get<valhall::SubgroupSize>(Mod::subgroup) != valhall::SubgroupSize::subgroup4)
        return std::nullopt;
    const std::optional<Row> row = source(step, 1, known);
    if (!row)
        return std::nullopt;
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < row->size(); ++lane) {
        const unsigned place = 2 * (lane % kQuad);
        const unsigned from = (*row)[lane] % kQuad;
        if (lane < kQuad)
            lanes |= from << place;
        else if ((lanes >> place & 3) != from)
            return std::nullopt;
    }
    return static_cast<uint8_t>(lanes);
}

std::optional<LaneWords::Row>
LaneWords::source(const Step& step, unsigned source, const KnownWords& known) const {
    const Source& s = step.instr.src[source];
    if (!is_unmodified(s))
        return std::nullopt;
    Row row;
    if (s.kind == SourceKind::Special && s.index == exec::kLaneId && s.word == 0)
        std::iota(row.begin(), row.end(), 0U);
    else if (s.kind == SourceKind::Register && rows_[s.index])
        row = *rows_[s.index];
    else if (const auto word = known.word(step, source))
        row.fill(*word);
    else
        return std::nullopt;
    for (uint32_t& word : row)
        word = widened(word, s.selector, false);
    return row;
}

std::optional<LaneWords::Row> LaneWords::result_of(const Step& step,
                                                   const KnownWords& known) const {
    const valhall::Instr& instr = step.instr;
    const bool moves = instr.op == Op::MOV_I32;
    const bool adds = instr.op == Op::IADD_U32;
    const bool masks = instr.op == Op::LSHIFT_AND_I32;
    if ((!moves && !adds && !masks) || instr.dest.mask != 3 || !has_default_modifiers(instr))
        return std::nullopt;
    const std::optional<Row> first = source(step, 0, known);
    if (!first || moves)
        return first;
    if (masks && known.word(step, 1) != 0U)
        return std::nullopt;  // shifted
    const std::optional<Row> second = source(step, masks ? 2 : 1, known);
    if (!second)
        return std::nullopt;
    return adds ? combined(*first, *second, std::plus{})
                : combined(*first, *second, std::bit_and{});
}

}  // namespace valkyr::jit
