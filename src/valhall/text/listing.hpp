// Listing: prints the bytes and text of whole programs, beside their source.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace valkyr::valhall {

/// How list_words writes a line.
struct ListingStyle {
    bool bytes = true;  ///< eight bytes and four blanks before the text
    bool labels =
        false;  ///< names branch targets inside the program L0, L1, ... instead of offsets
};

/// One line a word. A word that does not decode is shown as ".word 0x<16 digits>"; the all-zero
/// word ends the listing. With `labels` and without `bytes` the assembler reads the result back.
VALKYR_API std::string list_words(std::span<const uint64_t> words, ListingStyle style = {});

/// A program word by word, with its number; above the words that came from a line of `source`
/// stands that line as a comment (its number alone if `source` is empty). A prologue follows.
VALKYR_API std::string list_program(const Program& program, std::string_view source = {});

}  // namespace valkyr::valhall
