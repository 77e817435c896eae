// Depth stream test: checks depth of textures that nobody has read, which passes the caches.
// SPDX-License-Identifier: MIT
#include "tests/raster/device/compute_bench.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace valkyr::raster::test {
namespace {

constexpr const char* kStreamCorners =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
constexpr const char* kWhiteEverywhere =
    "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n"
    "MOV OUT[0], IMM[0]\nEND\n";
constexpr uint32_t kStreamWidth = 100;  ///< two tiles, the second partly outside
constexpr uint32_t kStreamHeight = 70;

struct DepthTexel {
    Format format;
    uint32_t bytes;
    uint32_t half;    ///< the first word of a texel with depth 0.5 and stencil 0xA5
    uint32_t far;     ///< with depth 1 and stencil 0xA5
    uint32_t second;  ///< the second word, if there is one
};
// 0.5 * (2^n - 1) is rounded to the even neighbour, which is 2^(n-1) (docs/rules/formats.md).
constexpr DepthTexel kTexels[] = {
    {Format::D32_FLOAT, 4, 0x3F000000, 0x3F800000, 0},
    {Format::D24_UNORM_X8_UINT, 4, 0x00800000, 0x00FFFFFF, 0},
    {Format::D24_UNORM_S8_UINT, 4, 0xA5800000, 0xA5FFFFFF, 0},
    {Format::S8_UINT_D24_UNORM, 4, 0x800000A5, 0xFFFFFFA5, 0},
    {Format::D16_UNORM, 2, 0x8000, 0xFFFF, 0},
    {Format::D32_FLOAT_S8X24_UINT, 8, 0x3F000000, 0x3F800000, 0xA5},
};

/// A cleared colour and a cleared depth target.
struct DepthBench : ComputeBench {
    scenes::SceneKit kit;
    TextureRef color;
    TextureRef depth;

    DepthBench(const Machine& machine, Format format)
        : ComputeBench(machine)
        , kit(*device) {
        kit.size(kStreamWidth, kStreamHeight);
        color = kit.add_color();
        depth = kit.add_depth(format);
        kit.clear(0, 0, 0, 0, 1, 0xA5);
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        kit.shaders(kStreamCorners, kWhiteEverywhere);
    }
    /// Draws at depth 0.5 (clip 0) from the left side to a clip coordinate.
    void cover(float right) {
        kit.vertices({-1,    -1, 0, 1, right, -1, 0, 1, -1,    1, 0, 1,  //
                      right, -1, 0, 1, -1,    1,  0, 1, right, 1, 0, 1},
                     {4});
        kit.draw(6);
        must(device->finish());
    }
    std::vector<std::byte> read(const TextureRef& texture, uint32_t bytes) {
        std::vector<std::byte> rows(size_t{kStreamWidth} * kStreamHeight * bytes);
        must(device->read_texture(texture, 0, {0, 0, 0, kStreamWidth, kStreamHeight, 1}, rows,
                                  size_t{kStreamWidth} * bytes));
        return rows;
    }
};

uint32_t word_of(const std::vector<std::byte>& rows, uint32_t x, uint32_t bytes, uint32_t at = 0) {
    uint32_t word = 0;
    const size_t place = (size_t{kStreamWidth} * (kStreamHeight - 1) + x) * bytes + at;
    std::memcpy(&word, rows.data() + place, std::min<size_t>(bytes - at, sizeof word));
    return word;
}

}  // namespace

TEST_CASE("depth that passed the caches is read back") {
    for (const Machine& machine : kMachines)
        for (const DepthTexel& texel : kTexels) {
            DepthBench bench(machine, texel.format);
            bench.cover(0);
            for (int again = 0; again < 2; ++again) {  // the second time, it does not pass them
                const auto rows = bench.read(bench.depth, texel.bytes);
                CHECK(word_of(rows, 0, texel.bytes) == texel.half);
                CHECK(word_of(rows, 49, texel.bytes) == texel.half);
                CHECK(word_of(rows, 50, texel.bytes) == texel.far);
                CHECK(word_of(rows, 99, texel.bytes) == texel.far);
                if (texel.bytes == 8)
                    CHECK(word_of(rows, 0, 8, 4) == texel.second);
                bench.cover(0);
            }
        }
}

TEST_CASE("later passes test against depth that passed the caches") {
    for (const Machine& machine : kMachines)
        for (const DepthTexel& texel : kTexels) {
            DepthBench bench(machine, texel.format);
            bench.cover(0);
            bench.kit.pipeline.blend.targets[0].write_mask = 1;  // red
            bench.cover(1);  // less is not nearer: the right half alone is drawn
            const auto rows = bench.read(bench.color, 4);
            CHECK(word_of(rows, 0, 4) == 0xFFFFFFFF);
            CHECK(word_of(rows, 49, 4) == 0xFFFFFFFF);
            CHECK(word_of(rows, 50, 4) == 0x000000FF);
        }
}

}  // namespace valkyr::raster::test
