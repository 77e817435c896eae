// Texel copy test: operations on boxes of texels equal texel-by-texel operations, at any place.
// SPDX-License-Identifier: MIT
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/resource/blit_axis.hpp"
#include "raster/resource/copy.hpp"
#include "raster/resource/resolve.hpp"
#include "raster/resource/transfer.hpp"
#include "tests/support/random.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

constexpr uint32_t kLayers = 3;

std::vector<Format> plain_formats() {
    std::vector<Format> formats;
    for (unsigned i = 1; i < exec::kFormatCount; ++i)
        if (is_plain(exec::format_info(static_cast<Format>(i))))
            formats.push_back(static_cast<Format>(i));
    return formats;
}

std::shared_ptr<TextureImpl>
texture(Format format, uint32_t width, uint32_t height, uint32_t samples) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMsArray : TextureKind::Tex2DArray;
    desc.samples = samples;
    desc.format = format;
    desc.width = width;
    desc.height = height;
    desc.layers = kLayers;
    auto result = TextureImpl::create(nullptr, desc);
    REQUIRE(result.has_value());
    return *result;
}

size_t level_bytes(TextureImpl& t) {
    return t.level(0).slice_bytes * t.level(0).depth;
}
void fill(Random& random, TextureImpl& t) {
    for (size_t i = 0; i < level_bytes(t); ++i)
        t.slice(0, 0)[i] = static_cast<uint8_t>(random.next());
}
std::shared_ptr<TextureImpl> copy_of(TextureImpl& t) {
    auto copy = texture(t.desc().format, t.desc().width, t.desc().height, t.desc().samples);
    std::memcpy(copy->slice(0, 0), t.slice(0, 0), level_bytes(t));
    return copy;
}
bool equal(TextureImpl& a, TextureImpl& b) {
    return std::memcmp(a.slice(0, 0), b.slice(0, 0), level_bytes(a)) == 0;
}
BlitTexels texels(TextureImpl& t) {
    return {t, 0, t.desc().format, exec::format_info(t.desc().format)};
}

/// Runs the rows in pieces of varying length, from the end.
Result<void> run_in_pieces(uint32_t count, const std::function<void(uint32_t, uint32_t)>& rows) {
    for (uint32_t end = count; end > 0;) {
        const uint32_t first = end - std::min(end, 1 + end % 3);
        rows(first, end);
        end = first;
    }
    return {};
}

Box any_box(Random& random, uint32_t width, uint32_t height) {
    Box box;
    box.width = 1 + random.below(width);
    box.height = 1 + random.below(height);
    box.depth = 1 + random.below(kLayers);
    box.x = random.below(width - box.width + 1);
    box.y = random.below(height - box.height + 1);
    box.z = random.below(kLayers - box.depth + 1);
    return box;
}

std::string name(TextureImpl& t) {
    return std::string(exec::format_info(t.desc().format).name) + ", samples " +
           std::to_string(t.desc().samples);
}

/// Calls f(x, y, z, sample) for the texels of a box, counted from its corner.
template <typename F>
void for_texels(TextureImpl& t, const Box& box, const F& f) {
    for (uint32_t z = 0; z < box.depth; ++z)
        for (uint32_t y = 0; y < box.height; ++y)
            for (uint32_t x = 0; x < box.width; ++x)
                for (uint32_t s = 0; s < t.desc().samples; ++s)
                    f(x, y, z, s);
}

}  // namespace

TEST_CASE("boxes of texels of any size are copied, within a texture, too") {
    const std::vector<Format> formats = plain_formats();
    Random random(17);
    for (unsigned i = 0; i < 600; ++i) {
        const uint32_t samples = random.one_in(3) ? 2U << random.below(4) : 1;
        const Format format = formats[random.below(formats.size())];
        const uint32_t width = 1 + random.below(40);
        const uint32_t height = 1 + random.below(30);
        const auto from = texture(format, width, height, samples);
        fill(random, *from);
        const bool shared = random.one_in(3);
        const auto to = shared ? from : texture(format, width, height, samples);
        if (!shared)
            fill(random, *to);
        const Box box = any_box(random, width, height);
        TexelCorner corner{random.below(width - box.width + 1),
                           random.below(height - box.height + 1),
                           random.below(kLayers - box.depth + 1)};
        if (random.one_in(2)) {  // aligned to tiles
            corner.x = box.x % 4 + box.width <= width ? box.x % 4 : box.x;
            corner.y = box.y % 4 + box.height <= height ? box.y % 4 : box.y;
        }
        const auto source = copy_of(*from);
        const auto expected = copy_of(*to);
        for_texels(*from, box, [&](uint32_t x, uint32_t y, uint32_t z, uint32_t s) {
            std::memcpy(texels(*expected).at(corner.x + x, corner.y + y, corner.z + z, s),
                        texels(*source).at(box.x + x, box.y + y, box.z + z, s),
                        from->texel_bytes());
        });
        REQUIRE(copy_box(*to, 0, corner, *from, 0, box, run_in_pieces).has_value());
        CAPTURE(name(*to));
        CHECK(equal(*expected, *to));
    }
}

TEST_CASE("boxes of any format are filled, depth or stencil alone, too") {
    const std::vector<Format> formats = plain_formats();
    Random random(19);
    for (unsigned i = 0; i < 400; ++i) {
        const uint32_t samples = random.one_in(3) ? 2U << random.below(4) : 1;
        const Format format = formats[random.below(formats.size())];
        const uint32_t width = 1 + random.below(40);
        const uint32_t height = 1 + random.below(30);
        const auto to = texture(format, width, height, samples);
        fill(random, *to);
        const Box box = any_box(random, width, height);
        FillValue value;
        for (uint8_t& byte : value.texel)
            byte = static_cast<uint8_t>(random.next());
        value.depth = random.one_in(2);
        value.stencil = random.one_in(2);
        value.depth_code = random.next() & 0xFFFF;
        value.stencil_value = static_cast<uint8_t>(random.next());
        const auto expected = copy_of(*to);
        for_texels(*to, box, [&](uint32_t x, uint32_t y, uint32_t z, uint32_t s) {
            uint8_t* texel = texels(*expected).at(box.x + x, box.y + y, box.z + z, s);
            if (!is_depth_stencil(format)) {
                std::memcpy(texel, value.texel.data(), to->texel_bytes());
                return;
            }
            DepthStencil stored = load_depth_stencil(format, texel);
            if (value.depth)
                stored.depth = value.depth_code;
            if (value.stencil)
                stored.stencil = value.stencil_value;
            store_depth_stencil(format, stored, texel);
        });
        REQUIRE(fill_box(*to, 0, box, value, run_in_pieces).has_value());
        CAPTURE(name(*to));
        CHECK(equal(*expected, *to));
    }
}

TEST_CASE("rows of any stride are uploaded and read back") {
    const std::vector<Format> formats = plain_formats();
    Random random(23);
    for (unsigned i = 0; i < 600; ++i) {
        const Format format = formats[random.below(formats.size())];
        const uint32_t width = 1 + random.below(70);
        const uint32_t height = 1 + random.below(20);
        const auto to = texture(format, width, height, 1);
        fill(random, *to);
        const Box box = any_box(random, width, height);
        const size_t bytes = to->texel_bytes();
        const size_t stride = box.width * bytes + random.below(9);
        const size_t slice = stride * box.height + random.below(9);
        std::vector<std::byte> rows(slice * box.depth);
        for (std::byte& byte : rows)
            byte = static_cast<std::byte>(random.next());
        const auto place = [&](uint32_t x, uint32_t y, uint32_t z) {
            return z * slice + y * stride + x * bytes;
        };
        const auto expected = copy_of(*to);
        for_texels(*to, box, [&](uint32_t x, uint32_t y, uint32_t z, uint32_t) {
            std::memcpy(texels(*expected).at(box.x + x, box.y + y, box.z + z, 0),
                        rows.data() + place(x, y, z), bytes);
        });
        REQUIRE(upload(*to, 0, box, rows, stride, slice, run_in_pieces).has_value());
        CAPTURE(name(*to));
        CHECK(equal(*expected, *to));
        std::vector<std::byte> back(rows.size());
        REQUIRE(download(*to, 0, box, back, stride, slice, run_in_pieces).has_value());
        bool same = true;
        for_texels(*to, box, [&](uint32_t x, uint32_t y, uint32_t z, uint32_t) {
            same &=
                std::memcmp(back.data() + place(x, y, z), rows.data() + place(x, y, z), bytes) == 0;
        });
        CHECK(same);
    }
}

TEST_CASE("texels of more bytes than a clear value are no render target") {
    for (unsigned i = 1; i < exec::kFormatCount; ++i) {
        const auto format = static_cast<Format>(i);
        if (is_color_renderable(format))
            CHECK(exec::format_info(format).block_bytes <= SliceClear{}.texel.size());
    }
    CHECK(!is_color_renderable(Format::R64G64B64A64_FLOAT));
}

TEST_CASE("samples of any format are resolved to rows as one texel after the other is") {
    Random random(29);
    for (const Format format : plain_formats())
        for (const uint32_t samples : {2U, 4U, 8U, 16U}) {
            const uint32_t width = 1 + random.below(45);
            const uint32_t height = 1 + random.below(12);
            const auto from = texture(format, width, height, samples);
            fill(random, *from);
            const Box box = any_box(random, width, height);
            const size_t stride = size_t{box.width} * from->texel_bytes() + random.below(5);
            std::vector<std::byte> expected(stride * box.height);
            resolve_rows(*from, 0, box, box.z, expected.data(), stride, nullptr);
            for (const Host host : {Host::Auto, Host::Avx2, Host::Neon}) {
                std::vector<std::byte> rows(stride * box.height);
                resolve_rows(*from, 0, box, box.z, rows.data(), stride, convert_tiles_of(host));
                CAPTURE(name(*from));
                CHECK(rows == expected);
            }
        }
}

}  // namespace valkyr::raster::test
