// Number bits: names constants of GLSL and TGSI in the same way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace valkyr::debug {

/// Eight hexadecimal digits of a word.
std::string number_bits(uint32_t word);

/// The word that a number of GLSL becomes: of a float if it has a point or an exponent, or ends in
/// f; else whole numbers are floats, too, since most are made floats ("2" beside a float).
std::string number_bits_of_text(const std::string& text);

}  // namespace valkyr::debug
