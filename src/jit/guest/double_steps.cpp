// Double steps: find the words of operations on doubles that become one step each.
// SPDX-License-Identifier: MIT
#include "jit/guest/double_steps.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::DoubleOp;
using valhall::DoubleRange;
using valhall::Flow;
using valhall::Instr;

namespace {

/// Whether the words exist, and neither end lanes before the last one nor go to an address.
bool has_plain_words(const DoubleRange& range, std::span<const Instr> instrs) {
    if (range.count == 0 || range.first >= instrs.size() ||
        range.count > instrs.size() - range.first)
        return false;
    const auto words = instrs.subspan(range.first, range.count);
    return std::ranges::none_of(words,
                                [](const Instr& i) { return i.op == valhall::Op::BRANCHZI; }) &&
           std::ranges::none_of(words.first(words.size() - 1), [](const Instr& i) {
               return i.flow == Flow::end || i.flow == Flow::discard;
           });
}

bool has_registers(const DoubleRange& range) {
    const valhall::DoubleOpInfo& info = valhall::double_op_info(range.op);
    return range.result + unsigned{info.result_words} <= kRegCount &&
           std::ranges::all_of(range.sources, [](uint8_t r) { return r < kRegCount; });
}

}  // namespace

bool has_host_double(DoubleOp op) {
    switch (op) {
    case DoubleOp::FromS64:
    case DoubleOp::FromU64:
    case DoubleOp::ToS64:
    case DoubleOp::ToU64: return false;
    default: return static_cast<unsigned>(op) < valhall::kDoubleOpCount;
    }
}

Access double_access(const DoubleRange& range) {
    const valhall::DoubleOpInfo& info = valhall::double_op_info(range.op);
    Access access;
    for (unsigned i = 0; i < info.source_words; ++i)
        access.reads |= RegSet::one(range.sources[i]);
    access.writes = RegSet::run(range.result, info.result_words);
    return access;
}

DoubleSteps::DoubleSteps(std::span<const DoubleRange> ranges, std::span<const Instr> instrs)
    : ranges_(ranges) {
    if (ranges.empty())
        return;
    range_of_.assign(instrs.size(), kNone);
    uint32_t end = 0;
    for (uint32_t k = 0; k < ranges.size(); ++k) {
        const DoubleRange& range = ranges[k];
        if (!has_host_double(range.op) || range.first < end || !has_plain_words(range, instrs) ||
            !has_registers(range))
            continue;
        end = range.first + range.count;
        std::fill_n(range_of_.begin() + range.first, range.count, k);
    }
}

void DoubleSteps::pass(uint32_t from, uint32_t to) {
    const uint32_t left = range_of(from);
    const uint32_t entered = range_of(to);
    if (left == entered)
        return;
    if (left != kNone) {
        const uint32_t behind = ranges_[left].first + ranges_[left].count;
        if (to != behind || from + 1 != behind)
            drop(left);
    }
    arrive(to);
}

void DoubleSteps::arrive(uint32_t word) {
    if (const uint32_t entered = range_of(word); entered != kNone && word != ranges_[entered].first)
        drop(entered);
}

const DoubleRange* DoubleSteps::at(uint32_t word) const {
    const uint32_t range = range_of(word);
    return range != kNone && word == ranges_[range].first ? &ranges_[range] : nullptr;
}

void DoubleSteps::drop(uint32_t range) {
    std::fill_n(range_of_.begin() + ranges_[range].first, ranges_[range].count, kNone);
}

}  // namespace valkyr::jit
