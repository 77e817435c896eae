// Target reads test: checks draws whose shaders read attachments, with no barrier to call.
// SPDX-License-Identifier: MIT
#include "tests/raster/device/compute_bench.hpp"
#include "tests/support/scene_kit.hpp"

#include <bit>
#include <span>
#include <string>
#include <string_view>

namespace valkyr::raster::test {
namespace {

/// Two tiles in both directions, the second ones partly outside.
constexpr uint32_t kReadWidth = 100;
constexpr uint32_t kReadHeight = 70;

constexpr const char* kReadCorners =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";

/// A fragment shader that has the texel of SVIEW[0] at its own pixel in TEMP[1]. IMM[0] is an 8-bit
/// step, 0 and 1; IMM[1] is 99 and 0 as integers.
std::string fetching(const std::string& code, const std::string& place = "") {
    return "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
           "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..1]\n"
           "IMM[0] FLT32 {0.00392157, 0.0, 1.0, 0.5}\nIMM[1] INT32 {99, 0, 0, 0}\n"
           "MOV TEMP[0], IMM[1].yyyy\nF2I TEMP[0].xy, IN[0].xyyy\n" +
           place + "TXF TEMP[1], TEMP[0], SAMP[0], 2D\n" + code + "END\n";
}
/// Adds one step to the texel.
const std::string kAddStep = fetching("ADD OUT[0], TEMP[1], IMM[0].xxxx\n");
/// Copies the texel on the other side, x = 99 - x.
const std::string kMirrorShader =
    fetching("MOV OUT[0], TEMP[1]\n",
             "INEG TEMP[0].x, TEMP[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n");
/// Shows the red of a texel, a depth.
const std::string kShowRed = fetching("MOV OUT[0], TEMP[1].xxxx\n");

constexpr const char* kRedShader = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.0, 0.0, 1.0}\n"
                                   "MOV OUT[0], IMM[0]\nEND\n";

/// A device with a colour target, of which draws cover everything between two clip coordinates x.
struct ReadBench : ComputeBench {
    scenes::SceneKit kit;
    TextureRef target;

    explicit ReadBench(const Machine& machine)
        : ComputeBench(machine)
        , kit(*device) {
        kit.size(kReadWidth, kReadHeight);
        target = kit.add_color(Format::R8G8B8A8_UNORM);
        kit.clear(0, 0, 0, 0);
        cover(-1, 1);
        read(target);
    }
    void cover(float left, float right, float z = 0) {
        kit.vertices({left,  -1, z, 1, right, -1, z, 1, left,  1, z, 1,  //
                      right, -1, z, 1, left,  1,  z, 1, right, 1, z, 1},
                     {4});
    }
    /// Makes shaders read a texture.
    void read(const TextureRef& texture, uint8_t first_level = 0, uint8_t level_count = 255) {
        TextureView view;
        view.texture = texture;
        view.first_level = first_level;
        view.level_count = level_count;
        kit.state.fragment().textures = {view};
        kit.state.fragment().samplers = {SamplerState{}};
    }
    void draw(std::string_view fragment) {
        kit.shaders(kReadCorners, fragment);
        kit.draw(6);
    }
    /// Adds a depth attachment and draws everywhere with the depth 0.6, which is 0x99 as a byte.
    TextureRef add_depth() {
        const TextureRef depth = kit.add_depth(Format::D32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        cover(-1, 1, 0.2F);
        draw(kRedShader);
        return depth;
    }
    /// Renders what was recorded; returns the passes since the last call.
    uint64_t passes() {
        must(device->finish());
        return device->take_statistics().passes;
    }
};

Words everywhere(uint32_t word) {
    return Words(size_t{kReadWidth} * kReadHeight, word);
}

}  // namespace

TEST_CASE("a draw that fetches its own pixels finds what the draw before it left there") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        for (unsigned i = 0; i < 5; ++i)
            bench.draw(kAddStep);
        CHECK(bench.passes() == 5);
        CHECK(bench.texels(bench.target) == everywhere(0x05050505));
    }
}

TEST_CASE("the draws of one indirect command find what those before them left, too") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        bench.kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1,  //
                            -1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1},
                           {4});
        bench.kit.shaders(kReadCorners, kAddStep);
        bench.kit.state.pipeline = must(bench.device->create_pipeline(bench.kit.pipeline));
        IndirectInfo info;
        info.buffer = bench.words({3, 1, 0, 0, 3, 1, 3, 0});
        info.draw_count = 2;
        must(bench.device->draw_indirect(bench.kit.state, info));
        CHECK(bench.texels(bench.target) == everywhere(0x02020202));
    }
}

TEST_CASE("a draw may read texels of its target that it does not write; later draws come later") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        bench.draw(kAddStep);
        bench.cover(-1, 0);  // the left half gets the texels of the right half
        bench.draw(kAddStep);
        bench.draw(kMirrorShader);
        bench.draw(kAddStep);
        bench.cover(0, 1);
        bench.draw(kRedShader);
        Words expected = everywhere(0xFF0000FF);
        for (size_t i = 0; i < expected.size(); ++i)
            if (i % kReadWidth < kReadWidth / 2)
                expected[i] = 0x02020202;
        CHECK(bench.texels(bench.target) == expected);
    }
}

TEST_CASE("shaders read depth that no draw of the pass writes; a write ends the pass") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        const TextureRef depth = bench.add_depth();
        DepthStencilState& state = bench.kit.pipeline.depth_stencil;
        CHECK(bench.passes() == 1);
        state.depth_write = false;
        bench.read(depth);
        bench.cover(-1, 0, 0.1F);
        bench.draw(kShowRed);
        bench.cover(0, 1, 0.1F);
        bench.draw(kShowRed);
        state.depth_write = true;
        bench.cover(-1, 1, -0.5F);
        bench.kit.pipeline.blend.targets[0].write_mask = 0;
        bench.draw(kRedShader);
        CHECK(bench.passes() == 2);
        CHECK(bench.texels(bench.target) == everywhere(0x99999999));
    }
}

TEST_CASE("a draw that reads depth comes after the draws that write it") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        const TextureRef depth = bench.add_depth();
        DepthStencilState& state = bench.kit.pipeline.depth_stencil;
        state.depth_test = state.depth_write = false;
        bench.read(depth);
        bench.draw(kShowRed);
        CHECK(bench.texels(bench.target) == everywhere(0x99999999));
    }
}

TEST_CASE("reading other levels of the target needs no passes of its own") {
    for (const Machine& machine : kMachines) {
        ReadBench bench(machine);
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = 2 * kReadWidth;
        desc.height = 2 * kReadHeight;
        desc.levels = 2;
        desc.render_target = true;
        const TextureRef levels = must(bench.device->create_texture(desc));
        constexpr uint32_t kFifth = std::bit_cast<uint32_t>(0.2F);  // 0x33 of 255
        const Box box{0, 0, 0, 2 * kReadWidth, 2 * kReadHeight, 1};
        must(bench.device->clear_texture(levels, 0, box, {kFifth, kFifth, kFifth, kFifth}));
        bench.kit.state.framebuffer.color = {{.texture = levels, .level = 1}};
        bench.read(levels, 0, 1);
        for (unsigned i = 0; i < 3; ++i) {
            bench.cover(i == 0 ? -1.0F : 0.0F, 1);
            bench.draw(kAddStep);
        }
        CHECK(bench.passes() == 1);
        Words texels(size_t{kReadWidth} * kReadHeight);
        must(bench.device->read_texture(levels, 1, {0, 0, 0, kReadWidth, kReadHeight, 1},
                                        std::as_writable_bytes(std::span(texels)), kReadWidth * 4));
        CHECK(texels == everywhere(0x34343434));
    }
}

}  // namespace valkyr::raster::test
