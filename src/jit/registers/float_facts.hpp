// Float facts: bounds of the lanes of a value as binary32.
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
    /// Facts about the values with the other sign.
    [[nodiscard]] constexpr FloatFacts negated() const { return {high, low, false}; }
    /// Facts about the absolute values.
    [[nodiscard]] constexpr FloatFacts absolute() const {
        if (!is_number())
            return {};
        return {1, static_cast<uint8_t>(magnitude()), true};
    }
};

}  // namespace valkyr::jit
