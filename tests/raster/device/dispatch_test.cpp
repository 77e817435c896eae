// Dispatch test: checks what compute shaders compute, for every engine and number of threads.
// SPDX-License-Identifier: MIT
#include "tests/raster/device/compute_bench.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace valkyr::raster::test {
namespace {

constexpr const char* kImage = ", 2D, PIPE_FORMAT_R32_UINT";

std::string image_declaration(unsigned number, const char* access = ", WR\n") {
    return "DCL IMAGE[" + std::to_string(number) + "]" + kImage + access;
}

}  // namespace

TEST_CASE("every invocation of a grid runs once and knows its global ID") {
    for (const Machine& machine : kMachines)
        for (const Sizes& block : {Sizes{1, 1, 1},
                                   {7, 1, 1},
                                   {16, 1, 1},
                                   {64, 1, 1},
                                   {1024, 1, 1},
                                   {4, 3, 2},
                                   {1, 9, 5},
                                   {8, 8, 4}})
            for (const Sizes& grid : {Sizes{1, 1, 1}, {5, 3, 2}, {1, 1, 40}}) {
                CAPTURE(machine.threads);
                ComputeBench bench(machine);
                bench.shader(
                    compute(block, "DCL BUFFER[0]\nIMM[1] UINT32 {2048, 4194304, 0, 0}\n",
                            "UMAD TEMP[2].x, TEMP[0].yyyy, IMM[1].xxxx, TEMP[0].xxxx\n"
                            "UMAD TEMP[2].x, TEMP[0].zzzz, IMM[1].yyyy, TEMP[2].xxxx\n"
                            "ATOMUADD TEMP[3].x, BUFFER[0], TEMP[1].wwww, TEMP[2].xxxx\n"));
                const uint32_t count = product(block) * product(grid);
                const BufferRef buffer = bench.words(count + 16, 3);
                bench.state.resources.storage = {{buffer}};
                bench.run(grid);
                const Sizes size{block[0] * grid[0], block[1] * grid[1], block[2] * grid[2]};
                const Words result = bench.read(buffer);
                size_t wrong = 0;
                for (uint32_t n = 0; n < count + 16; ++n) {
                    const uint32_t x = n % size[0];
                    const uint32_t y = n / size[0] % size[1];
                    const uint32_t z = n / size[0] / size[1];
                    wrong += result[n] != 3 + (n < count ? x + (y << 11) + (z << 22) : 0) ? 1 : 0;
                }
                CHECK(wrong == 0);
            }
}

TEST_CASE("a grid may have 65535 groups in a dimension; groups are shared by all threads") {
    for (const Machine& machine : kMachines)
        for (const Sizes& grid : {Sizes{65535, 1, 1}, {1, 65535, 1}, {1, 2, 65535}}) {
            ComputeBench bench(machine);
            bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\n",
                                 "ATOMUADD TEMP[3].x, BUFFER[0], TEMP[1].wwww, IMM[0].zzzz\n"));
            const BufferRef buffer = bench.words(product(grid));
            bench.state.resources.storage = {{buffer}};
            bench.run(grid);
            CHECK(bench.read(buffer) == Words(product(grid), 1));
            CHECK(bench.device->take_statistics().dispatches == 1);
        }
}

TEST_CASE("each group finds its shared memory as zeros") {
    for (const Machine& machine : kMachines)
        for (const uint32_t width : {5U, 16U, 100U}) {
            ComputeBench bench(machine);
            bench.shader(compute({width, 1, 1}, "DCL MEMORY[0], SHARED\nDCL BUFFER[0]\n",
                                 "UMUL TEMP[2].x, SV[0].xxxx, IMM[0].yyyy\n"
                                 "LOAD TEMP[3].x, MEMORY[0], TEMP[2].xxxx\n"
                                 "STORE MEMORY[0].x, TEMP[2].xxxx, IMM[0].wwww\n"
                                 "LOAD TEMP[3].y, MEMORY[0].xxxx, TEMP[2].xxxx\n"
                                 "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[3].yyyy\n"
                                 "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].xxxx\n"),
                         width * 4);
            const BufferRef buffer = bench.words(size_t{width} * 300);
            bench.state.resources.storage = {{buffer}};
            for (int k = 0; k < 2; ++k) {
                bench.run({300, 1, 1});
                CHECK(bench.read(buffer) == Words(size_t{width} * 300, 2));
            }
        }
}

TEST_CASE("the invocations of a group meet at a BARRIER") {
    for (const Machine& machine : kMachines)
        for (const uint32_t width : {16U, 64U, 1024U}) {
            ComputeBench bench(machine);
            bench.shader(compute({width, 1, 1},
                                 "DCL MEMORY[0], SHARED\nDCL BUFFER[0]\nIMM[1] UINT32 {" +
                                     std::to_string(width - 1) + ", 15, 0, 0}\n",
                                 "UMUL TEMP[2].x, SV[0].xxxx, IMM[0].yyyy\n"
                                 "STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[0].xxxx\n"
                                 "MEMBAR IMM[1].yyyy\nBARRIER\n"
                                 "XOR TEMP[2].y, SV[0].xxxx, IMM[1].xxxx\n"
                                 "UMUL TEMP[2].y, TEMP[2].yyyy, IMM[0].yyyy\n"
                                 "LOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy\n"
                                 "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].xxxx\n"),
                         width * 4);
            const BufferRef buffer = bench.words(size_t{width} * 9);
            bench.state.resources.storage = {{buffer}};
            bench.run({9, 1, 1});
            Words expected(size_t{width} * 9);
            for (uint32_t n = 0; n < expected.size(); ++n)
                expected[n] = n ^ (width - 1);
            CHECK(bench.read(buffer) == expected);
        }
}

TEST_CASE("every lane of every warp has its own indexed registers") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        bench.shader(compute({200, 1, 1},
                             "DCL TEMP[8..39], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL BUFFER[0]\n"
                             "IMM[1] UINT32 {31, 7, 0, 0}\n",
                             "AND TEMP[2].x, TEMP[0].wwww, IMM[1].xxxx\nUARL ADDR[0].x, "
                             "TEMP[2].xxxx\nMOV TEMP[ADDR[0].x+8](1).x, TEMP[0].wwww\n"
                             "UADD TEMP[2].x, TEMP[2].xxxx, IMM[1].yyyy\n"
                             "AND TEMP[2].x, TEMP[2].xxxx, IMM[1].xxxx\nUARL ADDR[0].y, "
                             "TEMP[2].xxxx\nMOV TEMP[ADDR[0].y+8](1).x, IMM[0].zzzz\n"
                             "MOV TEMP[3].x, TEMP[ADDR[0].x+8](1).xxxx\n"
                             "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].xxxx\n"));
        const BufferRef buffer = bench.words(200 * 7);
        bench.state.resources.storage = {{buffer}};
        bench.run({7, 1, 1});
        Words expected(200 * 7);
        std::iota(expected.begin(), expected.end(), 0U);
        CHECK(bench.read(buffer) == expected);
    }
}

TEST_CASE("constants, and what a prologue computes of them and of the size of the grid") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        bench.shader(compute({20, 1, 1}, "DCL CONST[0][0..1]\nDCL CONST[1][0]\nDCL BUFFER[0]\n",
                             "UMAD TEMP[2].x, CONST[0][1].yyyy, SV[2].xxxx, CONST[1][0].wwww\n"
                             "UMAD TEMP[2].x, TEMP[2].xxxx, SV[2].yyyy, SV[2].zzzz\n"
                             "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[0].wwww\n"
                             "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[2].xxxx\n"));
        bench.state.resources.constants = {{0, 0, 0, 0, 0, 1000, 0, 0}, {0, 0, 0, 7}};
        const BufferRef buffer = bench.words(20 * 5 * 3 * 2);
        bench.state.resources.storage = {{buffer}};
        bench.run({5, 3, 2});
        Words expected(20 * 5 * 3 * 2);
        std::iota(expected.begin(), expected.end(), (1000U * 5 + 7) * 3 + 2);
        CHECK(bench.read(buffer) == expected);
    }
}

TEST_CASE("images are loaded and stored to; what is outside reads 0 and is dropped") {
    constexpr uint32_t kWidth = 70;
    constexpr uint32_t kHeight = 37;
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        bench.shader(compute({8, 4, 1},
                             image_declaration(0, "\n") + image_declaration(1) +
                                 "IMM[1] UINT32 {4294967295, 1000, 0, 0}\n",
                             "UADD TEMP[2].xy, TEMP[0], IMM[1].xxxx\n"
                             "LOAD TEMP[3].x, IMAGE[0], TEMP[2]" +
                                 std::string(kImage) +
                                 "\n"
                                 "UADD TEMP[3].x, TEMP[3].xxxx, IMM[1].yyyy\n"
                                 "STORE IMAGE[1], TEMP[0], TEMP[3]" +
                                 kImage + "\n"));
        const TextureRef from = bench.texture(Format::R32_UINT, kWidth, kHeight);
        const TextureRef to = bench.texture(Format::R32_UINT, kWidth, kHeight);
        Words texels(size_t{kWidth} * kHeight);
        std::iota(texels.begin(), texels.end(), 5U);
        bench.write_texels(from, texels);
        bench.state.resources.images = {{.texture = from}, {.texture = to}};
        bench.run({9, 10, 1});
        Words expected(texels.size(), 1000);
        for (uint32_t y = 1; y < kHeight; ++y)
            for (uint32_t x = 1; x < kWidth; ++x)
                expected[y * kWidth + x] += texels[(y - 1) * kWidth + x - 1];
        CHECK(bench.texels(to) == expected);
        CHECK(bench.texels(from) == texels);
    }
}

TEST_CASE("textures are sampled and fetched") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        bench.shader(compute({4, 4, 1},
                             "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\n"
                             "IMM[1] FLT32 {0.125, 0.5, 255.0, 0.0}\n",
                             "U2F TEMP[2].xy, TEMP[0]\n"
                             "ADD TEMP[2].xy, TEMP[2], IMM[1].yyyy\n"
                             "MUL TEMP[2].xy, TEMP[2], IMM[1].xxxx\n"
                             "MOV TEMP[2].w, IMM[1].wwww\n"
                             "TXL TEMP[3], TEMP[2], SAMP[0], 2D\n"
                             "MOV TEMP[4].xy, TEMP[0]\nMOV TEMP[4].zw, IMM[0].xxxx\n"
                             "TXF TEMP[5], TEMP[4], SAMP[0], 2D\n"
                             "ADD TEMP[3].x, TEMP[3].xxxx, TEMP[5].xxxx\n"
                             "MUL TEMP[3].x, TEMP[3].xxxx, IMM[1].zzzz\n"
                             "F2U TEMP[3].x, TEMP[3].xxxx\n"
                             "STORE BUFFER[0].x, TEMP[1].wwww, TEMP[3].xxxx\n"));
        const TextureRef texture = bench.texture(Format::R8G8B8A8_UNORM, 8, 8);
        Words texels(64);
        std::iota(texels.begin(), texels.end(), 1U);
        bench.write_texels(texture, texels);
        bench.state.resources.textures = {{texture}};
        SamplerState nearest;
        nearest.min_filter = nearest.mag_filter = Filter::Nearest;
        bench.state.resources.samplers = {nearest};
        const BufferRef buffer = bench.words(64);
        bench.state.resources.storage = {{buffer}};
        bench.run({2, 2, 1});
        Words expected(64);
        for (uint32_t n = 0; n < 64; ++n)
            expected[n] = 2 * (n + 1);
        CHECK(bench.read(buffer) == expected);
    }
}

TEST_CASE("a 2D view of an array shows its layer, fetched and sampled") {
    constexpr uint32_t kLayers = 3;
    for (const Machine& machine : kMachines)
        for (uint32_t layer = 0; layer < kLayers; ++layer) {
            ComputeBench bench(machine);
            TextureDesc desc;
            desc.kind = TextureKind::Tex2DArray;
            desc.format = Format::R32_FLOAT;
            desc.width = desc.height = 8;
            desc.layers = kLayers;
            const TextureRef texture = must(bench.device->create_texture(desc));
            for (uint32_t l = 0; l < kLayers; ++l) {
                const std::vector<float> texels(64, static_cast<float>(l + 1));
                must(bench.device->write_texture(texture, 0, {0, 0, l, 8, 8, 1},
                                                 std::as_bytes(std::span(texels)), 32));
            }
            TextureView view;
            view.texture = texture;
            view.kind = TextureKind::Tex2D;
            view.first_layer = layer;
            view.layer_count = 1;
            bench.state.resources.textures = {view};
            bench.state.resources.samplers = {SamplerState{}};
            const BufferRef result = bench.words(32, 9);
            bench.state.resources.storage = {{result}};
            bench.shader(compute({16, 1, 1},
                                 "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\n",
                                 "MOV TEMP[4], IMM[0].xxxx\nTXF TEMP[5], TEMP[4], SAMP[0], 2D\n"
                                 "TXL TEMP[6], TEMP[4], SAMP[0], 2D\nMOV TEMP[5].y, TEMP[6].xxxx\n"
                                 "UMUL TEMP[1].w, TEMP[1].wwww, IMM[0].wwww\n"
                                 "STORE BUFFER[0].xy, TEMP[1].wwww, TEMP[5]\n"));
            bench.run({1, 1, 1});
            const Words expected(32, std::bit_cast<uint32_t>(static_cast<float>(layer + 1)));
            CHECK(bench.read(result) == expected);
        }
}

TEST_CASE("counters, and sizes of what is bound") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        const BufferRef counters = bench.words(3, 5);
        const BufferRef sizes = bench.words(4);
        bench.state.resources.counters = {{counters}};
        bench.state.resources.storage = {{sizes, 4}};
        bench.state.resources.images = {{.texture = bench.texture(Format::R32_UINT, 33, 21)}};
        bench.shader(compute({32, 1, 1}, "DCL HWATOMIC[0..1]\n",
                             "ATOMUADD TEMP[2].x, HWATOMIC[1], IMM[0].xxxx, IMM[0].zzzz\n"));
        bench.run({10, 2, 1});
        bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\n" + image_declaration(0),
                             "RESQ TEMP[3].x, BUFFER[0]\nSTORE BUFFER[0].x, IMM[0].xxxx, TEMP[3]\n"
                             "RESQ TEMP[4], IMAGE[0]" +
                                 std::string(kImage) +
                                 "\nSTORE BUFFER[0].xy, IMM[0].yyyy, TEMP[4]\n"));
        bench.run({1, 1, 1});
        CHECK(bench.read(counters) == Words{5, 5 + 640, 5});
        CHECK(bench.read(sizes) == Words{0, 12, 33, 21});
    }
}

TEST_CASE("the size of a grid may lie in a buffer that an earlier dispatch wrote") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        const BufferRef sizes = bench.words({9, 0, 0, 0, 9});
        const BufferRef count = bench.words(1);
        bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\nIMM[1] UINT32 {3, 4, 5, 0}\n",
                             "STORE BUFFER[0].xyz, IMM[0].yyyy, IMM[1]\n"));
        bench.state.resources.storage = {{sizes}};
        bench.run({1, 1, 1});
        bench.shader(compute({6, 1, 1}, "DCL BUFFER[0]\n",
                             "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n"));
        bench.state.resources.storage = {{count}};
        must(bench.device->dispatch_indirect(bench.state, sizes, 4));
        CHECK(bench.read(count) == Words{6 * 3 * 4 * 5});
        const auto code = [&](const BufferRef& buffer, uint64_t offset) {
            const auto done = bench.device->dispatch_indirect(bench.state, buffer, offset);
            REQUIRE(!done.has_value());
            return done.error().code;
        };
        CHECK(code(sizes, 12) == Errc::OutOfRange);
        CHECK(code(sizes, UINT64_MAX - 3) == Errc::OutOfRange);
        CHECK(code(sizes, 6) == Errc::InvalidState);
        CHECK(code(nullptr, 0) == Errc::InvalidState);
        CHECK(code(bench.words({1, 65536, 1}), 0) == Errc::OutOfRange);
        ComputeBench other(machine);
        CHECK(code(other.words({1, 1, 1}), 0) == Errc::InvalidState);
        must(bench.device->dispatch_indirect(bench.state, bench.words({1, 0, 1}), 0));
        CHECK(bench.read(count) == Words{6 * 3 * 4 * 5});
    }
}

TEST_CASE("grids of no groups run nothing, and too large ones are refused") {
    for (const Machine& machine : kMachines) {
        ComputeBench bench(machine);
        bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\n",
                             "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n"));
        const BufferRef count = bench.words(1);
        bench.state.resources.storage = {{count}};
        for (const Sizes& grid : {Sizes{0, 1, 1}, {1, 0, 65535}, {1, 1, 0}, {0, 0, 0}})
            bench.run(grid);
        for (const Sizes& grid : {Sizes{65536, 1, 1}, {1, 0x80000000, 1}, {0, 1, 65536}}) {
            const Error error = bench.refused(grid);
            CHECK(error.code == Errc::OutOfRange);
            CHECK(error.text.find("65535 in each dimension") != std::string::npos);
        }
        CHECK(bench.read(count) == Words{0});
        CHECK(bench.device->take_statistics().dispatches == 0);
    }
}

TEST_CASE("compute pipelines are refused by name") {
    ComputeBench bench(kMachines[0]);
    const auto refusal = [&](const ShaderRef& shader, uint32_t shared_bytes = 0) {
        const auto made = bench.device->create_compute_pipeline({shader, shared_bytes});
        REQUIRE(!made.has_value());
        return made.error();
    };
    const auto shader = [&](const std::string& text) {
        return must(bench.device->create_shader(text));
    };
    const ShaderRef good = shader(compute({1, 1, 1}, "", ""));
    const ShaderRef fragment = shader("FRAG\nEND\n");
    CHECK(refusal(nullptr).code == Errc::InvalidState);
    CHECK(refusal(fragment).text == "pipeline: the compute shader is of another stage");
    CHECK(refusal(good, 32769).code == Errc::OutOfRange);
    CHECK(bench.device->create_compute_pipeline({good, 32768}).has_value());
    const Error free = refusal(shader("COMP\nEND\n"));
    CHECK(free.code == Errc::Unsupported);
    CHECK(free.text.find("CS_FIXED_BLOCK_WIDTH") != std::string::npos);
    CHECK(refusal(shader(compute({1025, 1, 1}, "", ""))).code == Errc::OutOfRange);
    ComputeBench other(kMachines[0]);
    CHECK(refusal(must(other.device->create_shader("COMP\nEND\n"))).code == Errc::InvalidState);
    PipelineDesc draws;
    draws.vertex = good;
    draws.fragment = fragment;
    CHECK(!bench.device->create_pipeline(draws).has_value());
    draws.vertex = shader("VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\n"
                          "MOV OUT[0], IMM[0]\nEND\n");
    draws.fragment = good;
    CHECK(!bench.device->create_pipeline(draws).has_value());
}

TEST_CASE("bindings of dispatches that cannot be are refused, and the device goes on") {
    ComputeBench bench(kMachines[2]);
    ComputeBench other(kMachines[2]);
    CHECK(bench.refused().text == "dispatch: no pipeline, or one of another device");
    bench.state.pipeline = other.pipeline(compute({1, 1, 1}, "", ""));
    CHECK(bench.refused().code == Errc::InvalidState);
    bench.shader(compute({1, 1, 1}, "DCL BUFFER[0]\n",
                         "ATOMUADD TEMP[3].x, BUFFER[0], IMM[0].xxxx, IMM[0].zzzz\n"));
    const BufferRef count = bench.words(4);
    bench.state.resources.storage = {{count}};
    const auto with = [&](auto&& change) {
        const StageResources before = bench.state.resources;
        change(bench.state.resources);
        const Errc code = bench.refused().code;
        bench.state.resources = before;
        return code;
    };
    CHECK(with([](auto& r) { r.constants.resize(17); }) == Errc::OutOfRange);
    CHECK(with([](auto& r) { r.constants = {Words(kMaxConstantBufferWords + 1)}; }) ==
          Errc::OutOfRange);
    CHECK(with([](auto& r) { r.images.resize(17); }) == Errc::OutOfRange);
    CHECK(with([](auto& r) { r.textures.resize(33); }) == Errc::OutOfRange);
    CHECK(with([](auto& r) { r.storage.resize(33); }) == Errc::OutOfRange);
    CHECK(with([&](auto& r) { r.storage = {{count, 2}}; }) == Errc::InvalidState);
    CHECK(with([&](auto& r) { r.storage = {{count, 20}}; }) == Errc::OutOfRange);
    CHECK(with([&](auto& r) { r.counters = {{other.words(1)}}; }) == Errc::InvalidState);
    CHECK(with([&](auto& r) { r.images = {{.texture = other.texture(Format::R32_UINT, 1, 1)}}; }) ==
          Errc::InvalidState);
    CHECK(with([&](auto& r) { r.textures = {{other.texture(Format::R32_UINT, 1, 1)}}; }) ==
          Errc::InvalidState);
    bench.run({1, 1, 1});
    CHECK(bench.read(count) == Words{1, 0, 0, 0});
}

TEST_CASE("equal shaders are compiled once; another size of shared memory is another program") {
    DeviceOptions options;
    options.threads = 1;
    const auto kernels = must(gpu::make_kernel_cache(options));
    // Shared memory ends before or behind byte 64.
    const std::string text = compute({1, 1, 1},
                                     "DCL MEMORY[0], SHARED\nDCL BUFFER[0]\n"
                                     "IMM[1] UINT32 {64, 3, 0, 0}\n",
                                     "STORE MEMORY[0].x, IMM[1].xxxx, IMM[1].yyyy\n"
                                     "LOAD TEMP[2].x, MEMORY[0], IMM[1].xxxx\n"
                                     "STORE BUFFER[0].x, IMM[0].xxxx, TEMP[2]\n");
    for (const uint64_t made : {2U, 0U}) {
        ComputeBench bench(kMachines[2]);
        bench.device = must(gpu::create_device(options, kernels));
        const BufferRef word = bench.words(1, 9);
        bench.state.resources.storage = {{word}};
        for (const uint32_t bytes : {64U, 128U, 64U}) {
            bench.shader(text, bytes);
            bench.run({1, 1, 1});
            CHECK(bench.read(word) == Words{bytes > 64 ? 3U : 0U});
        }
        const Statistics statistics = bench.device->take_statistics();
        CHECK(statistics.kernels_compiled == made);
        CHECK(statistics.kernel_cache_hits == 3 - made);
        CHECK(statistics.dispatches == 3);
    }
}

}  // namespace valkyr::raster::test
