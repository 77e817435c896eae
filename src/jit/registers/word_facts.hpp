// Word facts: say what is known of all lanes of a value.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

namespace valkyr::jit {

/// Known bounds of a value as binary32. If there is one, no lane is a NaN.
struct FloatFacts {
    uint8_t low = 0;        ///< all lanes are above -2^low; 0: not known
    uint8_t high = 0;       ///< all lanes are below 2^high; 0: not known
    bool positive = false;  ///< no lane is negative or -0
    bool from_one = false;  ///< no lane is below 1; then `positive` is set, too

    /// All lanes lie within -2^n and 2^n.
    static constexpr FloatFacts within(unsigned n, bool positive = false) {
        const auto bound = static_cast<uint8_t>(n);
        return {positive ? uint8_t{1} : bound, bound, positive};
    }

    [[nodiscard]] constexpr bool is_number() const { return low != 0 || high != 0 || positive; }
    /// 2^n is greater than the absolute value of each lane; 0: n is not known.
    [[nodiscard]] constexpr unsigned magnitude() const {
        return low != 0 && high != 0 ? std::max(low, high) : 0U;
    }
    /// Facts about words below 2^width, read as binary32. That of 2.0 is 2^30.
    static constexpr FloatFacts of_word(unsigned width) {
        return width <= 30 ? within(1, true) : FloatFacts{};
    }
    /// Facts about values of which each lane is one of two values.
    [[nodiscard]] constexpr FloatFacts either(const FloatFacts& other) const {
        const auto larger = [](uint8_t a, uint8_t b) {
            return a != 0 && b != 0 ? std::max(a, b) : uint8_t{0};
        };
        return {larger(low, other.low), larger(high, other.high), positive && other.positive,
                from_one && other.from_one};
    }
    /// Facts about reciprocals of the values, or of their roots. Infinity gives 0.
    [[nodiscard]] constexpr FloatFacts reciprocal() const {
        return from_one ? within(1, true) : FloatFacts{};
    }
    /// Facts about the values with the other sign.
    [[nodiscard]] constexpr FloatFacts negated() const { return {high, low, false}; }
    /// Facts about the absolute values.
    [[nodiscard]] constexpr FloatFacts absolute() const {
        if (!is_number())
            return {};
        return {1, static_cast<uint8_t>(magnitude()), true, from_one};
    }
};

/// Facts about a word, whatever it is read as.
struct WordFacts {
    FloatFacts number{};         ///< as binary32
    uint8_t width = kWordWidth;  ///< all lanes are below 2^width
    bool quiet = false;          ///< no lane is a signalling NaN of 32 bits

    static constexpr unsigned kWordWidth = 32;

    /// Facts about words below 2^n.
    static constexpr WordFacts below(unsigned n) {
        return {FloatFacts::of_word(n), static_cast<uint8_t>(n), n < kWordWidth - 1};
    }
    /// Facts about words of which each lane is one of two words.
    [[nodiscard]] constexpr WordFacts either(const WordFacts& other) const {
        return {number.either(other.number), std::max(width, other.width), quiet && other.quiet};
    }
};

}  // namespace valkyr::jit
