// Soft float: divides and takes square roots, one bit a round.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/soft_double.hpp"

#include <array>
#include <initializer_list>
#include <numeric>

namespace valkyr::valhall::lower {

using ir::Builder;
using ir::literal;
using ir::Operand;
using ir::VarId;

namespace {

/// Bits of a quotient or root: 53, one for rounding, one that division may lose, one to spare.
constexpr uint32_t kRounds = 56;

/// Scratch variables that hold 64-bit numbers, and the number of the round.
class LoopState {
public:
    LoopState(Builder& b, ir::Flow& flow, std::initializer_list<Wide> values)
        : b_(b)
        , flow_(flow) {
        for (const Wide& value : values)
            set(count_++, value);
        flow_.set(round(), literal(0));
    }

    [[nodiscard]] Wide get(unsigned i) const { return {flow_.get(2 * i), flow_.get(2 * i + 1)}; }
    void set(unsigned i, const Wide& value) {
        flow_.set(2 * i, value.low);
        flow_.set(2 * i + 1, value.high);
    }

    /// Calls body() kRounds times.
    template <typename F>
    void repeat(F&& body) {
        std::array<VarId, kDoubleVariables> vars{};
        std::iota(vars.begin(), vars.end(), VarId{0});
        flow_.begin_loop({vars.data(), round() + 1});
        const Operand number = flow_.get(round());
        flow_.begin_if(b_.icmp_u32(Condition::ge, ResultType::m1, number, literal(kRounds)));
        flow_.break_out();
        flow_.end_if();
        body();
        flow_.set(round(), b_.iadd(number, literal(1)));
        flow_.end_loop();
    }

private:
    /// The variable that counts rounds.
    [[nodiscard]] VarId round() const { return 2 * count_; }

    Builder& b_;
    ir::Flow& flow_;
    unsigned count_ = 0;
};

/// x << 1 | bit.
Wide append(Builder& b, const Wide& x, Operand bit) {
    const Wide doubled = shift_left(b, x, literal(1));
    return {b.bit_or(doubled.low, bit), doubled.high};
}

Wide with_sticky(Builder& b, const Wide& x, const Wide& rest) {
    const Operand sticky =
        b.icmp_u32(Condition::ne, ResultType::i1, b.bit_or(rest.low, rest.high), literal(0));
    return {b.bit_or(x.low, sticky), x.high};
}

}  // namespace

Wide double_divide(Builder& b, ir::Flow& flow, const Wide& x, const Wide& y) {
    const DoubleParts dividend = unpack(b, x);
    const DoubleParts divisor = unpack(b, y);
    // A place is left free at the top, so that twice a remainder fits.
    const Wide by = shift_right(b, divisor.significand, literal(1));
    constexpr unsigned kRest = 0;
    constexpr unsigned kQuotient = 1;
    LoopState state(b, flow, {shift_right(b, dividend.significand, literal(1)), wide_literal(0)});
    state.repeat([&] {
        const Wide rest = state.get(kRest);
        const Operand fits = compare(b, Condition::ge, false, rest, by);
        const Wide less = choose(b, fits, subtract(b, rest, by), rest);
        state.set(kQuotient, append(b, state.get(kQuotient), b.bit_and(literal(1), fits)));
        state.set(kRest, shift_left(b, less, literal(1)));
    });
    // The leading bit of the quotient is bit 63 now if the dividend's significand was not smaller.
    const Wide quotient = with_sticky(b, shift_left(b, state.get(kQuotient), literal(64 - kRounds)),
                                      state.get(kRest));
    const Operand large = b.shift_right_signed(quotient.high, literal(31));
    const Operand difference = b.isub(dividend.exponent, divisor.exponent);
    const Operand exponent = b.isub(b.iadd(difference, literal(kDoubleBias - 2)), large);
    const Operand sign = b.bit_xor(dividend.sign, divisor.sign);
    const Wide finite =
        round_and_pack(b, sign, exponent, choose(b, large, halve_sticky(b, quotient), quotient));

    const Operand is_infinite = b.bit_or(dividend.is_infinite, divisor.is_zero);
    const Operand is_zero = b.bit_or(dividend.is_zero, divisor.is_infinite);
    const Operand is_nan = b.bit_or(b.bit_or(dividend.is_nan, divisor.is_nan),
                                    b.bit_or(b.bit_and(dividend.is_zero, divisor.is_zero),
                                             b.bit_and(dividend.is_infinite, divisor.is_infinite)));
    const Wide infinity{literal(0), b.bit_or(literal(kDoubleInfinityHigh), sign)};
    const Wide limited =
        choose(b, is_infinite, infinity, choose(b, is_zero, {literal(0), sign}, finite));
    return choose(b, is_nan, wide_literal(kDoubleNan), limited);
}

/// Digit by digit, two bits of the radicand a round.
Wide double_square_root(Builder& b, ir::Flow& flow, const Wide& x) {
    const DoubleParts parts = unpack(b, x);
    const Operand exponent = b.isub(parts.exponent, literal(kDoubleBias));
    // Makes the exponent even; the highest two bits of the radicand are then not both 0.
    const Operand odd = b.isub(literal(0), b.bit_and(literal(1), exponent));
    const Wide radicand =
        choose(b, odd, parts.significand, shift_right(b, parts.significand, literal(1)));
    constexpr unsigned kRadicand = 0;
    constexpr unsigned kRest = 1;
    constexpr unsigned kRoot = 2;
    LoopState state(b, flow, {radicand, wide_literal(0), wide_literal(0)});
    state.repeat([&] {
        const Wide left = state.get(kRadicand);
        const Wide root = state.get(kRoot);
        const Wide moved = shift_left(b, state.get(kRest), literal(2));
        const Wide rest{b.bit_or(moved.low, b.shift_right(left.high, literal(30))), moved.high};
        const Wide four = shift_left(b, root, literal(2));
        const Wide trial{b.bit_or(four.low, literal(1)), four.high};
        const Operand fits = compare(b, Condition::ge, false, rest, trial);
        state.set(kRest, choose(b, fits, subtract(b, rest, trial), rest));
        state.set(kRoot, append(b, root, b.bit_and(literal(1), fits)));
        state.set(kRadicand, shift_left(b, left, literal(2)));
    });
    const Wide significand =
        with_sticky(b, shift_left(b, state.get(kRoot), literal(63 - kRounds)), state.get(kRest));
    const Operand half = b.shift_right_signed(exponent, literal(1));
    const Wide finite =
        round_and_pack(b, literal(0), b.iadd(half, literal(kDoubleBias - 1)), significand);

    const Operand negative = b.shift_right_signed(parts.sign, literal(31));
    const Wide or_infinite = choose(b, parts.is_infinite, wide_literal(kDoubleInfinity), finite);
    const Wide number =
        choose(b, b.bit_or(parts.is_nan, negative), wide_literal(kDoubleNan), or_infinite);
    return choose(b, parts.is_zero, x, number);
}

}  // namespace valkyr::valhall::lower
