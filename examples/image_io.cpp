// Image I/O: reads and writes RGBA8 pictures as PNG, PPM and QOI files.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"

#include "base/caught_error.hpp"
#include "examples/png_file.hpp"
#include "examples/qoi_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace valkyr::examples {

namespace {

using Write = Result<void> (*)(const std::string& path, const Image& image);

Error file_error(const std::string& path) {
    return {Errc::System, {}, path + ": " + std::strerror(errno)};
}

Result<void> write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
        return file_error(path);
    return {};
}

Result<void> write_png(const std::string& path, const Image& image) {
    const std::string wrong = write_png_file(path, image.width, image.height, image.rgba);
    if (!wrong.empty())
        return Error{Errc::System, {}, wrong};
    return {};
}

/// A binary PPM: a header of text, then three bytes a pixel.
Result<void> write_ppm(const std::string& path, const Image& image) {
    std::string bytes =
        "P6\n" + std::to_string(image.width) + " " + std::to_string(image.height) + "\n255\n";
    bytes.reserve(bytes.size() + image.rgba.size() / 4 * 3);
    for (size_t i = 0; i < image.rgba.size(); i++)
        if (i % 4 != 3)
            bytes.push_back(static_cast<char>(image.rgba[i]));
    return write_bytes(path, bytes);
}

Result<void> write_qoi(const std::string& path, const Image& image) {
    VALKYR_TRY(bytes, encode_qoi(image));
    return write_bytes(path, bytes);
}

constexpr std::pair<std::string_view, Write> kWriters[] = {
    {".png", write_png}, {".ppm", write_ppm}, {".qoi", write_qoi}};

/// A name without an ending, as /dev/full, means a PNG.
Write writer_of(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (name.rfind('.') == std::string_view::npos)
        return write_png;
    const auto* const found =
        std::find_if(std::begin(kWriters), std::end(kWriters),
                     [&](const auto& writer) { return path.ends_with(writer.first); });
    return found == std::end(kWriters) ? nullptr : found->second;
}

}  // namespace

bool is_image_path(std::string_view path) {
    return writer_of(path) != nullptr;
}

Result<void> write_image(const std::string& path, const Image& image) try {
    const Write write = writer_of(path);
    if (write == nullptr)
        return Error{Errc::Unsupported, {}, path + ": a picture's name ends with " + kImageEndings};
    return write(path, image);
} catch (...) {
    return caught_error();
}

namespace {

constexpr size_t kMostFileBytes = size_t{1} << 30;

Error too_large(uint32_t largest) {
    return {Errc::OutOfRange, {}, "a side has more than " + std::to_string(largest) + " texels"};
}

/// Reads in pieces, so that a device without an end takes no more than the limit.
Result<std::string> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return file_error(path);
    std::string bytes;
    std::string piece(size_t{1} << 20, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           file.gcount() > 0) {
        bytes.append(piece, 0, static_cast<size_t>(file.gcount()));
        if (bytes.size() > kMostFileBytes)
            return Error{Errc::OutOfRange, {}, path + ": the file is too large for a picture"};
    }
    if (file.bad())
        return file_error(path);
    return bytes;
}

bool is_pnm(std::string_view bytes) {
    return bytes.starts_with("P5") || bytes.starts_with("P6");
}

/// Returns the bytes of a PNM's header: the magic number, width, height and greatest value with
/// white space and comments between them, and one more character.
size_t pnm_header_bytes(std::string_view bytes) {
    size_t at = 2;
    for (int number = 0; number < 3; ++number) {
        at = std::min(bytes.find_first_not_of(" \t\n\v\f\r", at), bytes.size());
        while (at < bytes.size() && bytes[at] == '#') {
            at = std::min(bytes.find_first_of("\n\r", at), bytes.size());
            at = std::min(bytes.find_first_not_of(" \t\n\v\f\r", at), bytes.size());
        }
        at = std::min(bytes.find_first_not_of("0123456789", at), bytes.size());
    }
    return std::min(at + 1, bytes.size());
}

/// The bytes of a file as stb_image wants them.
struct StbBytes {
    const stbi_uc* data;
    int size;

    explicit StbBytes(std::string_view bytes)
        : data(reinterpret_cast<const stbi_uc*>(bytes.data()))
        , size(static_cast<int>(std::min(bytes.size(), kMostFileBytes))) {}
};

/// Checks what a file says of its picture, before stb_image takes memory for that.
Result<void> check_header(std::string_view bytes, uint32_t largest) {
    // The most of all formats: eight texels a byte in a PNG of one bit, after deflate's 1032 to 1.
    constexpr size_t kMostTexelsPerByte = 8 * 1032;
    const StbBytes stb(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi_info_from_memory(stb.data, stb.size, &width, &height, &channels) == 0)
        return Error{Errc::Syntax, {}, stbi_failure_reason()};
    if (static_cast<uint32_t>(std::max(width, height)) > largest)
        return too_large(largest);
    const size_t texels = static_cast<size_t>(width) * static_cast<size_t>(height);
    if (texels == 0)
        return Error{Errc::Syntax, {}, "a picture without texels"};
    bool fits = texels <= kMostTexelsPerByte * bytes.size();
    if (is_pnm(bytes)) {
        // stb_image takes the texels that a PNM lacks for black.
        const size_t channel_bytes = stbi_is_16_bit_from_memory(stb.data, stb.size) != 0 ? 2 : 1;
        const size_t texel_bytes = static_cast<size_t>(channels) * channel_bytes;
        fits = texels * texel_bytes <= bytes.size() - pnm_header_bytes(bytes);
    }
    if (!fits)
        return Error{Errc::Syntax, {}, "the file has fewer texels than its header says"};
    return {};
}

Result<Image> decode_stb(std::string_view bytes) {
    const StbBytes stb(bytes);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels{
        stbi_load_from_memory(stb.data, stb.size, &width, &height, &channels, 4), stbi_image_free};
    if (!pixels)
        return Error{Errc::Syntax, {}, stbi_failure_reason()};
    const size_t size = static_cast<size_t>(width) * static_cast<size_t>(height) * 4;
    return Image{static_cast<uint32_t>(width),
                 static_cast<uint32_t>(height),
                 {pixels.get(), pixels.get() + size}};
}

/// Decodes a file whose end stb_image does not find: where bytes are missing, its picture has what
/// was in memory. So there are other bytes behind the end, which a whole file does not show.
Result<Image> decode_padded(std::string_view bytes) {
    constexpr size_t kLongestRow = size_t{16} << 15;  // what stb_image reads at a time
    std::string padded(bytes);
    padded.resize(bytes.size() + kLongestRow, '\0');
    VALKYR_TRY(image, decode_stb(padded));
    std::fill(padded.begin() + static_cast<std::ptrdiff_t>(bytes.size()), padded.end(), '\xFF');
    const Result<Image> other = decode_stb(padded);
    if (!other.has_value() || !(*other == image))
        return Error{Errc::Syntax, {}, "the file ends early"};
    return image;
}

}  // namespace

Result<Image> decode_image(std::string_view bytes, uint32_t largest) try {
    if (is_qoi(bytes))
        return decode_qoi(bytes, largest);
    VALKYR_TRY_VOID(check_header(bytes, largest));
    const bool finds_end = bytes.starts_with("\x89PNG") || is_pnm(bytes);
    return finds_end ? decode_stb(bytes) : decode_padded(bytes);
} catch (...) {
    return caught_error();
}

Result<Image> read_image(const std::string& path, uint32_t largest) try {
    VALKYR_TRY(bytes, read_bytes(path));
    Result<Image> image = decode_image(bytes, largest);
    if (!image.has_value())
        return Error{image.error().code, {}, path + ": " + image.error().text};
    return image;
} catch (...) {
    return caught_error();
}

}  // namespace valkyr::examples
