// Image I/O: reads and writes RGBA8 pictures as PNG files.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"

#include "base/caught_error.hpp"
#include "examples/png_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
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

Result<void> write_png(const std::string& path, const Image& image) try {
    const std::string wrong = write_png_file(path, image.width, image.height, image.rgba);
    if (!wrong.empty())
        return Error{Errc::System, {}, wrong};
    return {};
} catch (...) {
    return caught_error();
}

Result<Image> read_image(const std::string& path, uint32_t largest) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr)
        return Error{Errc::System, {}, path + ": " + std::strerror(errno)};
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi_info_from_file(file, &width, &height, &channels) != 0 &&
        std::max(width, height) > static_cast<int>(largest)) {
        std::fclose(file);
        return Error{Errc::OutOfRange,
                     {},
                     path + ": a side has more than " + std::to_string(largest) + " texels"};
    }
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels{
        stbi_load_from_file(file, &width, &height, &channels, 4), stbi_image_free};
    std::fclose(file);
    if (!pixels)
        return Error{Errc::Syntax, {}, path + ": " + stbi_failure_reason()};
    const size_t size = static_cast<size_t>(width) * static_cast<size_t>(height) * 4;
    return Image{static_cast<uint32_t>(width),
                 static_cast<uint32_t>(height),
                 {pixels.get(), pixels.get() + size}};
}

}  // namespace valkyr::examples
