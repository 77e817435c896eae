// Double sequences: the table from operations to the routines of soft_double.hpp.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/double_sequence.hpp"

#include <array>

namespace valkyr::valhall::lower {

using ir::Builder;
using ir::Operand;

namespace {

struct Call {
    Builder& b;
    ir::Flow& flow;
    std::span<const Operand> words;

    /// Words 2i and 2i + 1.
    [[nodiscard]] Wide source(unsigned i) const {
        return {words[size_t{2} * i], words[size_t{2} * i + 1]};
    }
};

Wide single(Operand word) {
    return {word, {}};
}

template <DoubleRounding kMode>
Wide rounded(const Call& c) {
    return double_round(c.b, c.source(0), kMode);
}
template <bool kMaximum>
Wide extremum(const Call& c) {
    return double_min_max(c.b, c.source(0), c.source(1), kMaximum);
}
template <bool kSigned>
Wide from_word(const Call& c) {
    return double_from_word(c.b, c.words[0], kSigned);
}
template <bool kSigned>
Wide from_wide(const Call& c) {
    return double_from_wide(c.b, c.source(0), kSigned);
}
template <bool kSigned>
Wide to_word(const Call& c) {
    return single(double_to_word(c.b, c.source(0), kSigned));
}
template <bool kSigned>
Wide to_wide(const Call& c) {
    return double_to_wide(c.b, c.source(0), kSigned);
}
Wide less_equal(const Call& c) {
    return single(c.b.bit_or(double_less(c.b, c.source(0), c.source(1)),
                             double_equal(c.b, c.source(0), c.source(1))));
}

using Sequence = Wide (*)(const Call&);
constexpr std::array<Sequence, kDoubleOpCount> kSequences{
    [](const Call& c) { return double_add(c.b, c.source(0), c.source(1)); },
    [](const Call& c) { return double_multiply(c.b, c.source(0), c.source(1)); },
    [](const Call& c) { return double_fma(c.b, c.source(0), c.source(1), c.source(2)); },
    [](const Call& c) { return double_divide(c.b, c.flow, c.source(0), c.source(1)); },
    [](const Call& c) { return double_square_root(c.b, c.flow, c.source(0)); },
    extremum<false>,
    extremum<true>,
    [](const Call& c) { return single(double_less(c.b, c.source(0), c.source(1))); },
    less_equal,
    [](const Call& c) { return single(double_equal(c.b, c.source(0), c.source(1))); },
    rounded<DoubleRounding::Truncate>,
    rounded<DoubleRounding::Floor>,
    rounded<DoubleRounding::Ceiling>,
    rounded<DoubleRounding::NearestEven>,
    [](const Call& c) { return double_scale(c.b, c.source(0), c.words[2]); },
    [](const Call& c) { return double_from_float(c.b, c.words[0]); },
    from_word<true>,
    from_word<false>,
    from_wide<true>,
    from_wide<false>,
    [](const Call& c) { return single(double_to_float(c.b, c.source(0))); },
    to_word<true>,
    to_word<false>,
    to_wide<true>,
    to_wide<false>,
};

}  // namespace

Wide double_sequence(Builder& b, ir::Flow& flow, DoubleOp op, std::span<const Operand> words) {
    return kSequences[static_cast<unsigned>(op)]({b, flow, words});
}

}  // namespace valkyr::valhall::lower
