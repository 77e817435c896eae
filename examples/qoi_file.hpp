// QOI file: encodes and decodes pictures in the Quite OK Image format.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"

#include <string_view>

namespace valkyr::examples {

/// True if the bytes begin like a QOI file: with the header's magic of the QOI specification.
bool is_qoi(std::string_view bytes);

/// Returns the bytes of a QOI file with four channels in sRGB.
/// errors  OutOfRange: the picture is empty or has more than 400 million pixels
Result<std::string> encode_qoi(const Image& image);

/// Decodes a file to four channels.
/// errors  Syntax: not a QOI file, or one with fewer or more pixels than it says; OutOfRange: a
/// side exceeds `largest`
Result<Image> decode_qoi(std::string_view bytes, uint32_t largest);

}  // namespace valkyr::examples
