// QOI file: encodes and decodes pictures in the Quite OK Image format.
// SPDX-License-Identifier: MIT
#include "examples/qoi_file.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wpedantic"
#define QOI_NO_STDIO
#define QOI_IMPLEMENTATION
#include <qoi.h>
#pragma GCC diagnostic pop

namespace valkyr::examples {

namespace {

constexpr std::string_view kMagic = "qoif";
constexpr size_t kHeaderBytes = 14;
/// The last bytes of each file.
constexpr std::string_view kEnd("\0\0\0\0\0\0\0\1", 8);

using Bytes = std::unique_ptr<void, void (*)(void*)>;

uint32_t word_at(std::string_view bytes, size_t at) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; i++)
        word = word << 8 | static_cast<uint8_t>(bytes[at + i]);
    return word;
}

/// Counts the pixels that the chunks between header and end stand for.
uint64_t pixels_of(std::string_view bytes) {
    uint64_t pixels = 0;
    for (size_t at = kHeaderBytes; at < bytes.size() - kEnd.size();) {
        const auto tag = static_cast<uint8_t>(bytes[at]);
        const bool is_run = tag >= QOI_OP_RUN && tag < QOI_OP_RGB;
        pixels += is_run ? tag - QOI_OP_RUN + 1 : 1;
        const bool is_luma = (tag & QOI_MASK_2) == QOI_OP_LUMA;
        at += tag == QOI_OP_RGB ? 4 : tag == QOI_OP_RGBA ? 5 : is_luma ? 2 : 1;
    }
    return pixels;
}

Error syntax(const char* text) {
    return {Errc::Syntax, {}, text};
}

}  // namespace

bool is_qoi(std::string_view bytes) {
    return bytes.substr(0, kMagic.size()) == kMagic;
}

Result<std::string> encode_qoi(const Image& image) {
    const qoi_desc desc{image.width, image.height, 4, QOI_SRGB};
    int size = 0;
    const Bytes bytes{qoi_encode(image.rgba.data(), &desc, &size), std::free};
    if (!bytes)
        return Error{Errc::OutOfRange, {}, "a QOI file cannot have so few or so many pixels"};
    return std::string(static_cast<const char*>(bytes.get()), static_cast<size_t>(size));
}

Result<Image> decode_qoi(std::string_view bytes, uint32_t largest) {
    if (!is_qoi(bytes) || bytes.size() < kHeaderBytes + kEnd.size() || bytes.size() > INT_MAX)
        return syntax("not a QOI file");
    const uint64_t width = word_at(bytes, 4);
    const uint64_t height = word_at(bytes, 8);
    if (std::max(width, height) > largest)
        return Error{
            Errc::OutOfRange, {}, "a side has more than " + std::to_string(largest) + " texels"};
    // The library takes memory for what the header says, and repeats the last pixel if there are
    // fewer.
    if (!bytes.ends_with(kEnd) || pixels_of(bytes) != width * height)
        return syntax("the QOI file has fewer or more pixels than its header says");
    qoi_desc desc{};
    const Bytes pixels{qoi_decode(bytes.data(), static_cast<int>(bytes.size()), &desc, 4),
                       std::free};
    if (!pixels)
        return syntax("the QOI file's header is wrong");
    const auto* rgba = static_cast<const uint8_t*>(pixels.get());
    return Image{desc.width, desc.height, {rgba, rgba + size_t{4} * desc.width * desc.height}};
}

}  // namespace valkyr::examples
