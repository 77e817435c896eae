// Image diff: measures how much two pictures differ and draws the difference.
// SPDX-License-Identifier: MIT
#include "app/image/image_diff.hpp"

#include "app/cli/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

namespace valkyr::app {
namespace {

using examples::Image;

unsigned distance(const Image& a, const Image& b, size_t byte) {
    return static_cast<unsigned>(std::abs(int{a.rgba[byte]} - int{b.rgba[byte]}));
}

/// The largest difference of a pixel's channels.
unsigned pixel_distance(const Image& a, const Image& b, size_t pixel) {
    unsigned largest = 0;
    for (size_t c = 0; c < 4; c++)
        largest = std::max(largest, distance(a, b, pixel * 4 + c));
    return largest;
}

/// The heat map's colour of a difference: linear between six stops that are equally spaced in
/// sqrt(d / 255), so that small differences get most of the range.
std::array<uint8_t, 3> heat(unsigned d) {
    static constexpr double kStops[6][3] = {{0, 0, 0},     {40, 0, 160},   {180, 0, 120},
                                            {255, 60, 20}, {255, 210, 40}, {255, 255, 255}};
    const double at = std::sqrt(d / 255.0) * 5;
    const auto stop = std::min<size_t>(static_cast<size_t>(at), 4);
    const double part = at - static_cast<double>(stop);
    std::array<uint8_t, 3> color{};
    for (size_t c = 0; c < 3; c++)
        color[c] = static_cast<uint8_t>(
            std::lround(kStops[stop][c] + part * (kStops[stop + 1][c] - kStops[stop][c])));
    return color;
}

}  // namespace

Result<ImageDifference> compare_images(const Image& a, const Image& b, unsigned tolerance) {
    if (a.width != b.width || a.height != b.height)
        return Error{Errc::InvalidState,
                     {},
                     fmt::format("the pictures differ in size: {}x{} and {}x{} pixels", a.width,
                                 a.height, b.width, b.height)};
    ImageDifference result;
    double sum = 0;
    double squares = 0;
    const size_t pixels = size_t{a.width} * a.height;
    for (size_t pixel = 0; pixel < pixels; pixel++) {
        const unsigned largest = pixel_distance(a, b, pixel);
        if (largest == 0)
            continue;
        result.max = std::max(result.max, largest);
        for (size_t c = 0; c < 4; c++) {
            const double d = distance(a, b, pixel * 4 + c);
            sum += d;
            squares += d * d;
        }
        if (largest <= tolerance)
            continue;
        if (!result.first)
            result.first = {static_cast<uint32_t>(pixel % a.width),
                            static_cast<uint32_t>(pixel / a.width)};
        result.differing++;
    }
    const auto values = static_cast<double>(std::max<size_t>(pixels, 1) * 4);
    result.mean = sum / values;
    result.psnr = squares == 0 ? std::numeric_limits<double>::infinity()
                               : 10 * std::log10(255.0 * 255.0 * values / squares);
    return result;
}

Image heat_map(const Image& a, const Image& b) {
    Image map{a.width, a.height, {}};
    map.rgba.reserve(a.rgba.size());
    for (size_t pixel = 0; pixel < a.rgba.size() / 4; pixel++) {
        const std::array<uint8_t, 3> color = heat(pixel_distance(a, b, pixel));
        map.rgba.insert(map.rgba.end(), color.begin(), color.end());
        map.rgba.push_back(255);
    }
    return map;
}

Image amplified_difference(const Image& a, const Image& b, unsigned gain) {
    Image out = a;
    for (size_t i = 0; i < out.rgba.size(); i++) {
        const unsigned alpha = distance(a, b, i | 3);
        out.rgba[i] = static_cast<uint8_t>(
            i % 4 == 3 ? 255 : std::min(255U, (distance(a, b, i) + alpha) * gain));
    }
    return out;
}

std::string describe(const ImageDifference& difference, const Image& image) {
    const std::string first =
        difference.first
            ? fmt::format(" (first at {},{})", difference.first->x, difference.first->y)
            : std::string();
    return fmt::format("max {}, mean {:.6g}, {} of {} pixels differ{}, PSNR {:.2f} dB",
                       difference.max, difference.mean, difference.differing,
                       uint64_t{image.width} * image.height, first, difference.psnr);
}

std::string difference_json(const ImageDifference& difference) {
    const std::string first =
        difference.first ? fmt::format("[{}, {}]", difference.first->x, difference.first->y)
                         : "null";
    return fmt::format(
        "{{\"max\": {}, \"mean\": {}, \"differing\": {}, \"first\": {}, \"psnr\": {}}}",
        difference.max, json_number(difference.mean), difference.differing, first,
        json_number(difference.psnr));
}

}  // namespace valkyr::app
