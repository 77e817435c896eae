// Hex form: writes words as eight bytes a line in memory order, as `hexdump` does, and reads them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::valhall {

/// "02 00 00 00 00 c1 91 00": the eight bytes, lowest first, in lower case.
std::string to_hex_form(uint64_t word);

/// One line a word.
std::string to_hex_form(std::span<const uint64_t> words);

/// Reads the eight bytes at the start of a line, and ignores what follows after four blanks, so
/// that listings can be read back.
/// errors   Syntax, with the column (line 1)
Result<uint64_t> parse_hex_form(std::string_view line);

/// Reads a file of such lines; blank lines and lines that begin with '#' are skipped.
/// errors   Syntax, with line and column
Result<std::vector<uint64_t>> parse_hex_file(std::string_view text);

/// Words as they lie in memory and in binary files, and back.
std::string to_binary(std::span<const uint64_t> words);
/// errors   Syntax if the size is not a multiple of eight
Result<std::vector<uint64_t>> from_binary(std::string_view bytes);

}  // namespace valkyr::valhall
