// Wide lowering: reads and writes operands of 64-bit opcodes, integer and double.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/sequences/wide.hpp"

namespace valkyr::valhall::lower {

/// Pair `pair` (0 = xy, 1 = zw, before the swizzle) of source `i`, modifiers applied by its type.
Wide src_wide(Lowering& l, const Instruction& inst, unsigned i, unsigned pair);

struct WideDivision {
    Wide quotient;
    Wide remainder;
};
/// Unsigned; meaningless for y = 0.
WideDivision divide(Lowering& l, const Wide& x, const Wide& y);

/// Calls f(pair) -> Wide for each pair that the write mask touches, and stores the results.
template <typename F>
void by_pair(Lowering& l, const Instruction& inst, F&& f) {
    Vec4 values{};
    for (unsigned pair = 0; pair < 2; ++pair) {
        if ((inst.dst[0].write_mask >> (2 * pair) & 3) == 0)
            continue;
        const Wide value = f(pair);
        values[2 * pair] = value.low;
        values[2 * pair + 1] = value.high;
    }
    l.store(inst, values);
}

/// Calls f(pair) -> Operand for results of one word, and stores those that the write mask names: of
/// pair p in component places[p].
template <typename F>
void by_pair_at(Lowering& l, const Instruction& inst, std::array<unsigned, 2> places, F&& f) {
    Vec4 values{};
    Instruction narrow = inst;
    narrow.dst[0].write_mask &= static_cast<uint8_t>(1U << places[0] | 1U << places[1]);
    for (unsigned pair = 0; pair < 2; ++pair) {
        if ((narrow.dst[0].write_mask >> places[pair] & 1) != 0)
            values[places[pair]] = f(pair);
    }
    if (narrow.dst[0].write_mask != 0)
        l.store(narrow, values);
}

/// Booleans: in x of pair xy, in z of pair zw.
template <typename F>
void by_pair_compared(Lowering& l, const Instruction& inst, F&& f) {
    by_pair_at(l, inst, {0, 2}, f);
}

/// Conversions: pair xy goes to the first of the components x and y that is written.
template <typename F>
void by_pair_narrow(Lowering& l, const Instruction& inst, F&& f) {
    const bool from_x = (inst.dst[0].write_mask & 1) != 0;
    by_pair_at(l, inst, from_x ? std::array{0U, 1U} : std::array{1U, 0U}, f);
}

}  // namespace valkyr::valhall::lower
