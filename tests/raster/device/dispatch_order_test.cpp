// Dispatch order test: checks that dispatches and draws see each other's writes, in order.
// SPDX-License-Identifier: MIT
#include "tests/raster/device/compute_bench.hpp"
#include "tests/support/scene_kit.hpp"

#include <bit>

namespace valkyr::raster::test {
namespace {

constexpr uint32_t kTargetSide = 64;
constexpr uint32_t kGreenTexel = 0xFF00FF00;
constexpr uint32_t kRedTexel = 0xFF0000FF;

constexpr const char* kPlainCorners =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
constexpr const char* kGreenPixels = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.0, 1.0, 0.0, 1.0}\n"
                                     "MOV OUT[0], IMM[0]\nEND\n";
/// Paints words 0 to 3 of a buffer.
constexpr const char* kBufferPixels =
    "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "LOAD TEMP[0], BUFFER[0], IMM[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n";
/// Adds 1 to a word for each pixel.
constexpr const char* kCountingPixels =
    "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
    "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\nMOV OUT[0], IMM[0].xxxx\nEND\n";

/// Copies word n of BUFFER[0] to word n of BUFFER[1].
std::string copies() {
    return compute({16, 1, 1}, "DCL BUFFER[0..1]\n",
                   "LOAD TEMP[2].x, BUFFER[0], TEMP[1].wwww\n"
                   "STORE BUFFER[1].x, TEMP[1].wwww, TEMP[2].xxxx\n");
}
/// Stores this to word n.
std::string stores(uint32_t value) {
    return compute({16, 1, 1},
                   "DCL BUFFER[0]\nIMM[1] UINT32 {" + std::to_string(value) + ", 0, 0, 0}\n",
                   "STORE BUFFER[0].x, TEMP[1].wwww, IMM[1].xxxx\n");
}

/// A bench whose device also draws a triangle over a target of kTargetSide pixels a side.
struct DrawBench : ComputeBench {
    scenes::SceneKit kit;
    TextureRef target;

    explicit DrawBench(const Machine& machine)
        : ComputeBench(machine)
        , kit(*device) {
        kit.size(kTargetSide, kTargetSide);
        target = kit.add_color(Format::R8G8B8A8_UNORM);
        kit.clear(1, 0, 0, 1);
        kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
    }
    void draw(const char* fragment) {
        kit.shaders(kPlainCorners, fragment);
        kit.draw(3);
    }
    uint64_t passes() { return device->take_statistics().passes; }
};

constexpr uint32_t kOneBits = std::bit_cast<uint32_t>(1.0F);

}  // namespace

TEST_CASE("a dispatch loads, fetches and changes what a draw before it rendered") {
    for (const Machine& machine : kMachines)
        for (const bool draws : {false, true}) {
            // Without a draw, the texels of the target are those of a clear that waits.
            DrawBench bench(machine);
            if (draws)
                bench.draw(kGreenPixels);
            const std::string image = ", 2D, PIPE_FORMAT_R32_UINT";
            bench.shader(compute({8, 8, 1},
                                 "DCL IMAGE[0]" + image +
                                     ", WR\nDCL BUFFER[0]\nDCL SAMP[0]\n"
                                     "DCL SVIEW[0], 2D, FLOAT\n",
                                 "MOV TEMP[2], IMM[0].xxxx\nMOV TEMP[2].xy, TEMP[0]\n"
                                 "TXF TEMP[3], TEMP[2], SAMP[0], 2D\n"
                                 "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].yyyy\n"
                                 "LOAD TEMP[3].x, IMAGE[0], TEMP[0]" +
                                     image +
                                     "\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[0].wwww\n"
                                     "STORE IMAGE[0], TEMP[0], TEMP[3]" +
                                     image + "\n"));
            const BufferRef green = bench.words(kTargetSide * kTargetSide, 7);
            bench.state.resources.images = {{.texture = bench.target, .format = Format::R32_UINT}};
            bench.state.resources.textures = {{bench.target}};
            bench.state.resources.samplers = {SamplerState{}};
            bench.state.resources.storage = {{green}};
            bench.run({8, 8, 1});
            CHECK(bench.read(green) == Words(kTargetSide * kTargetSide, draws ? kOneBits : 0));
            Words expected(kTargetSide * kTargetSide);
            for (uint32_t n = 0; n < expected.size(); ++n)
                expected[n] = (draws ? kGreenTexel : kRedTexel) + n;
            CHECK(bench.texels(bench.target) == expected);
        }
}

TEST_CASE("a draw after a dispatch reads the vertices and the colours that it wrote") {
    for (const Machine& machine : kMachines) {
        DrawBench bench(machine);
        const BufferRef corners = bench.words(16);
        const BufferRef color = bench.words(16);
        const BufferRef source = bench.words(16);
        const Words triangle = [](auto... f) {
            return Words{std::bit_cast<uint32_t>(f)...};
        }(-1.0F, -1.0F, 0.0F, 1.0F, 3.0F, -1.0F, 0.0F, 1.0F, -1.0F, 3.0F, 0.0F, 1.0F);
        must(bench.device->write_buffer(source, 0, std::as_bytes(std::span(triangle))));
        bench.shader(copies());
        bench.state.resources.storage = {{source}, {corners}};
        bench.run({1, 1, 1});
        bench.shader(stores(kOneBits));
        bench.state.resources.storage = {{color}};
        bench.run({1, 1, 1});
        bench.kit.state.vertex_buffers = {{corners}};
        bench.kit.state.fragment().storage = {{color}};
        bench.draw(kBufferPixels);
        CHECK(bench.texels(bench.target) == Words(kTargetSide * kTargetSide, 0xFFFFFFFF));
    }
}

TEST_CASE("draws keep the buffers that a later dispatch overwrites") {
    for (const Machine& machine : kMachines)
        for (const bool vertices : {false, true}) {
            DrawBench bench(machine);
            const BufferRef color = bench.words({0, kOneBits, 0, kOneBits});
            bench.kit.state.fragment().storage = {{color}};
            bench.draw(kBufferPixels);
            bench.shader(stores(0));
            bench.state.resources.storage = {vertices ? bench.kit.state.vertex_buffers[0]
                                                      : BufferRange{color}};
            bench.run({1, 1, 1});
            CHECK(bench.passes() == 1);
            CHECK(bench.texels(bench.target) == Words(kTargetSide * kTargetSide, kGreenTexel));
        }
}

TEST_CASE("a dispatch sees the writes of a draw's shaders, and the next draw adds to its own") {
    for (const Machine& machine : kMachines) {
        DrawBench bench(machine);
        const BufferRef count = bench.words(16);
        const BufferRef copy = bench.words(16);
        bench.kit.state.fragment().storage = {{count}};
        bench.draw(kCountingPixels);
        bench.shader(copies());
        bench.state.resources.storage = {{count}, {copy}};
        bench.run({1, 1, 1});
        CHECK(bench.read(copy)[0] == kTargetSide * kTargetSide);
        bench.shader(stores(5));
        bench.state.resources.storage = {{count}};
        bench.run({1, 1, 1});
        bench.draw(kCountingPixels);
        CHECK(bench.read(count)[0] == kTargetSide * kTargetSide + 5);
    }
}

TEST_CASE("the size of a grid may come from a draw") {
    for (const Machine& machine : kMachines) {
        DrawBench bench(machine);
        const BufferRef sizes = bench.words({0, 1, 1});
        bench.kit.state.fragment().storage = {{sizes}};
        bench.draw(kCountingPixels);
        const BufferRef result = bench.words(16 * kTargetSide * kTargetSide);
        bench.shader(stores(9));
        bench.state.resources.storage = {{result}};
        must(bench.device->dispatch_indirect(bench.state, sizes, 0));
        CHECK(bench.read(result) == Words(16 * kTargetSide * kTargetSide, 9));
    }
}

TEST_CASE("a dispatch sees bytes that were written while a draw still reads the old ones") {
    for (const Machine& machine : kMachines) {
        DrawBench bench(machine);
        const BufferRef vertices = bench.kit.state.vertex_buffers[0].buffer;
        bench.draw(kGreenPixels);
        const Words later(12, 77);
        must(bench.device->write_buffer(vertices, 0, std::as_bytes(std::span(later))));
        const BufferRef copy = bench.words(16);
        bench.shader(copies());
        bench.state.resources.storage = {{vertices}, {copy}};
        bench.run({1, 1, 1});
        Words expected(16, 77);
        std::fill(expected.begin() + 12, expected.end(), 0U);
        CHECK(bench.read(copy) == expected);
        CHECK(bench.texels(bench.target) == Words(kTargetSide * kTargetSide, kGreenTexel));
    }
}

TEST_CASE("a dispatch that shares with the pass what both only read does not render it") {
    for (const Machine& machine : kMachines) {
        DrawBench bench(machine);
        const TextureRef texture = bench.texture(Format::R8G8B8A8_UNORM, 16, 1);
        bench.write_texels(texture, Words(16, kGreenTexel));
        bench.kit.state.fragment().textures = bench.state.resources.textures = {{texture}};
        bench.kit.state.fragment().samplers = bench.state.resources.samplers = {SamplerState{}};
        bench.draw(kGreenPixels);
        bench.shader(compute({16, 1, 1}, "DCL BUFFER[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n",
                             "MOV TEMP[2], IMM[0].xxxx\nMOV TEMP[2].x, TEMP[0].xxxx\n"
                             "TXF TEMP[3], TEMP[2], SAMP[0], 2D\n"
                             "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].yyyy\n"));
        const BufferRef green = bench.words(16);
        bench.state.resources.storage = {{green}};
        bench.run({1, 1, 1});
        CHECK(bench.read(green) == Words(16, kOneBits));
        CHECK(bench.passes() == 0);
        CHECK(bench.texels(bench.target) == Words(kTargetSide * kTargetSide, kGreenTexel));
        CHECK(bench.passes() == 1);
    }
}

}  // namespace valkyr::raster::test
