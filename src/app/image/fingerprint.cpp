// Fingerprint: hashes a picture.
// SPDX-License-Identifier: MIT
#include "app/image/fingerprint.hpp"

#include "base/fnv1a.hpp"

#include <fmt/core.h>

namespace valkyr::app {

std::string fingerprint(const examples::Image& image) {
    Fnv1a hash;
    hash.add_number(image.width, sizeof(image.width));
    hash.add_number(image.height, sizeof(image.height));
    hash.add(std::as_bytes(std::span(image.rgba)));
    return fmt::format("{:016x}", hash.value());
}

}  // namespace valkyr::app
