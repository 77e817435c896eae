// Names: maps the words of scene files to enumerators and formats.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace valkyr::conform {

/// The names of an enumeration in the order of its values (specialised in names.cpp).
template <typename Enum>
std::span<const std::string_view> names_of();

/// The enumerator of that name.
template <typename Enum>
std::optional<Enum> from_name(std::string_view name) {
    const auto names = names_of<Enum>();
    for (size_t i = 0; i < names.size(); i++)
        if (names[i] == name)
            return static_cast<Enum>(i);
    return std::nullopt;
}

/// "never, less, equal": for messages.
std::string list_names(std::span<const std::string_view> names);

/// The format of that name (docs/rules/formats.md); None is not one.
std::optional<exec::Format> format_from_name(std::string_view name);

}  // namespace valkyr::conform
