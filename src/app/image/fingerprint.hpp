// Fingerprint: hashes a picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"

#include <string>

namespace valkyr::app {

/// 64 bits of a picture's size and pixels (FNV-1a), as 16 hexadecimal digits.
std::string fingerprint(const examples::Image& image);

}  // namespace valkyr::app
