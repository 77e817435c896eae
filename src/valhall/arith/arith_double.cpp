// Double arithmetic: one function an operation, and the table of them.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_double.hpp"

#include "base/float_bits.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace valkyr::valhall {
namespace {

constexpr uint64_t kNan = 0x7FF8000000000000;

/// The sources of one operation.
struct Sources {
    std::span<const uint32_t> words;

    /// Words 2i and 2i + 1.
    [[nodiscard]] uint64_t bits(unsigned i) const {
        return uint64_t{words[size_t{2} * i + 1]} << 32 | words[size_t{2} * i];
    }
    [[nodiscard]] double number(unsigned i) const { return std::bit_cast<double>(bits(i)); }
};

uint64_t result(double value) {
    return std::isnan(value) ? kNan : std::bit_cast<uint64_t>(value);
}

uint64_t boolean(bool value) {
    return value ? 0xFFFFFFFF : 0;
}

/// Order with -0 below +0, for numbers.
bool below(double a, double b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

template <bool kMaximum>
uint64_t extremum(const Sources& s) {
    const double a = s.number(0);
    const double b = s.number(1);
    if (std::isnan(a))
        return result(b);
    const bool first = std::isnan(b) || (kMaximum ? below(b, a) : below(a, b));
    return s.bits(first ? 0 : 1);
}

double round_even(double value) {
    const double down = std::floor(value);
    const double rest = value - down;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0);
    const bool whole = rest == 0 || !std::isfinite(value);
    return whole ? value : std::copysign(up ? down + 1 : down, value);
}

template <typename Int>
uint64_t to_integer(const Sources& s) {
    const double value = std::trunc(s.number(0));
    constexpr auto low = static_cast<double>(std::numeric_limits<Int>::min());
    // 2^(bits of the magnitude): exact, while the largest Int need not be a double.
    const double high = std::ldexp(1.0, std::numeric_limits<Int>::digits);
    Int number = 0;
    if (value <= low)
        number = std::numeric_limits<Int>::min();
    else if (value >= high)
        number = std::numeric_limits<Int>::max();
    else if (!std::isnan(value))
        number = static_cast<Int>(value);
    return static_cast<uint64_t>(number);
}

template <typename Int>
uint64_t from_word(const Sources& s) {
    return result(static_cast<double>(static_cast<Int>(s.words[0])));
}
template <typename Int>
uint64_t from_wide(const Sources& s) {
    return result(static_cast<double>(static_cast<Int>(s.bits(0))));
}

uint64_t to_float(const Sources& s) {
    const auto value = static_cast<float>(s.number(0));
    return std::isnan(value) ? float_bits::kQuietNan : std::bit_cast<uint32_t>(value);
}

using Compute = uint64_t (*)(const Sources&);
constexpr std::array<Compute, kDoubleOpCount> kCompute{
    [](const Sources& s) { return result(s.number(0) + s.number(1)); },
    [](const Sources& s) { return result(s.number(0) * s.number(1)); },
    [](const Sources& s) { return result(std::fma(s.number(0), s.number(1), s.number(2))); },
    [](const Sources& s) { return result(s.number(0) / s.number(1)); },
    [](const Sources& s) { return result(std::sqrt(s.number(0))); },
    extremum<false>,
    extremum<true>,
    [](const Sources& s) { return boolean(s.number(0) < s.number(1)); },
    [](const Sources& s) { return boolean(s.number(0) <= s.number(1)); },
    [](const Sources& s) { return boolean(s.number(0) == s.number(1)); },
    [](const Sources& s) { return result(std::trunc(s.number(0))); },
    [](const Sources& s) { return result(std::floor(s.number(0))); },
    [](const Sources& s) { return result(std::ceil(s.number(0))); },
    [](const Sources& s) { return result(round_even(s.number(0))); },
    [](const Sources& s) {
        return result(std::ldexp(s.number(0), static_cast<int32_t>(s.words[2])));
    },
    [](const Sources& s) { return result(static_cast<double>(std::bit_cast<float>(s.words[0]))); },
    from_word<int32_t>,
    from_word<uint32_t>,
    from_wide<int64_t>,
    from_wide<uint64_t>,
    to_float,
    to_integer<int32_t>,
    to_integer<uint32_t>,
    to_integer<int64_t>,
    to_integer<uint64_t>,
};

}  // namespace

std::array<uint32_t, 2> compute_double(DoubleOp op, std::span<const uint32_t> sources) {
    const uint64_t bits = kCompute[static_cast<unsigned>(op)]({sources});
    const bool wide = double_op_info(op).result_words == 2;
    return {static_cast<uint32_t>(bits), wide ? static_cast<uint32_t>(bits >> 32) : 0};
}

}  // namespace valkyr::valhall
