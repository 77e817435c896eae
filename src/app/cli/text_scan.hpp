// Text scan: takes numbers and indices off the front of a text.
// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace valkyr::app {

/// Takes a decimal number off the front. Without one, the text stays unchanged.
inline std::optional<uint32_t> take_number(std::string_view& text) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return value;
}

/// Takes "[12]" off the front.
inline std::optional<uint32_t> take_index(std::string_view& text) {
    if (!text.starts_with('['))
        return std::nullopt;
    text.remove_prefix(1);
    const auto value = take_number(text);
    if (!value || !text.starts_with(']'))
        return std::nullopt;
    text.remove_prefix(1);
    return value;
}

}  // namespace valkyr::app
