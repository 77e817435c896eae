// Case files: reads the lines of encoding files (bytes and text; text or words to refuse).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::test {

/// One line of a case file.
struct Case {
    std::string file;
    unsigned line = 0;
    uint64_t word = 0;  ///< the eight bytes, if the file has bytes
    std::string text;   ///< the text behind them, or the whole line

    /// "name:line: text", for messages.
    [[nodiscard]] std::string where() const;
};

/// Lines "8 bytes, 4 blanks, text"; '#' lines and blank lines are left out. Empty if there is no
/// file.
std::vector<Case> read_word_cases(const std::string& path);
/// Lines without bytes.
std::vector<Case> read_text_cases(const std::string& path);

}  // namespace valkyr::test
