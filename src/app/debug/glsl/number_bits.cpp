// Number bits: names constants of GLSL and TGSI in the same way.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/number_bits.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>

namespace valkyr::debug {

std::string number_bits(uint32_t word) {
    char text[12];
    std::snprintf(text, sizeof text, "%08x", word);
    return text;
}

std::string number_bits_of_text(const std::string& text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if (hexadecimal)
        return number_bits(static_cast<uint32_t>(std::strtoull(text.c_str(), nullptr, 16)));
    return number_bits(std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)));
}

}  // namespace valkyr::debug
