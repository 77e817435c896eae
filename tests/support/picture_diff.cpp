// Picture diff: compares the results of two renderers and draws the difference.
// SPDX-License-Identifier: MIT
#include "tests/support/picture_diff.hpp"

#include "examples/image_io.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace valkyr::scenes {
namespace {

size_t texel_bytes(const Shot& shot) {
    return exec::format_info(shot.format).block_bytes;
}

bool texels_differ(const Shot& a, const Shot& b, size_t texel, int tolerance) {
    for (size_t i = texel * texel_bytes(a); i < (texel + 1) * texel_bytes(a); i++)
        if (std::abs(int{a.bytes[i]} - int{b.bytes[i]}) > tolerance)
            return true;
    return false;
}

std::string hex(const Shot& shot, size_t texel) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < texel_bytes(shot); i++) {
        const uint8_t byte = shot.bytes[texel * texel_bytes(shot) + i];
        text += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return text;
}

/// The first three bytes of each texel as red, green, blue.
examples::Image picture(const Shot& shot) {
    examples::Image image{shot.width, shot.height, {}};
    for (size_t texel = 0; texel < size_t{shot.width} * shot.height; texel++)
        for (size_t c = 0; c < 4; c++) {
            const bool stored = c < 3 && c < texel_bytes(shot);
            const uint8_t absent = c == 3 ? 255 : 0;
            image.rgba.push_back(stored ? shot.bytes[texel * texel_bytes(shot) + c] : absent);
        }
    return image;
}

examples::Image difference(const examples::Image& a, const examples::Image& b) {
    examples::Image image = a;
    for (size_t i = 0; i < image.rgba.size(); i++) {
        const int delta = std::abs(int{a.rgba[i]} - int{b.rgba[i]});
        const int amplified = delta == 0 ? 0 : std::min(255, 64 + 8 * delta);
        image.rgba[i] = static_cast<uint8_t>(i % 4 == 3 ? 255 : amplified);
    }
    return image;
}

}  // namespace

std::optional<std::string>
first_difference(const Shot& expected, const Shot& actual, int tolerance) {
    if (expected.format != actual.format || expected.width != actual.width ||
        expected.height != actual.height)
        return "attachments differ in format or size";
    size_t count = 0;
    std::ostringstream text;
    for (size_t texel = 0; texel < size_t{expected.width} * expected.height; texel++) {
        if (!texels_differ(expected, actual, texel, tolerance))
            continue;
        if (count++ == 0)
            text << "first at (" << texel % expected.width << ", " << texel / expected.width
                 << "): expected " << hex(expected, texel) << ", actual " << hex(actual, texel);
    }
    if (count == 0)
        return std::nullopt;
    text << "; " << count << " texels differ";
    return text.str();
}

void write_difference(const std::string& file, const Shot& expected, const Shot& actual) {
    const std::filesystem::path directory = VALKYR_FAILED_SCENES;
    std::error_code ignored;
    std::filesystem::create_directories(directory, ignored);
    const examples::Image want = picture(expected);
    const examples::Image got = picture(actual);
    const std::string base = (directory / file).string();
    const bool written = examples::write_image(base + "-expected.png", want).has_value() &&
                         examples::write_image(base + "-actual.png", got).has_value() &&
                         examples::write_image(base + "-difference.png", difference(want, got));
    static_cast<void>(written);  // the test reports the difference in any case
}

void write_picture(const std::string& path, const Shot& shot) {
    const Result<void> written = examples::write_image(path, picture(shot));
    if (!written)
        throw SceneError(written.error().format(path));
}

}  // namespace valkyr::scenes
