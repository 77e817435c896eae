// Words: splits the lines of a scene file into words with places, and reads numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::conform {

struct Word {
    std::string_view text;
    SourcePos pos;
};

/// Walks over a text. A line's words end at white space or a '#'.
class LineReader {
public:
    explicit LineReader(std::string_view text)
        : rest_(text) {}

    /// The words of the next line that has any; empty at the end of the text.
    std::vector<Word> next_line();
    /// The raw lines up to a line "}"; nothing if there is none.
    std::optional<std::string_view> block();
    /// Number of the line that comes next, from 1.
    [[nodiscard]] uint32_t line() const { return line_; }

private:
    std::string_view take_line();
    std::string_view rest_;
    uint32_t line_ = 1;
};

/// All words of a text that begins at line `first_line`.
std::vector<Word> split_words(std::string_view text, uint32_t first_line);

/// A finite or infinite number ("1", "-.5", "1e-3", "inf", "nan"), or f32 bits ("0x7fc00000").
std::optional<float> to_float(std::string_view text);
/// Decimal, or hexadecimal with 0x; an optional minus sign.
std::optional<int64_t> to_integer(std::string_view text);

}  // namespace valkyr::conform
