// Picture diff: compares the results of two renderers and draws the difference.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scene_kit.hpp"

#include <optional>
#include <string>

namespace valkyr::scenes {

/// One sentence on the first texel that differs and how many do, or nothing if none does.
/// `tolerance`: largest allowed difference of a byte.
std::optional<std::string>
first_difference(const Shot& expected, const Shot& actual, int tolerance);

/// Writes FILE-expected.png, FILE-actual.png and FILE-difference.png (amplified) to the directory
/// of failed scenes in the build tree. Formats that are not 8-bit are shown by their bytes.
void write_difference(const std::string& file, const Shot& expected, const Shot& actual);

/// Writes one attachment as PNG, in the same way.
void write_picture(const std::string& path, const Shot& shot);

}  // namespace valkyr::scenes
