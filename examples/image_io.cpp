// Image I/O: reads and writes RGBA8 pictures as PNG files.
// SPDX-License-Identifier: MIT
#include "examples/image_io.hpp"

#include "base/caught_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <memory_resource>

namespace {

/// The memory of the picture that this thread encodes. The encoder does not look whether its
/// requests succeed, so they throw; what it holds then goes with the resource.
thread_local std::pmr::memory_resource* encoder_memory = nullptr;

void* allocate_for_encoder(size_t size) {
    return encoder_memory->allocate(size);
}
void* reallocate_for_encoder(const void* old, size_t old_size, size_t size) {
    void* larger = allocate_for_encoder(size);
    if (old != nullptr)
        std::memcpy(larger, old, std::min(old_size, size));
    return larger;
}

}  // namespace

#define STBIW_MALLOC(size) allocate_for_encoder(size)
#define STBIW_REALLOC_SIZED(old, old_size, size) reallocate_for_encoder(old, old_size, size)
#define STBIW_FREE(block) ((void)(block))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_STATIC
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace valkyr::examples {

namespace {

/// Collects the encoder's output, so that a failed write is seen as such.
void append_bytes(void* context, void* data, int size) {
    auto* bytes = static_cast<std::vector<uint8_t>*>(context);
    const auto* first = static_cast<const uint8_t*>(data);
    bytes->insert(bytes->end(), first, first + size);
}

/// The bytes of the PNG file; none if the picture cannot be encoded.
/// throws  std::bad_alloc
std::vector<uint8_t> encode(const Image& image) {
    std::pmr::monotonic_buffer_resource memory;
    const auto reset = [](std::pmr::memory_resource**) { encoder_memory = nullptr; };
    encoder_memory = &memory;
    const std::unique_ptr<std::pmr::memory_resource*, decltype(reset)> lent(&encoder_memory, reset);
    std::vector<uint8_t> bytes;
    const auto width = static_cast<int>(image.width);
    if (stbi_write_png_to_func(append_bytes, &bytes, width, static_cast<int>(image.height), 4,
                               image.rgba.data(), width * 4) == 0)
        return {};
    return bytes;
}

}  // namespace

Result<void> write_png(const std::string& path, const Image& image) try {
    const std::vector<uint8_t> bytes = encode(image);
    if (bytes.empty())
        return Error{Errc::System, {}, path + ": the picture cannot be encoded"};
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return Error{Errc::System, {}, path + ": " + std::strerror(errno)};
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (std::fclose(file) != 0 || !written)
        return Error{Errc::System, {}, path + ": " + std::strerror(errno)};
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
