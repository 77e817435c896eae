// Uniform area: makes the uniforms of a program under test, with its prologue's results.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::test {

/// Returns the words of the uniform area, and two more, because words are read in pairs.
/// constants     words of every constant buffer
/// driver_value  every value of the driver
std::vector<uint32_t> uniform_area(const valhall::Program& program,
                                   std::span<const uint32_t> constants,
                                   uint32_t driver_value);

}  // namespace valkyr::test
