// Compute test: grids of a client's compute shaders run with their own bindings, or are refused.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/replayed_frame.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/state/shader_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace valkyr::test::compute_of_client {

using virgl::ObjectType;
using virgl::ShaderStage;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kWords = kSize * kSize;
constexpr uint32_t kBytes = kWords * 4;
constexpr uint32_t kStorage = 5;  ///< resource: a buffer of words
constexpr uint32_t kOther = 6;    ///< resource: another one
constexpr uint32_t kShader = 30;
constexpr uint32_t kCompute = static_cast<uint32_t>(ShaderStage::Compute);
constexpr uint32_t kR32Uint = 193;

/// A compute shader of 8 invocations a group. TEMP[0].x is the number of the invocation in the
/// grid, TEMP[1].x four times that.
std::string compute(const std::string& declarations, const std::string& instructions) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
           "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
           "DCL TEMP[0..3]\n" +
           declarations +
           "IMM[0] UINT32 {0, 8, 4, 1}\nIMM[1] UINT32 {3, 2, 12, 20}\n"
           "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\n"
           "UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\n" +
           instructions + "END\n";
}

/// Stores 1 + the number of each invocation.
const std::string kNumbers = compute("DCL BUFFER[0]\n",
                                     "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n"
                                     "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0].xxxx\n");

struct Scene {
    Session session;
    GuestMemory target;
    GuestMemory storage;
    GuestMemory other;

    explicit Scene(virgl::TraceWriter* trace = nullptr)
        : session(virgl::GlLevel::Es31, trace) {
        FakeClient& client = *session.client;
        client.greet();
        target = client.create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        storage = client.create(kStorage, 0, 64, 1U << 14, kBytes, 1, kBytes);
        other = client.create(kOther, 0, 64, 1U << 14, kBytes, 1, kBytes);
        client.put(kStorage, kBytes, 1, kBytes);
    }
    void submit(const Stream& s) { session.client->submit(s.words); }
    std::array<uint32_t, kWords> stored() {
        session.client->get(kStorage, kBytes, 1);
        return words_of(storage);
    }
    std::array<uint32_t, kWords> pixels() {
        session.client->get(kTarget, kSize, kSize);
        return words_of(target);
    }
    static std::array<uint32_t, kWords> words_of(const GuestMemory& memory) {
        std::array<uint32_t, kWords> words{};
        std::memcpy(words.data(), memory.bytes.data(), sizeof words);
        return words;
    }
    /// The number of words that are not 0, if they count from 1.
    uint32_t counted() {
        const auto words = stored();
        uint32_t count = 0;
        while (count < kWords && words[count] == count + 1)
            ++count;
        CHECK(std::count(words.begin() + count, words.end(), 0U) == kWords - count);
        return count;
    }
};

/// A sub-context with a compute shader, and kStorage as its buffer 0.
Stream compute_state(const std::string& text, uint32_t shared = 0) {
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1});
    s.shader(kShader, ShaderStage::Compute, text, shared);
    s.add(Cmd::BindShader, {kShader, kCompute});
    s.add(Cmd::SetShaderBuffers, {kCompute, 0, 0, kBytes, kStorage});
    return s;
}
Stream& launch(Stream& s, uint32_t groups) {
    return s.add(Cmd::LaunchGrid, {8, 1, 1, groups, 1, 1, 0, 0});
}

}  // namespace

TEST_CASE("a grid runs all groups, and none if a side is 0") {
    Scene scene;
    Stream s = compute_state(kNumbers);
    s.add(Cmd::LaunchGrid, {8, 1, 1, 8, 0, 1, 0, 0});
    scene.submit(s);
    CHECK(scene.counted() == 0);
    Stream more;
    scene.submit(launch(more.add(Cmd::SetSubContext, {1}), 3));
    CHECK(scene.counted() == 24);
    CHECK(scene.session.observer.lines().empty());
    scene.session.leave();
    CHECK(scene.session.observer.figures.dispatches == 2);
    CHECK(scene.session.observer.figures.refused_dispatches == 0);
}

TEST_CASE("dispatches have constants, uniform buffers, texels and images of their own stage") {
    Scene scene;
    const std::array<uint32_t, 4> uniforms{100, 0, 0, 0};
    std::memcpy(scene.other.bytes.data() + 16, uniforms.data(), sizeof uniforms);
    scene.session.client->put(kOther, kBytes, 1, kBytes);
    const std::string text =
        compute("DCL BUFFER[0]\nDCL CONST[0][0]\nDCL CONST[1][0]\nDCL SAMP[0]\n"
                "DCL SVIEW[0], BUFFER, UINT\nDCL IMAGE[1], 2D, PIPE_FORMAT_R32_UINT, WR\n",
                "TXF TEMP[2].x, IMM[0].zzzz, SAMP[0], BUFFER\n"  // texel 4 is 100
                "UADD TEMP[2].x, TEMP[2].xxxx, CONST[0][0].xxxx\n"
                "UADD TEMP[2].x, TEMP[2].xxxx, CONST[1][0].xxxx\n"
                "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
                "MOV TEMP[3].x, SV[0].xxxx\nMOV TEMP[3].y, SV[1].xxxx\n"
                "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n"
                "STORE IMAGE[1], TEMP[3], TEMP[0].xxxx, 2D, PIPE_FORMAT_R32_UINT\n");
    Stream s = compute_state(text);
    s.add(Cmd::CreateObject, {40, kOther, kR32Uint, 0, 15, 0 | 1U << 3 | 2U << 6 | 3U << 9},
          ObjectType::SamplerView);
    s.add(Cmd::SetSamplerViews, {kCompute, 0, 40});
    s.add(Cmd::SetConstantBuffer, {kCompute, 0, 7, 0, 0, 0});
    s.add(Cmd::SetConstantBuffer, {1, 0, 9, 0, 0, 0});
    s.add(Cmd::SetUniformBuffer, {kCompute, 1, 16, 16, kOther});
    s.add(Cmd::SetShaderImages, {kCompute, 1, kR32Uint, 2, 0, 0, kTarget});
    scene.submit(launch(s, 8));
    const auto words = scene.stored();
    CHECK(std::ranges::count(words, 207U) == kWords);
    const auto pixels = scene.pixels();
    for (uint32_t i = 0; i < kWords; ++i)
        CHECK(pixels[i] == i + 1);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("one text with two amounts of shared memory is two programs") {
    Scene scene;
    const std::string text = compute("DCL BUFFER[0]\nDCL MEMORY[1], SHARED\n",
                                     "STORE MEMORY[0].x, IMM[1].zzzz, IMM[1].wwww\n"
                                     "MEMBAR IMM[0].yyyy\nBARRIER\n"
                                     "LOAD TEMP[2].x, MEMORY[0], IMM[1].zzzz\n"
                                     "UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\n"
                                     "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n");
    Stream s = compute_state(text, 16);
    launch(s, 1).shader(31, ShaderStage::Compute, text, 4);
    s.add(Cmd::BindShader, {31, kCompute});
    s.add(Cmd::SetShaderBuffers, {kCompute, 0, 64, 32, kStorage});
    scene.submit(launch(s, 1));
    const auto words = scene.stored();
    CHECK(words[0] == 21);
    CHECK(words[16] == 1);  // byte 12 lies behind four bytes of shared memory
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a compute shader that comes in parts names its shared bytes in each") {
    Scene scene;
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1});
    std::vector<uint32_t> head{kShader, kCompute, static_cast<uint32_t>(kNumbers.size()) + 1, 0,
                               64};
    Stream::append_text(head, kNumbers.substr(0, 40));
    head.pop_back();  // the zeros behind the part
    s.add(Cmd::CreateObject, head, ObjectType::Shader);
    std::vector<uint32_t> tail{kShader, kCompute, 0x80000000U | 40, 0, 64};
    Stream::append_text(tail, std::string_view(kNumbers).substr(40));
    s.add(Cmd::CreateObject, tail, ObjectType::Shader);
    s.add(Cmd::BindShader, {kShader, kCompute});
    s.add(Cmd::SetShaderBuffers, {kCompute, 0, 0, kBytes, kStorage});
    scene.submit(launch(s, 2));
    CHECK(scene.counted() == 16);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("the size of a grid is read when the grid runs") {
    Scene scene;
    // Each invocation of the first grid writes 3, 1, 1 to the place that the second one reads.
    const std::string size =
        compute("DCL BUFFER[1]\n", "MOV TEMP[2].x, IMM[1].xxxx\nMOV TEMP[2].yz, IMM[0].wwww\n"
                                   "STORE BUFFER[1].xyz, IMM[0].yyyy, TEMP[2]\n");
    Stream s = compute_state(size);
    s.add(Cmd::SetShaderBuffers, {kCompute, 1, 32, 32, kOther});
    launch(s, 1).shader(31, ShaderStage::Compute, kNumbers);
    s.add(Cmd::BindShader, {31, kCompute});
    s.add(Cmd::LaunchGrid, {8, 1, 1, 0, 0, 0, kOther, 40});
    scene.submit(s);
    CHECK(scene.counted() == 24);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a render condition leaves out grids") {
    Scene scene;
    scene.session.client->create(3, 0, 64, 1U << 17, 16, 1, 16);
    Stream s = compute_state(kNumbers);
    s.add(Cmd::CreateObject, {kQuery, 0, 0, 3}, ObjectType::Query);
    s.add(Cmd::BeginQuery, {kQuery}).add(Cmd::EndQuery, {kQuery});  // nothing passes
    launch(s.add(Cmd::SetRenderCondition, {kQuery, 0, 0}), 2);
    scene.submit(s);
    CHECK(scene.counted() == 0);
    Stream inverted;
    inverted.add(Cmd::SetSubContext, {1}).add(Cmd::SetRenderCondition, {kQuery, 1, 0});
    scene.submit(launch(inverted, 2));
    CHECK(scene.counted() == 16);
}

TEST_CASE("grids and draws see each other's writes, in the order of the commands") {
    Scene scene;
    const GuestMemory vertices = scene.session.client->create(kVertices, 0, 64, 1U << 4, 64, 1, 64);
    const std::array<float, 12> corners{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    std::memcpy(vertices.bytes.data(), corners.data(), sizeof corners);
    scene.session.client->put(kVertices, 64, 1, 64);
    Stream s = draw_state(kSize);
    s.shader(31, ShaderStage::Fragment,
             "FRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\n"
             "IMM[0] UINT32 {0, 4, 1, 0}\nLOAD TEMP[0].x, BUFFER[0], IMM[0].yyyy\n"
             "ATOMUADD TEMP[0].y, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n"
             "U2F OUT[0], TEMP[0].xxxx\nEND\n");
    s.add(Cmd::BindShader, {31, 1}).add(Cmd::SetShaderBuffers, {1, 0, 0, kBytes, kStorage});
    // Adds 2 to word 1 and copies word 0 to words 2 and on.
    const std::string text =
        compute("DCL BUFFER[0]\n", "LOAD TEMP[2].x, BUFFER[0], IMM[0].xxxx\n"
                                   "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
                                   "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
                                   "STORE BUFFER[0].x, IMM[0].zzzz, IMM[0].wwww\n");
    s.shader(kShader, ShaderStage::Compute, text).add(Cmd::BindShader, {kShader, kCompute});
    s.add(Cmd::SetShaderBuffers, {kCompute, 0, 0, kBytes, kStorage});
    launch(draw(s, 0, 3), 1);
    scene.submit(draw(s, 0, 3));
    CHECK(scene.pixels()[0] == 0xFFFFFFFF);
    const auto words = scene.stored();
    CHECK(words[0] == 2 * kWords);
    CHECK(words[2] == kWords);
    CHECK(words[9] == kWords);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("grids that cannot run are refused by name, and the client goes on") {
    struct Case {
        std::vector<uint32_t> launch;
        const char* line;
    };
    for (const Case& c :
         {Case{{16, 1, 1, 1, 1, 1, 0, 0},
               "LAUNCH_GRID: work-groups of 16 x 1 x 1, but the shader's have 8 x 1 x 1"},
          Case{{8, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0}, "LAUNCH_GRID: "},
          Case{{8, 1, 1, 0xFFFFFFFF, 1, 1, 0, 0}, "LAUNCH_GRID: "},
          Case{{8, 1, 1, 0, 0, 0, kStorage, kBytes - 8}, "outside the buffer"},
          Case{{8, 1, 1, 0, 0, 0, kStorage, 0xFFFFFFFC}, "outside the buffer"},
          Case{{8, 1, 1, 0, 0, 0, kStorage, 2}, "no multiple of 4"},
          Case{{8, 1, 1, 0, 0, 0, kTarget, 0}, "LAUNCH_GRID: dispatch_indirect: no buffer"}}) {
        CAPTURE(c.line);
        Scene scene;
        Stream s = compute_state(kNumbers);
        s.add(Cmd::LaunchGrid, c.launch);
        scene.submit(s);
        CHECK(scene.counted() == 0);
        CHECK(scene.session.observer.lines().find(c.line) != std::string::npos);
        Stream more;
        scene.submit(launch(more.add(Cmd::SetSubContext, {1}), 1));
        CHECK(scene.counted() == 8);
        scene.session.leave();
        CHECK(scene.session.observer.figures.refused_dispatches == 1);
    }
}

TEST_CASE("without a complete compute shader no grid runs") {
    Scene scene;
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1});
    launch(s, 1);
    s.shader(31, ShaderStage::Compute, "COMP\n  0: NONSENSE\n  1: END\n");
    launch(s.add(Cmd::BindShader, {31, kCompute}), 1);
    s.shader(32, ShaderStage::Compute, "FRAG\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nEND\n");
    s.add(Cmd::BindShader, {32, kCompute}).add(Cmd::LaunchGrid, {8, 0, 0, 1, 1, 1, 0, 0});
    s.shader(33, ShaderStage::Compute, kNumbers, 0xFFFFFFFF);
    launch(s.add(Cmd::BindShader, {33, kCompute}), 1);
    scene.submit(s);
    CHECK(scene.counted() == 0);
    const std::string lines = scene.session.observer.lines();
    CHECK(lines.find("LAUNCH_GRID: no compute shader") != std::string::npos);
    CHECK(lines.find("the compute shader was refused") != std::string::npos);
    scene.session.leave();
    CHECK(scene.session.observer.figures.refused_dispatches == 4);
}

TEST_CASE("one buffer may be bound many times, and as an image as well") {
    Scene scene;
    const std::string text =
        compute("DCL BUFFER[0]\nDCL BUFFER[1]\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\n",
                "ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].xxxx, IMM[0].wwww\n"
                "ATOMUADD TEMP[2].x, BUFFER[1], IMM[0].xxxx, IMM[0].wwww\n"
                "ATOMUADD TEMP[2].x, IMAGE[0], IMM[0].xxxx, IMM[0].wwww, BUFFER, "
                "PIPE_FORMAT_R32_UINT\n");
    Stream s = compute_state(text);
    s.add(Cmd::SetShaderBuffers,
          {kCompute, 0, 4, 8, kStorage, 4, 64, kStorage, 0, 0xFFFFFFFF, kStorage});
    s.add(Cmd::SetShaderImages, {kCompute, 0, kR32Uint, 3, 4, 64, kStorage});
    scene.submit(launch(s, 4));
    const auto words = scene.stored();
    CHECK(words[1] == 3 * 32);
    CHECK(std::ranges::count(words, 0U) == kWords - 1);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a trace replays grids") {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("valkyr-compute-" + std::to_string(getpid())))
            .string();
    std::vector<std::byte> live;
    {
        auto writer = virgl::TraceWriter::create(path, virgl::GlLevel::Es31);
        REQUIRE(writer.has_value());
        Scene scene(writer->get());
        Stream s = compute_state(compute("DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n",
                                         "MOV TEMP[2].x, SV[0].xxxx\nMOV TEMP[2].y, SV[1].xxxx\n"
                                         "UMUL TEMP[0].x, TEMP[0].xxxx, IMM[1].wwww\n"
                                         "STORE IMAGE[0], TEMP[2], TEMP[0].xxxx, 2D\n"));
        s.add(Cmd::SetShaderImages, {kCompute, 0, kR32Uint, 2, 0, 0, kTarget});
        scene.submit(launch(s, 8));
        CHECK(scene.pixels()[63] == 63 * 20);
        scene.session.leave();
        REQUIRE((*writer)->finish().has_value());
        REQUIRE(scene.session.observer.frames.size() == 1);
        live = scene.session.observer.frames[0].rgba;
    }
    CHECK(replayed_frame(path) == live);
}

TEST_CASE("the size of a group is what the text fixes") {
    CHECK(virgl::declared_group_size(kNumbers) == std::array<uint32_t, 3>{8, 1, 1});
    CHECK(virgl::declared_group_size("COMP\nEND\n") == std::array<uint32_t, 3>{0, 0, 0});
    CHECK(virgl::declared_group_size("PROPERTY CS_FIXED_BLOCK_WIDTH 4294967296\n"
                                     "PROPERTY CS_FIXED_BLOCK_HEIGHT x\n"
                                     "PROPERTY CS_FIXED_BLOCK_DEPTH 4") ==
          std::array<uint32_t, 3>{0, 0, 4});
}

}  // namespace valkyr::test::compute_of_client
