// Shader resources test: checks images, shader buffers, counters and buffer textures.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <bit>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

constexpr const char* kVertex = "VERT\n"
                                "DCL IN[0]\n"
                                "DCL OUT[0], POSITION\n"
                                "  0: MOV OUT[0], IN[0]\n"
                                "  1: END\n";

/// A fragment shader with its pixel in TEMP[0].xy. TEMP[1..3] are free; IMM[0] = (0, 1, 4, 100).
std::string fragment(const std::string& declarations, const std::string& body) {
    return "FRAG\n"
           "DCL IN[0], POSITION, LINEAR\n"
           "DCL OUT[0], COLOR\n"
           "DCL TEMP[0..3]\n"
           "IMM[0] UINT32 { 0, 1, 4, 100 }\n"
           "IMM[1] FLT32 { 1.0, 0.0, 0.0, 1.0 }\n" +
           declarations +
           "MOV TEMP[0], IMM[0].xxxx\n"
           "F2U TEMP[0].xy, IN[0].xyxy\n"
           "MOV OUT[0], IMM[1]\n" +
           body + "END\n";
}

/// Computes the pixel's number, x + 100 y, in TEMP[1].
constexpr const char* kNumber = "UMAD TEMP[1], TEMP[0].yyyy, IMM[0].wwww, TEMP[0].xxxx\n";

struct Machine {
    Engine engine;
    unsigned threads;
};
constexpr Machine kMachines[] = {{Engine::Valhall, 1}, {Engine::Jit, 2}};

/// A device with a colour target, and a triangle that covers it.
struct Bench {
    std::unique_ptr<Device> device;
    scenes::SceneKit kit;

    explicit Bench(const Machine& machine, uint32_t width = 70, uint32_t height = 66)
        : device(make(machine))
        , kit(*device) {
        kit.size(width, height);
        kit.add_color(Format::R8G8B8A8_UNORM);
        kit.clear(0, 0, 0, 0);
        cover();
    }

    static std::unique_ptr<Device> make(const Machine& machine) {
        DeviceOptions options;
        options.engine = machine.engine;
        options.threads = machine.threads;
        return must(gpu::create_device(options));
    }
    void cover(float z = 0) { kit.vertices({-1, -1, z, 1, 3, -1, z, 1, -1, 3, z, 1}, {4}); }

    TextureRef image(TextureKind kind, Format format, uint32_t slices = 1, uint32_t levels = 1) {
        TextureDesc desc;
        desc.kind = kind;
        desc.format = format;
        desc.width = desc.height = 70;
        desc.levels = levels;
        (kind == TextureKind::Tex3D ? desc.depth : desc.layers) = slices;
        return must(device->create_texture(desc));
    }
    std::vector<uint32_t> texels(const TextureRef& texture, uint32_t z = 0, uint32_t level = 0) {
        const Box box{0, 0, z, texture->desc().width >> level, texture->desc().height >> level, 1};
        std::vector<uint32_t> words(size_t{box.width} * box.height);
        must(device->read_texture(texture, level, box, std::as_writable_bytes(std::span(words)),
                                  size_t{box.width} * 4));
        return words;
    }
    BufferRef words(size_t count, uint32_t value = 0) {
        return kit.buffer(std::vector<uint32_t>(count, value));
    }
    std::vector<uint32_t> read(const BufferRef& buffer) {
        std::vector<uint32_t> result(buffer->size() / 4);
        must(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(result))));
        return result;
    }
    Errc refused() {
        kit.state.pipeline = must(device->create_pipeline(kit.pipeline));
        const Result<void> drawn = device->draw(kit.state, {.count = 3});
        REQUIRE(!drawn.has_value());
        return drawn.error().code;
    }
};

constexpr const char* kImage2D = "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n";

}  // namespace

TEST_CASE("every covered pixel stores to its texel of an image, and no other is touched") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 40, 30);
        const TextureRef image = bench.image(TextureKind::Tex2D, Format::R32_UINT);
        must(bench.device->clear_texture(image, 0, {0, 0, 0, 70, 70, 1}, {7, 0, 0, 0}));
        bench.kit.shaders(kVertex, fragment(kImage2D, std::string(kNumber) +
                                                          "STORE IMAGE[0], TEMP[0], TEMP[1], 2D, "
                                                          "PIPE_FORMAT_R32_UINT\n"));
        bench.kit.state.fragment().images = {{.texture = image}};
        bench.kit.draw(3);
        const auto texels = bench.texels(image);
        size_t wrong = 0;
        for (uint32_t y = 0; y < 70; ++y)
            for (uint32_t x = 0; x < 70; ++x)
                wrong += texels[y * 70 + x] != (x < 40 && y < 30 ? x + 100 * y : 7) ? 1 : 0;
        CHECK(wrong == 0);
    }
}

TEST_CASE("counters count covered pixels: helper lanes and uncovered pixels do not") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine);
        const BufferRef counters = bench.words(3, 5);
        bench.kit.shaders(kVertex,
                          fragment("DCL HWATOMIC[0..2]\n",
                                   "ATOMUADD TEMP[1].x, HWATOMIC[1], IMM[0].xxxx, IMM[0].yyyy\n"));
        bench.kit.state.fragment().counters = {{counters}};
        bench.kit.vertices({-0.9F, -0.8F, 0, 1, 0.7F, -0.3F, 0, 1, -0.2F, 0.9F, 0, 1}, {4});
        bench.kit.draw(3);
        const auto shots = bench.kit.shots();
        uint32_t covered = 0;
        for (size_t i = 0; i < shots[0].bytes.size(); i += 4)
            covered += shots[0].bytes[i] != 0 ? 1 : 0;
        CHECK(covered > 500);
        CHECK(bench.read(counters) == std::vector<uint32_t>{5, 5 + covered, 5});
    }
}

TEST_CASE("no atomic on an image is lost when threads change the same tile") {
    constexpr uint32_t kSize = 512;
    for (const unsigned threads : {1U, 2U}) {
        Bench bench({Engine::Jit, threads}, kSize, kSize);
        const TextureRef image = bench.image(TextureKind::Tex2D, Format::R32_UINT);
        must(bench.device->clear_texture(image, 0, {0, 0, 0, 70, 70, 1}, {7, 0, 0, 0}));
        bench.kit.shaders(kVertex,
                          fragment(std::string(kImage2D) + "IMM[2] UINT32 { 3, 0, 0, 0 }\n",
                                   "AND TEMP[0].xy, TEMP[0], IMM[2].xxxx\n"
                                   "ATOMUADD TEMP[1].x, IMAGE[0], TEMP[0], IMM[0].yyyy, 2D, "
                                   "PIPE_FORMAT_R32_UINT\n"
                                   "ATOMUMAX TEMP[1].x, IMAGE[0], TEMP[0], TEMP[1].xxxx, 2D, "
                                   "PIPE_FORMAT_R32_UINT\n"));
        bench.kit.state.fragment().images = {{.texture = image}};
        bench.kit.draw(3);
        const auto texels = bench.texels(image);
        for (uint32_t y = 0; y < 5; ++y)
            for (uint32_t x = 0; x < 5; ++x)
                CHECK(texels[y * 70 + x] == (x < 4 && y < 4 ? 7 + kSize * kSize / 16 : 7));
    }
}

TEST_CASE("shaders with side effects run for hidden pixels unless they ask for early tests") {
    for (const Machine& machine : kMachines)
        for (const bool early : {false, true}) {
            Bench bench(machine, 64, 64);
            bench.kit.add_depth(Format::D32_FLOAT);
            bench.kit.clear(0, 0, 0, 0, 0.25F);
            const BufferRef storage = bench.words(4);
            std::string text = fragment(
                "DCL BUFFER[0]\n", "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].zzzz, IMM[0].yyyy\n");
            if (early)
                text.insert(5, "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n");
            bench.kit.shaders(kVertex, text);
            bench.kit.pipeline.depth_stencil.depth_test = true;
            bench.kit.state.fragment().storage = {{storage}};
            bench.kit.draw(3);  // depth 0.5: behind everything
            CHECK(bench.read(storage)[1] == (early ? 0U : 64U * 64));
            CHECK(bench.kit.shots()[0].bytes[0] == 0);
            bench.cover(-1);  // depth 0
            bench.kit.draw(3);
            CHECK(bench.read(storage)[1] == (early ? 64U * 64 : 2 * 64U * 64));
            CHECK(bench.kit.shots()[0].bytes[0] == 255);
        }
}

TEST_CASE("an opaque draw over them does not undo or skip side effects") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 64, 64);
        const BufferRef storage = bench.words(1);
        bench.kit.state.fragment().storage = {{storage}};
        bench.kit.shaders(kVertex,
                          fragment("DCL BUFFER[0]\n",
                                   "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"));
        bench.kit.draw(3);
        bench.kit.shaders(kVertex, fragment("", ""));
        bench.kit.draw(3);
        CHECK(bench.read(storage)[0] == 64 * 64);
    }
}

TEST_CASE("vertex shaders run once a vertex: lanes beyond the last one do nothing") {
    constexpr const char* kCounting = "VERT\n"
                                      "DCL IN[0]\n"
                                      "DCL SV[0], VERTEXID\n"
                                      "DCL OUT[0], POSITION\n"
                                      "DCL BUFFER[0]\n"
                                      "DCL TEMP[0..1]\n"
                                      "IMM[0] UINT32 { 0, 1, 4, 0 }\n"
                                      "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n"
                                      "ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, "
                                      "IMM[0].yyyy\n"
                                      "MOV OUT[0], IN[0]\n"
                                      "END\n";
    for (const Machine& machine : kMachines) {
        Bench bench(machine);
        const BufferRef storage = bench.words(40);
        bench.kit.shaders(kCounting, fragment("", ""));
        bench.kit.vertices(std::vector<float>(size_t{4} * 40), {4});
        bench.kit.pipeline.primitive = Primitive::Points;
        bench.kit.state.vertex().storage = {{storage, 4, 36 * 4}};
        bench.kit.draw(37);  // the last one is outside of the range
        std::vector<uint32_t> expected(40);
        std::fill_n(expected.begin() + 1, 36, 1);
        CHECK(bench.read(storage) == expected);
    }
}

TEST_CASE("image buffers have more than 65,536 texels; what is outside is dropped") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 1, 1);
        const BufferRef buffer = bench.words(100001, 9);
        bench.kit.shaders(kVertex,
                          fragment("DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\n"
                                   "IMM[2] UINT32 { 99996, 99997, 70000, 4294967295 }\n",
                                   "STORE IMAGE[0], IMM[2].xxxx, IMM[0].wwww, BUFFER, "
                                   "PIPE_FORMAT_R32_UINT\n"
                                   "STORE IMAGE[0], IMM[2].yyyy, IMM[0].wwww, BUFFER, "
                                   "PIPE_FORMAT_R32_UINT\n"
                                   "STORE IMAGE[0], IMM[2].wwww, IMM[0].wwww, BUFFER, "
                                   "PIPE_FORMAT_R32_UINT\n"
                                   "ATOMUADD TEMP[1].x, IMAGE[0], IMM[2].zzzz, IMM[0].yyyy, "
                                   "BUFFER, PIPE_FORMAT_R32_UINT\n"));
        ImageView view;
        view.buffer = {buffer, 12, 99997 * 4 + 3};
        view.format = Format::R32_UINT;
        bench.kit.state.fragment().images = {view};
        bench.kit.draw(3);
        std::vector<uint32_t> expected(100001, 9);
        expected[3 + 99996] = 100;
        expected[3 + 70000] = 10;
        CHECK(bench.read(buffer) == expected);
    }
}

TEST_CASE("buffer textures are texels of any plain format behind one another") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 4, 1);
        std::vector<uint8_t> bytes(70000 * 4 + 8);
        bytes[4 + 0] = 51;
        bytes[4 + 69999 * 4 + 1] = 102;  // .y of the last texel of the range
        bench.kit.shaders(kVertex, fragment("DCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\n"
                                            "IMM[2] UINT32 { 69999, 0, 0, 0 }\n",
                                            "UMUL TEMP[0].x, TEMP[0].xxxx, IMM[2].xxxx\n"
                                            "TXF OUT[0], TEMP[0], SAMP[0], BUFFER\n"));
        TextureView view;
        view.buffer = {bench.kit.buffer(bytes), 4, 70000 * 4};
        view.format = Format::R8G8B8A8_UNORM;
        bench.kit.state.fragment().textures = {view};
        bench.kit.state.fragment().samplers = {SamplerState{}};
        bench.kit.draw(3);
        const auto shots = bench.kit.shots();
        CHECK(shots[0].bytes ==
              std::vector<uint8_t>{51, 0, 0, 0, 0, 102, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    }
}

TEST_CASE("layers, slices, faces and levels are where views say") {
    struct Place {
        TextureKind texture, view;
        uint32_t slices, first_layer;
        uint8_t level;
        const char* target;
        uint32_t layer;  ///< in the view, stored to by the shader
    };
    constexpr Place kPlaces[] = {
        {TextureKind::Tex2DArray, TextureKind::Buffer, 5, 0, 0, "2D_ARRAY", 4},
        {TextureKind::Tex2DArray, TextureKind::Tex2DArray, 5, 2, 1, "2D_ARRAY", 1},
        {TextureKind::Tex2DArray, TextureKind::Tex2D, 5, 3, 0, "2D", 0},
        {TextureKind::Tex3D, TextureKind::Buffer, 6, 0, 1, "3D", 2},
        {TextureKind::Tex3D, TextureKind::Tex2D, 6, 4, 0, "2D", 0},
        {TextureKind::Cube, TextureKind::Cube, 6, 0, 1, "CUBE", 5},
        {TextureKind::CubeArray, TextureKind::CubeArray, 12, 0, 0, "CUBEARRAY", 9},
    };
    for (const Machine& machine : kMachines)
        for (const Place& place : kPlaces) {
            CAPTURE(place.target);
            Bench bench(machine, 20, 20);
            const TextureRef image =
                bench.image(place.texture, Format::R32_UINT, place.slices, place.level + 1U);
            const std::string target = std::string(", ") + place.target + ", PIPE_FORMAT_R32_UINT";
            bench.kit.shaders(kVertex,
                              fragment("DCL IMAGE[0]" + target + ", WR\nIMM[2] UINT32 { " +
                                           std::to_string(place.layer) + ", 0, 0, 0 }\n",
                                       std::string(kNumber) +
                                           "MOV TEMP[0].z, IMM[2].xxxx\n"
                                           "STORE IMAGE[0], TEMP[0], TEMP[1]" +
                                           target +
                                           "\n"
                                           "ATOMUADD TEMP[2].x, IMAGE[0], TEMP[0], IMM[0].yyyy" +
                                           target + "\n"));
            ImageView view;
            view.texture = image;
            view.kind = place.view;
            view.level = place.level;
            view.first_layer = place.first_layer;
            if (place.view == TextureKind::Tex2D)
                view.layer_count = 1;
            bench.kit.state.fragment().images = {view};
            bench.kit.draw(3);
            size_t wrong = 0;
            const uint32_t slices =
                place.texture == TextureKind::Tex3D ? place.slices >> place.level : place.slices;
            const uint32_t size = 70U >> place.level;
            for (uint32_t z = 0; z < slices; ++z) {
                const auto texels = bench.texels(image, z, place.level);
                const bool here = z == place.first_layer + place.layer;
                for (uint32_t i = 0; i < texels.size(); ++i) {
                    const uint32_t x = i % size;
                    const uint32_t y = i / size;
                    wrong += texels[i] != (here && x < 20 && y < 20 ? x + 100 * y + 1 : 0) ? 1 : 0;
                }
            }
            CHECK(wrong == 0);
        }
}

TEST_CASE("a draw sees what the shaders of the one before it wrote, also to other tiles") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 70, 70);
        const TextureRef image = bench.image(TextureKind::Tex2D, Format::R8G8B8A8_UNORM);
        // Pixel (x, y) stores to texel (y, x), which mostly lies in another tile.
        bench.kit.shaders(kVertex, fragment("DCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n"
                                            "IMM[2] FLT32 { 0.00392156862745098, 0, 0, 0 }\n",
                                            "U2F TEMP[1], TEMP[0]\n"
                                            "MUL TEMP[1], TEMP[1], IMM[2].xxxx\n"
                                            "STORE IMAGE[0], TEMP[0].yxxx, TEMP[1], 2D, "
                                            "PIPE_FORMAT_R8G8B8A8_UNORM\n"));
        bench.kit.state.fragment().images = {{.texture = image}};
        bench.kit.draw(3);
        bench.kit.shaders(kVertex, fragment("DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n",
                                            "TXF OUT[0], TEMP[0], SAMP[0], 2D\n"));
        bench.kit.state.fragment().images.clear();
        bench.kit.state.fragment().textures = {{image}};
        bench.kit.state.fragment().samplers = {SamplerState{}};
        bench.kit.draw(3);
        const auto shots = bench.kit.shots();
        size_t wrong = 0;
        for (uint32_t y = 0; y < 70; ++y)
            for (uint32_t x = 0; x < 70; ++x)
                wrong += shots[0].bytes[(y * 70 + x) * 4] != y ||
                                 shots[0].bytes[(y * 70 + x) * 4 + 1] != x
                             ? 1
                             : 0;
        CHECK(wrong == 0);
    }
}

TEST_CASE("successive draws add to the same words: each starts where the last one ended") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 8, 8);
        const TextureRef image = bench.image(TextureKind::Tex2D, Format::R32_UINT);
        bench.kit.state.fragment().images = {{.texture = image}};
        // Load and store are not atomic, but each draw draws a pixel only once.
        bench.kit.shaders(kVertex, fragment("DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n",
                                            "LOAD TEMP[1].x, IMAGE[0], TEMP[0], 2D, "
                                            "PIPE_FORMAT_R32_UINT\n"
                                            "UMAD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz, "
                                            "IMM[0].yyyy\n"
                                            "STORE IMAGE[0], TEMP[0], TEMP[1], 2D, "
                                            "PIPE_FORMAT_R32_UINT\n"));
        for (int i = 0; i < 4; ++i)
            bench.kit.draw(3);
        CHECK(bench.texels(image)[3 * 70 + 5] == 1 + 4 + 16 + 64);
    }
}

TEST_CASE("shaders learn the sizes of what is bound") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 1, 1);
        bench.kit.shaders(kVertex,
                          fragment("DCL IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R32_UINT, WR\n"
                                   "DCL BUFFER[0..1]\n",
                                   "RESQ TEMP[1], IMAGE[0], 2D_ARRAY, PIPE_FORMAT_R32_UINT\n"
                                   "RESQ TEMP[2].x, BUFFER[1]\n"
                                   "STORE BUFFER[0].xyz, IMM[0].xxxx, TEMP[1]\n"
                                   "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[2]\n"));
        ImageView view;
        view.texture = bench.image(TextureKind::Tex2DArray, Format::R32_UINT, 7, 2);
        view.level = 1;
        view.first_layer = 2;
        bench.kit.state.fragment().images = {view};
        const BufferRef words = bench.words(3);
        bench.kit.state.fragment().storage = {{words}, {bench.words(9), 8, UINT64_MAX}};
        bench.kit.draw(3);
        CHECK(bench.read(words) == std::vector<uint32_t>{35, 28, 5});
    }
}

TEST_CASE("framebuffers without attachments have a size, and shaders run for their pixels") {
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 64, 64);
        const BufferRef storage = bench.words(1);
        bench.kit.state.framebuffer = {};
        bench.kit.state.framebuffer.width = 33;
        bench.kit.state.framebuffer.height = 5;
        bench.kit.state.fragment().storage = {{storage}};
        bench.kit.shaders(kVertex,
                          fragment("DCL BUFFER[0]\n",
                                   "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"));
        bench.kit.draw(3);
        CHECK(bench.read(storage)[0] == 33 * 5);
        bench.kit.state.framebuffer.samples = 3;
        CHECK(bench.refused() == Errc::InvalidState);
        bench.kit.state.framebuffer = {{}, {}, 1U << 20, 4, 1};
        CHECK(bench.refused() == Errc::OutOfRange);
    }
}

TEST_CASE("bindings that cannot be are refused") {
    Bench bench(kMachines[0]);
    Bench other(kMachines[0]);
    bench.kit.shaders(kVertex, fragment("", ""));
    const auto with = [&](auto&& change) {
        const DrawState before = bench.kit.state;
        change(bench.kit.state);
        const Errc code = bench.refused();
        bench.kit.state = before;
        return code;
    };
    const TextureRef flat = bench.image(TextureKind::Tex2D, Format::R32_UINT);
    const TextureRef solid = bench.image(TextureKind::Tex3D, Format::R32_UINT, 4);
    const BufferRef words = bench.words(4);
    const auto image = [&](const ImageView& view) {
        return with([&](DrawState& s) { s.fragment().images = {{}, view}; });
    };
    CHECK(image({.texture = flat, .level = 1}) == Errc::InvalidState);
    CHECK(image({.texture = flat, .first_layer = 1}) == Errc::InvalidState);
    CHECK(image({.texture = flat, .layer_count = 0}) == Errc::InvalidState);
    CHECK(image({.texture = flat, .format = Format::R8_UNORM}) == Errc::InvalidState);
    CHECK(image({.texture = flat, .kind = TextureKind::Tex3D}) == Errc::InvalidState);
    CHECK(image({.texture = solid, .kind = TextureKind::Tex2D}) == Errc::InvalidState);
    CHECK(image({.texture = other.image(TextureKind::Tex2D, Format::R32_UINT)}) ==
          Errc::InvalidState);
    CHECK(image({.texture = bench.image(TextureKind::Tex2D, Format::D32_FLOAT),
                 .format = Format::R32_UINT}) == Errc::InvalidState);
    const auto line = [&](Format format, uint64_t offset) {
        ImageView view;
        view.format = format;
        view.buffer = {words, offset};
        return image(view);
    };
    CHECK(line(Format::R32_UINT, 2) == Errc::InvalidState);
    CHECK(line(Format::R32_UINT, 20) == Errc::OutOfRange);
    CHECK(line(Format::None, 0) == Errc::InvalidState);
    CHECK(line(Format::R32G32B32_FLOAT, 0) == Errc::InvalidState);
    CHECK(with([&](DrawState& s) { s.vertex().images.resize(17); }) == Errc::OutOfRange);
    CHECK(with([&](DrawState& s) { s.vertex().storage.resize(33); }) == Errc::OutOfRange);
    CHECK(with([&](DrawState& s) { s.fragment().counters.resize(33); }) == Errc::OutOfRange);
    CHECK(with([&](DrawState& s) { s.vertex().storage = {{words, 1}}; }) == Errc::InvalidState);
    CHECK(with([&](DrawState& s) { s.vertex().counters = {{words, 20}}; }) == Errc::OutOfRange);
    CHECK(with([&](DrawState& s) { s.fragment().storage = {{other.words(1)}}; }) ==
          Errc::InvalidState);
    TextureView view;
    view.buffer = {words};
    CHECK(with([&](DrawState& s) { s.fragment().textures = {view}; }) == Errc::InvalidState);
    view.format = Format::BC1_RGBA_UNORM;
    CHECK(with([&](DrawState& s) { s.fragment().textures = {view}; }) == Errc::InvalidState);
    TextureDesc desc;
    desc.kind = TextureKind::Buffer;
    desc.format = Format::R32_UINT;
    CHECK(bench.device->create_texture(desc).error().code == Errc::InvalidState);
}

TEST_CASE("draws with one pipeline have the kernels of their own textures and samplers") {
    const std::string text = fragment("DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n",
                                      "TEX OUT[0], TEMP[0].wwww, SAMP[0], 2D\n");
    for (const Machine& machine : kMachines) {
        Bench bench(machine, 64, 64);
        bench.kit.shaders(kVertex, text);
        bench.kit.pipeline.blend.targets[0].enable = true;
        bench.kit.pipeline.blend.targets[0].rgb_dst = BlendFactor::One;
        const PipelineRef pipeline = must(bench.device->create_pipeline(bench.kit.pipeline));
        const TextureRef bytes = bench.image(TextureKind::Tex2D, Format::R8G8B8A8_UNORM);
        const TextureRef floats = bench.image(TextureKind::Tex2D, Format::R32G32B32A32_FLOAT);
        const Box all{0, 0, 0, 70, 70, 1};
        must(bench.device->clear_texture(bytes, 0, all, {std::bit_cast<uint32_t>(0.2F)}));
        must(bench.device->clear_texture(
            floats, 0, all, {0, std::bit_cast<uint32_t>(0.4F), 0, std::bit_cast<uint32_t>(1.0F)}));
        DrawState& state = bench.kit.state;
        state.pipeline = pipeline;
        state.fragment().samplers.resize(1);
        for (const TextureRef& texture : {bytes, floats, bytes, bytes}) {
            state.fragment().textures = {{texture}};
            must(bench.device->draw(state, {.count = 3}));
        }
        state.fragment().samplers[0].wrap_s = Wrap::ClampToBorder;
        state.fragment().textures = {{floats}};
        must(bench.device->draw(state, {.count = 3}));
        const auto shots = bench.kit.shots();
        CHECK(shots[0].bytes[0] == 3 * 51);
        CHECK(shots[0].bytes[1] == 102 + 51);  // half of the last footprint is the border
        CHECK(shots[0].bytes[2] == 0);
    }
}

}  // namespace valkyr::raster::test
