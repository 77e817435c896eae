// Depth rows test: rows of depth/stencil texels have the codes of single texels, in every format.
// SPDX-License-Identifier: MIT
#include "raster/formats/depth_codes.hpp"
#include "raster/resource/depth_rows.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <utility>
#include <vector>

namespace valkyr::raster {
namespace {

using exec::Format;

constexpr size_t kTexels = 48;
constexpr Format kFormats[] = {
    Format::D16_UNORM,         Format::D24_UNORM_X8_UINT, Format::D24_UNORM_S8_UINT,
    Format::D32_FLOAT,         Format::S8_UINT,           Format::D32_FLOAT_S8X24_UINT,
    Format::S8_UINT_D24_UNORM, Format::X8_UINT_D24_UNORM,
};

bool is_depth_stencil(const exec::FormatInfo& info) {
    return info.layout == exec::FormatLayout::DepthStencil;
}

TEST_CASE("every depth/stencil format has rows") {
    size_t formats = 0;
    for (unsigned f = 0; f < exec::kFormatCount; ++f)
        formats += is_depth_stencil(exec::format_info(static_cast<Format>(f)));
    CHECK(formats == std::size(kFormats));
}

TEST_CASE("rows are split into the codes of their texels") {
    std::mt19937 random(1);
    for (const Format format : kFormats) {
        const size_t bytes = exec::format_info(format).block_bytes;
        std::vector<uint8_t> texels(kTexels * bytes);
        for (uint8_t& byte : texels)
            byte = static_cast<uint8_t>(random());
        std::array<uint32_t, kTexels> depth{};
        std::array<uint8_t, kTexels> stencil{};
        split_depth_stencil(format, texels.data(), kTexels, depth.data(), stencil.data());
        for (size_t i = 0; i < kTexels; ++i) {
            const DepthStencil expected = load_depth_stencil(format, &texels[i * bytes]);
            CAPTURE(exec::format_info(format).name);
            CHECK(depth[i] == expected.depth);
            CHECK(stencil[i] == expected.stencil);
        }
    }
}

TEST_CASE("rows are merged into the texels of their codes; unused bits become 0") {
    std::mt19937 random(2);
    for (const Format format : kFormats) {
        const size_t bytes = exec::format_info(format).block_bytes;
        const DepthLayout layout = depth_layout(format);
        const unsigned depth_bits =
            layout.depth < 0 ? 0
                             : exec::format_info(format).bits[static_cast<size_t>(layout.depth)];
        std::array<uint32_t, kTexels> depth{};
        std::array<uint8_t, kTexels> stencil{};
        for (size_t i = 0; i < kTexels; ++i) {
            depth[i] =
                static_cast<uint32_t>(uint64_t{random()} & ((uint64_t{1} << depth_bits) - 1));
            stencil[i] = static_cast<uint8_t>(random());
        }
        for (const auto& [with_stencil, to] : {std::pair{true, MergeTo::Caches},
                                               {false, MergeTo::Caches},
                                               {true, MergeTo::Memory},
                                               {false, MergeTo::Memory}}) {
            std::vector<uint8_t> texels(kTexels * bytes, 0xCD);
            std::vector<uint8_t> expected(kTexels * bytes);
            merge_depth_stencil(format, depth.data(), with_stencil ? stencil.data() : nullptr,
                                kTexels, texels.data(), to);
            for (size_t i = 0; i < kTexels; ++i)
                store_depth_stencil(format, {depth[i], with_stencil ? stencil[i] : uint8_t{0}},
                                    &expected[i * bytes]);
            CAPTURE(exec::format_info(format).name);
            CHECK(texels == expected);
        }
    }
}

}  // namespace
}  // namespace valkyr::raster
