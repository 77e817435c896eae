// Sequences: emit division, roots, exponentials, logarithms and sines in simple instructions.
// SPDX-License-Identifier: MIT
//
// Sums, products, comparisons and shifts cost one or two host instructions each on every host level
// and give the same bits there; Arm's instructions for exponents and tables cost ten to sixty.
#include "valhall/compiler/sequences/sequences.hpp"

#include "base/float_bits.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace valkyr::valhall::lower {

using namespace ir;

namespace {

using float_bits::kInfinity;
using float_bits::kMinusOne;
using float_bits::kOne;
using float_bits::kQuietNan;
using float_bits::kSign;
constexpr uint32_t kMinusZero = kSign;
constexpr uint32_t kMinusInfinity = kInfinity | kSign;
constexpr uint32_t kSmallestNormal = 0x00800000;

/// Horner with FMA, highest power first.
Operand polynomial(Builder& b, Operand x, std::span<const uint32_t> coefficients) {
    Operand sum = literal(coefficients[0]);
    for (const uint32_t c : coefficients.subspan(1))
        sum = b.fma(sum, x, literal(c));
    return sum;
}

bool is_finite(uint32_t bits) {
    return (bits & ~kSign) < kInfinity;
}

/// The square root of x, x * inverse. Zero and infinity, whose inverse is its own double, are their
/// own square roots.
Operand root_from(Builder& b, Operand x, Operand inverse) {
    const Operand product = b.fmul(x, inverse);
    return b.csel_f32(Condition::eq, inverse, b.fadd(inverse, inverse), x, product);
}

/// x / y for a y whose reciprocal has a normal remainder: x * high + x * low, high towards zero, so
/// that both terms have one sign and infinities do not cancel.
Operand divide_by_constant(Builder& b, Operand x, float y) {
    float high = 1.0F / y;
    double low = 1.0 / static_cast<double>(y) - static_cast<double>(high);
    if (low != 0.0 && std::signbit(low) != std::signbit(y)) {
        high = std::nextafter(high, 0.0F);
        low = 1.0 / static_cast<double>(y) - static_cast<double>(high);
    }
    const Operand factor = literal(std::bit_cast<uint32_t>(high));
    if (low == 0.0)
        return b.fmul(x, factor);
    const Operand rest = literal(std::bit_cast<uint32_t>(static_cast<float>(low)));
    return b.fma(x, factor, b.fmul(x, rest));
}

}  // namespace

Operand divide(Builder& b, Operand x, Operand y) {
    if (y.kind == OperandKind::Literal) {
        const auto divisor = std::bit_cast<float>(b.resolve(y).value);
        if (std::fabs(divisor) > 0x1p-90F && std::fabs(divisor) < 0x1p90F)
            return divide_by_constant(b, x, divisor);
    }
    const Operand r = b.unary(Op::FRCP_F32, y);
    const Operand q = b.fmul(x, r);
    // Without this step 41 / 41 would be less than 1: shaders take the floor of such quotients.
    const Operand rest = b.fma(negated(y), q, x);
    const Operand better = b.fma(rest, r, q);
    // Infinite or zero operands make the step NaN: there the first quotient is exact.
    return b.csel_f32(Condition::eq, better, better, better, q);
}

Operand square_root(Builder& b, Operand x) {
    const Operand value = b.resolve(x);
    return root_from(b, value, b.unary(Op::FRSQ_F32, value));
}

Operand reciprocal(Builder& b, Operand x) {
    if (x.is_value() && x.flags == 0 && x.selector == kDefaultSelector) {
        const Inst& inst = b.def_inst(x.value);
        if (inst.op == Op::FRSQ_F32 && inst.word == Spec(Op::FRSQ_F32).word) {
            const Operand root_of = inst.src[0];
            return root_from(b, b.resolve(root_of), x);
        }
    }
    return b.unary(Op::FRCP_F32, x);
}

Operand exp2(Builder& b, Operand x) {
    // 2^t on [0, 1], 1 at 0: relative error 2^-26.
    constexpr std::array<uint32_t, 7> kExp2 = {0x3962A0BA, 0x3AA36B27, 0x3C1E85C9, 0x3D634489,
                                               0x3E75FEAC, 0x3F317216, kOne};
    constexpr uint32_t kMinus127 = 0xC2FE0000;
    constexpr uint32_t k128 = 0x43000000;
    constexpr uint32_t kBias = 0x4B40007F;  // 1.5 * 2^23 + 127: the biased exponent in the low bits
    const Operand value = b.resolve(x);
    // At -127 the scale is 0, at 128 infinity. A selection keeps NaN, which a maximum does not.
    const Operand low =
        b.csel_f32(Condition::lt, value, literal(kMinus127), literal(kMinus127), value);
    const Operand whole = b.fmin(b.fround(low, RoundMode::rtn), literal(k128));
    const Operand part = b.fadd(low, negated(whole));
    const Operand scale = b.shift_left(b.fadd(whole, literal(kBias)), literal(23));
    return b.fmul(polynomial(b, part, kExp2), scale);
}

Operand log2(Builder& b, Operand x) {
    // log2(1 + u) / u on [-1/4, 1/2]: relative error 2^-24.7.
    constexpr std::array<uint32_t, 9> kLog2 = {0x3D9FE174, 0xBE32696A, 0x3E5D8445,
                                               0xBE788C84, 0x3E938DD6, 0xBEB89D68,
                                               0x3EF638CC, 0xBF38AA4B, 0x3FB8AA3B};
    constexpr uint32_t kThreeQuarters = 0x3F400000;
    constexpr uint32_t kExponentField = 0xFF800000;
    constexpr uint32_t kUlpOfField = 0x34000000;  // 2^-23
    const Operand value = b.resolve(x);
    const Operand field =
        b.bit_and(b.isub(value, literal(kThreeQuarters)), literal(kExponentField));
    const Operand u = b.fadd(b.isub(value, field), literal(kMinusOne));
    const Operand fraction = b.fmul(polynomial(b, u, kLog2), u);
    const Operand exponent = b.unary(Op::S32_TO_F32, field);
    const Operand finite = b.fma(exponent, literal(kUlpOfField), fraction);
    const Operand any =
        b.csel_f32(Condition::lt, value, literal(kInfinity), finite, value);  // infinity and NaN
    const Operand defined =
        b.csel_f32(Condition::lt, value, literal(kSmallestNormal), literal(kMinusInfinity), any);
    return b.csel_f32(Condition::lt, value, literal(0), literal(kQuietNan), defined);
}

namespace {

/// x^n by squaring; NaN for negative x and +0 for -0, as 2^(n log2 x) gives.
Operand whole_power(Builder& b, Operand x, unsigned n) {
    const Operand value = b.resolve(x);
    Operand square = value;
    Operand product = value;
    const bool odd = (n & 1) != 0;
    bool started = false;
    for (;;) {
        if ((n & 1) != 0) {
            product = started ? b.fmul(product, square) : square;
            started = true;
        }
        n >>= 1;
        if (n == 0)
            break;
        square = b.fmul(square, square);
    }
    const Operand defined = odd ? b.fadd(product, literal(0)) : product;
    return b.csel_f32(Condition::lt, value, literal(0), literal(kQuietNan), defined);
}

/// The exponent if products serve it (1 to 8 and powers of two up to 64), else 0.
unsigned small_power(uint32_t y) {
    const auto value = std::bit_cast<float>(y);
    if (!(value >= 1.0F && value <= 64.0F) || value != std::floor(value))
        return 0;
    const auto n = static_cast<unsigned>(value);
    return n <= 8 || std::has_single_bit(n) ? n : 0;
}

}  // namespace

Operand pow(Builder& b, Operand x, Operand y) {
    const bool constant = y.kind == OperandKind::Literal;
    const uint32_t exponent = constant ? b.resolve(y).value : 0;
    if (const unsigned n = small_power(exponent); n != 0)
        return whole_power(b, x, n);
    if (constant && (exponent & ~kSign) == 0)
        return literal(kOne);
    if (constant && exponent == float_bits::kHalf)
        return square_root(b, b.fadd(x, literal(0)));  // of -0 as of 0
    const Operand logarithm = log2(b, x);
    // A zero factor makes the product 0: x^0 and 1^y are 1.
    if (constant && is_finite(exponent) && (exponent & ~kSign) != 0)
        return exp2(b, b.fmul(y, logarithm));
    return exp2(
        b, b.emit(Spec(Op::FMA_RSCALE_N_F32), {y, logarithm, literal(kMinusZero), literal(0)}));
}

namespace {

/// x = k pi/2 + e: the sine of x or, with k one more, the cosine. Polynomials of e on abs(e) <=
/// pi/4; the cosine's is at most 1.
Operand sine_of_quadrant(Builder& b, Operand x, uint32_t first_quadrant) {
    constexpr uint32_t kTwoOverPi = 0x3F22F983;
    constexpr uint32_t kToInteger = 0x4B400000;  // 1.5 * 2^23: the sum's low bits are the integer
    constexpr uint32_t kMinusHalfPi = 0xBFC90FDB;
    constexpr uint32_t kHalfPiRest = 0x333BBD2E;  // half pi is 0x3FC90FDB minus this
    // (sin(e) - e) / e^3 and cos(e), in e^2.
    constexpr std::array<uint32_t, 3> kSine = {0xB94CA1F9, 0x3C08839E, 0xBE2AAAA3};
    constexpr std::array<uint32_t, 5> kCosine = {0x37CCF5CE, 0xBAB6061A, 0x3D2AAAA5,
                                                 float_bits::kHalf | kSign, kOne};
    const Operand value = b.resolve(x);
    const Operand k = b.fma(value, literal(kTwoOverPi), literal(kToInteger));
    const Operand n = b.fadd(k, literal(kToInteger | kSign));
    const Operand near = b.fma(n, literal(kMinusHalfPi), value);
    const Operand e = b.fma(n, literal(kHalfPiRest), near);
    const Operand e2 = b.fmul(e, e);
    const Operand sine = b.fma(polynomial(b, e2, kSine), b.fmul(e2, e), e);
    const Operand cosine = polynomial(b, e2, kCosine);
    const Operand quadrant = first_quadrant == 0 ? k : b.iadd(k, literal(first_quadrant));
    const Operand odd = b.shift_left(quadrant, literal(31));
    const Operand chosen = b.csel_s32(Condition::lt, odd, literal(0), cosine, sine);
    const Operand sign = b.bit_and(b.shift_left(quadrant, literal(30)), literal(kSign));
    return b.bit_xor(chosen, sign);
}

}  // namespace

Operand sine(Builder& b, Operand x) {
    return sine_of_quadrant(b, x, 0);
}

Operand cosine(Builder& b, Operand x) {
    return sine_of_quadrant(b, x, 1);
}

}  // namespace valkyr::valhall::lower
