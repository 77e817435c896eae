// Number checks: refuse option values that CLI11's own checks let through.
// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace valkyr::app {

/// A decimal whole number from `least` to `most`. CLI11 converts what exceeds 64 bits, and
/// negative numbers, to some number of 64 bits.
inline CLI::Validator count_between(uint64_t least,
                                    uint64_t most = std::numeric_limits<uint64_t>::max()) {
    return CLI::Validator(
        [least, most](const std::string& text) -> std::string {
            uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error == std::errc() && stop == end && value >= least && value <= most)
                return {};
            return "'" + text + "' is not a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most);
        },
        "");
}

/// A finite number from `least` to `most`; a NaN is within every CLI::Range.
inline CLI::Validator finite_between(double least, double most) {
    CLI::Validator range = CLI::Range(least, most);
    CLI::Validator finite(
        [](const std::string& text) -> std::string {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && std::isfinite(value)
                       ? std::string()
                       : "'" + text + "' is not a finite number";
        },
        "");
    return (range & finite).description(range.get_description());
}

}  // namespace valkyr::app
