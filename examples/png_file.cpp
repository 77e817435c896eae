// PNG file: writes a picture as a PNG file with stb.
// SPDX-License-Identifier: MIT
#include "png_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <memory_resource>

namespace {

/// The memory of the picture that this thread encodes. The encoder does not check its allocations,
/// so failures throw; the resource then frees the encoder's memory.
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
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace valkyr::examples {

namespace {

/// Collects the encoder's output. The file is written later, where errors can be reported.
void append_bytes(void* context, void* data, int size) {
    auto* bytes = static_cast<std::vector<uint8_t>*>(context);
    const auto* first = static_cast<const uint8_t*>(data);
    bytes->insert(bytes->end(), first, first + size);
}

/// The bytes of the PNG file; none if the picture cannot be encoded.
/// throws  std::bad_alloc
std::vector<uint8_t> encode(uint32_t width, uint32_t height, const std::vector<uint8_t>& rgba) {
    std::pmr::monotonic_buffer_resource memory;
    const auto reset = [](std::pmr::memory_resource**) { encoder_memory = nullptr; };
    encoder_memory = &memory;
    const std::unique_ptr<std::pmr::memory_resource*, decltype(reset)> lent(&encoder_memory, reset);
    std::vector<uint8_t> bytes;
    const auto columns = static_cast<int>(width);
    if (stbi_write_png_to_func(append_bytes, &bytes, columns, static_cast<int>(height), 4,
                               rgba.data(), columns * 4) == 0)
        return {};
    return bytes;
}

}  // namespace

std::string write_png_file(const std::string& path,
                           uint32_t width,
                           uint32_t height,
                           const std::vector<uint8_t>& rgba) {
    const std::vector<uint8_t> bytes = encode(width, height, rgba);
    if (bytes.empty())
        return path + ": the picture cannot be encoded";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return path + ": " + std::strerror(errno);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (std::fclose(file) != 0 || !written)
        return path + ": " + std::strerror(errno);
    return {};
}

}  // namespace valkyr::examples
