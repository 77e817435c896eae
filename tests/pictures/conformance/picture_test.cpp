// Picture test: compares encoded texels and shown surfaces with hand computation.
// SPDX-License-Identifier: MIT
#include "app/conform/picture.hpp"
#include "app/conform/texels.hpp"

#include <doctest/doctest.h>

namespace valkyr::conform {
namespace {

using exec::Format;
using Bytes = std::vector<uint8_t>;

Bytes encoded(Format format, Rgba color) {
    Bytes bytes;
    encode(format, color, bytes);
    return bytes;
}

TEST_CASE("numbers become the codes of their format") {
    CHECK(encoded(Format::R8G8B8A8_UNORM, {0, 1, 0.5F, 2}) == Bytes{0, 255, 128, 255});
    CHECK(encoded(Format::B8G8R8A8_UNORM, {1, 0, 0, 1}) == Bytes{0, 0, 255, 255});
    CHECK(encoded(Format::R8G8B8A8_SNORM, {-1, 1, 0, -2}) == Bytes{0x81, 0x7F, 0, 0x81});
    CHECK(encoded(Format::R8G8B8A8_SINT, {-1, -300, 5, 127}) == Bytes{0xFF, 0x80, 5, 127});
    CHECK(encoded(Format::B5G6R5_UNORM, {1, 0, 0, 1}) == Bytes{0x00, 0xF8});
    CHECK(encoded(Format::R16_FLOAT, {1.5F, 0, 0, 0}) == Bytes{0x00, 0x3E});
    CHECK(encoded(Format::R32_FLOAT, {-2, 0, 0, 0}) == Bytes{0, 0, 0, 0xC0});
    CHECK(encoded(Format::L8A8_UNORM, {1, 0, 0, 0}) == Bytes{255, 0});
    CHECK(encoded(Format::A8_UNORM, {1, 1, 1, 0.2F}) == Bytes{51});
    CHECK(encoded(Format::D24_UNORM_S8_UINT, {1, 7, 0, 0}) == Bytes{255, 255, 255, 7});
}

TEST_CASE("8-bit texels are pixels, code by code") {
    const Bytes bytes{1, 2, 3, 4};
    CHECK(show_surface(Format::R8G8B8A8_UNORM, 1, 1, bytes).rgba == bytes);
    CHECK(show_surface(Format::B8G8R8X8_UNORM, 1, 1, bytes).rgba == Bytes{3, 2, 1, 255});
    CHECK(show_surface(Format::R8_UNORM, 2, 2, bytes).rgba ==
          Bytes{1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255});
}

TEST_CASE("other texels are shown by value and by their bytes") {
    const examples::Image image =
        show_surface(Format::R16G16_UNORM, 1, 1, Bytes{0xFF, 0xFF, 0x00, 0x80});
    CHECK(image.width == 3);
    CHECK(image.rgba == Bytes{255, 128, 0, 255, 0xFF, 0xFF, 0x00, 255, 0x80, 0, 0, 255});
    CHECK(show_surface(Format::R32_FLOAT, 1, 1, Bytes{0, 0, 0, 0x3F}).rgba[0] == 128);
    CHECK(show_surface(Format::R16_FLOAT, 1, 1, Bytes{0, 0x38}).rgba[0] == 128);
}

TEST_CASE("no two texels of a format have the same picture") {
    Bytes a(8), b(8);
    for (size_t byte = 0; byte < 8; byte++) {
        b = a;
        b[byte] = 1;
        CHECK(show_surface(Format::R16G16B16A16_FLOAT, 1, 1, a) !=
              show_surface(Format::R16G16B16A16_FLOAT, 1, 1, b));
    }
}

TEST_CASE("pictures of different heights stand beside each other") {
    const examples::Image low{1, 1, {1, 2, 3, 4}};
    const examples::Image high{1, 2, {5, 5, 5, 5, 6, 6, 6, 6}};
    CHECK(beside(low, high).rgba == Bytes{1, 2, 3, 4, 5, 5, 5, 5, 0, 0, 0, 0, 6, 6, 6, 6});
}

TEST_CASE("levels have the bytes that their size and format say") {
    raster::TextureDesc desc;
    desc.format = Format::BC1_RGB_UNORM;
    desc.width = 10;
    desc.height = 4;
    CHECK(level_bytes(desc, 0) == 3 * 8);
    CHECK(level_bytes(desc, 2) == 8);
    desc.kind = raster::TextureKind::Tex3D;
    desc.format = Format::R8G8_UNORM;
    desc.depth = 4;
    CHECK(level_bytes(desc, 1) == 5 * 2 * 2 * 2);
}

}  // namespace
}  // namespace valkyr::conform
