// Image diff: measures how much two pictures differ and draws the difference.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "examples/image_io.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace valkyr::app {

/// The difference of two pictures. Each channel counts by itself, alpha included, in steps of
/// 1/255.
struct ImageDifference {
    struct Pixel {
        uint32_t x = 0, y = 0;
        friend bool operator==(const Pixel&, const Pixel&) = default;
    };
    unsigned max = 0;            ///< largest difference of a channel
    double mean = 0;             ///< of all channels of all pixels
    uint64_t differing = 0;      ///< pixels with a channel that differs by more than the tolerance
    double psnr = 0;             ///< 10 log10(255^2 / mean square), dB; infinity for equal pictures
    std::optional<Pixel> first;  ///< the first of the differing pixels, row by row
};

/// Compares two pictures of one size. `tolerance`: the allowed difference of a channel, 0..255.
/// errors  InvalidState: the sizes differ (the text names both)
Result<ImageDifference>
compare_images(const examples::Image& a, const examples::Image& b, unsigned tolerance = 0);

/// Shows each pixel's largest difference as a colour: black (0), blue, red, yellow, white (255). A
/// difference of 1 is visible. The pictures must have one size.
examples::Image heat_map(const examples::Image& a, const examples::Image& b);

/// |a - b| of r, g and b times `gain`, limited to 255; differences of alpha are added to all three.
examples::Image
amplified_difference(const examples::Image& a, const examples::Image& b, unsigned gain);

/// "max 3, mean 0.02, 17 of 4096 pixels differ (first at 3,5), PSNR 54.2 dB".
std::string describe(const ImageDifference& difference, const examples::Image& image);

/// A JSON object with max, mean, differing, first ([x, y] or null), psnr (null: infinite).
std::string difference_json(const ImageDifference& difference);

}  // namespace valkyr::app
