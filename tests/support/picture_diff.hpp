// Picture diff: compares the results of two renderers and draws the difference.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scene_kit.hpp"

#include <optional>
#include <string>

namespace valkyr::scenes {

/// A sentence about the first differing texel and the number of differing ones; nothing if all
/// agree. `tolerance`: largest allowed difference of a byte.
std::optional<std::string>
first_difference(const Shot& expected, const Shot& actual, int tolerance);

/// Writes FILE-expected.png, FILE-actual.png and FILE-difference.png (amplified) to the directory
/// of failed scenes in the build tree. Formats that are not 8-bit are shown by their bytes.
void write_difference(const std::string& file, const Shot& expected, const Shot& actual);

/// Writes one attachment as PNG; formats that are not 8-bit are shown by their bytes.
void write_picture(const std::string& path, const Shot& shot);

}  // namespace valkyr::scenes
