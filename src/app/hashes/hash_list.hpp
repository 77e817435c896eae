// Hash list: reads and writes the recorded hashes.
// SPDX-License-Identifier: MIT
//
// Lines "NAME HASH", sorted; # starts a comment. The hash has 16 hexadecimal digits.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace valkyr::hashes {

using HashList = std::map<std::string, uint64_t>;

/// errors  Syntax: a line is not of that form, or a name stands twice, with the line's number
Result<HashList> parse_hash_list(std::string_view text);

/// The text, under a comment that names the release.
std::string hash_list_text(const HashList& list, std::string_view release);

/// 16 hexadecimal digits.
std::string hash_text(uint64_t hash);

/// The list that this release was made with: docs/results/same_bits.txt.
std::string_view recorded_hashes();

}  // namespace valkyr::hashes
