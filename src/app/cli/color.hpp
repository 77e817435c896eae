// Color: decides whether a stream gets colours, and puts them around words.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/terminal.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace valkyr::app {

/// The choices of --color.
enum class ColorChoice : uint8_t { Auto, Always, Never };

/// The meaning of a coloured word: success, failure, or a remark.
enum class Tone : uint8_t { Good, Bad, Note };

/// Whether a stream gets colours. Auto colours a screen unless NO_COLOR is set and not empty
/// (https://no-color.org).
/// no_color  the value of NO_COLOR, null if it is not set
bool uses_color(ColorChoice choice, const char* no_color, const Terminal& terminal);

/// Colours text for one stream. A default Style leaves it plain.
class Style {
public:
    Style() = default;
    explicit Style(bool color)
        : color_(color) {}
    /// Decides by uses_color(), with the environment of this process.
    Style(ColorChoice choice, std::FILE* stream);

    [[nodiscard]] bool color() const noexcept { return color_; }
    /// The text in the colour of its tone, or unchanged.
    [[nodiscard]] std::string paint(Tone tone, std::string_view text) const;
    /// Lines as compilers write them, with the first "error:", "warning:" or "note:" of each
    /// coloured.
    [[nodiscard]] std::string paint_labels(std::string_view lines) const;

private:
    bool color_ = false;
};

}  // namespace valkyr::app
