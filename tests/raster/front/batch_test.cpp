// Batch test: small primitives that share a kernel call get the inputs of separate calls.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <optional>
#include <tuple>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

constexpr uint32_t kWidth = 150;  // three tiles, the last one partial
constexpr uint32_t kHeight = 70;

float between(Random& random, float low, float high) {
    return low + (high - low) * static_cast<float>(random.below(1U << 20)) * 0x1p-20F;
}

/// Triangles with sides of 0 to 6 or 12 pixels, one in eight of up to 40. Some have no area, and
/// half of them have equal w.
std::vector<TestVertex> scattered(Random& random, unsigned triangles) {
    std::vector<TestVertex> vertices;
    for (unsigned i = 0; i < triangles; ++i) {
        const float size = random.one_in(8) ? 40.0F : random.one_in(2) ? 12.0F : 6.0F;
        const float x = between(random, -6, kWidth);
        const float y = between(random, -6, kHeight);
        const bool flat = random.one_in(2);
        const float shared_w = between(random, 0.5F, 4);
        for (unsigned k = 0; k < 3; ++k) {
            const float w = flat ? shared_w : between(random, 0.5F, 4);
            TestVertex v;
            v.position = {(x + between(random, 0, size)) * w, (y + between(random, 0, size)) * w,
                          between(random, 0, w), w};
            for (float& component : v.varying)
                component = between(random, -1, 1);
            vertices.push_back(v);
        }
    }
    return vertices;
}

/// Inputs of a kernel for one block.
struct Drawn {
    int32_t tile_x, tile_y;
    uint16_t block, mask;
    uint32_t id, flags;
    /// Anchor, depth clamp, z, 1/w and the varying slot, as bits; flat slots without gradients.
    std::array<uint32_t, 22> planes;
    bool operator==(const Drawn&) const = default;
};

std::array<uint32_t, 22> planes_of(const exec::PrimitiveSetup& s, bool flat) {
    exec::SlotPlanes slot{};
    std::copy_n(s.slots[0].a, 4, slot.a);
    if (!flat)
        slot = s.slots[0];
    const float values[22] = {s.anchor_x, s.anchor_y, s.depth_min, s.depth_max, s.z.a,
                              s.z.cx,     s.z.cy,     s.q.a,       s.q.cx,      s.q.cy,
                              slot.a[0],  slot.a[1],  slot.a[2],   slot.a[3],   slot.cx[0],
                              slot.cx[1], slot.cx[2], slot.cx[3],  slot.cy[0],  slot.cy[1],
                              slot.cy[2], slot.cy[3]};
    return std::bit_cast<std::array<uint32_t, 22>>(values);
}

struct Calls {
    std::vector<Drawn> blocks;
    uint32_t batched = 0;  ///< calls with several primitives
    uint32_t largest = 0;  ///< primitives of a call
};

struct NativeCase {
    bool scissor = false;
    bool flat = false;
    bool perspective = true;
    uint32_t samples = 1;
};

void note_blocks(Calls& calls, const exec::FragmentCall& call, bool flat) {
    const bool several = call.primitive_count > 1;
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < call.block_count; ++i) {
        const exec::BlockRef& block = call.blocks[i];
        const uint32_t number = several ? block.block >> exec::kPrimitiveShift : 0U;
        REQUIRE(number < call.primitive_count);
        const exec::PrimitiveSetup& s =
            several ? reinterpret_cast<const exec::BatchPrimitive*>(call.primitive)[number].setup
                    : *call.primitive;
        calls.blocks.push_back({call.tile_x, call.tile_y,
                                static_cast<uint16_t>(several ? block.block & 0xFF : block.block),
                                block.mask, s.primitive_id, s.flags, planes_of(s, flat)});
        numbers.push_back(number);
    }
    CHECK(std::is_sorted(numbers.begin(), numbers.end()));
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    calls.batched += several ? 1 : 0;
    calls.largest = std::max(calls.largest, static_cast<uint32_t>(numbers.size()));
}

/// Draws triangles with one slot by a fragment stage of this kind.
void draw_natively(const std::vector<TestVertex>& vertices,
                   const NativeCase& c,
                   exec::Batching batching,
                   const NativeFragmentStage::Function& function) {
    DeviceOptions options;
    options.threads = 1;
    Scene scene(kWidth, kHeight, options, c.samples);
    exec::ProgramInfo info;
    info.stage = exec::Stage::Fragment;
    info.varying_slot_count = 1;
    info.varyings[0].interpolation = c.flat          ? exec::Interpolation::Flat
                                     : c.perspective ? exec::Interpolation::Perspective
                                                     : exec::Interpolation::Linear;
    const auto fragment = std::make_shared<NativeFragmentStage>(info, 0, function, batching);
    PipelineDesc desc;
    desc.rasterizer.scissor = c.scissor;
    desc.rasterizer.multisample = c.samples > 1;
    scene.state.scissor = {13, 5, 101, 66};
    scene.pipeline(desc, vertex_stage(vertices, info.varyings[0].interpolation), fragment);
    scene.draw(static_cast<uint32_t>(vertices.size()));
    must(scene.device->finish());
}

/// Sorts the blocks of each primitive in a tile: no pixel depends on their order.
void sort_blocks(std::vector<Drawn>& blocks) {
    const auto primitive = [](const Drawn& d) { return std::tuple(d.tile_x, d.tile_y, d.id); };
    for (auto first = blocks.begin(); first != blocks.end();) {
        const auto end = std::find_if(
            first, blocks.end(), [&](const Drawn& d) { return primitive(d) != primitive(*first); });
        std::ranges::sort(first, end, {}, &Drawn::block);
        first = end;
    }
}

Calls calls_of(const std::vector<TestVertex>& vertices, const NativeCase& c, bool batches) {
    Calls calls;
    draw_natively(vertices, c, batches ? exec::Batching::Blocks : exec::Batching::None,
                  [&](exec::FragmentCall& call) { note_blocks(calls, call, c.flat); });
    sort_blocks(calls.blocks);
    return calls;
}

/// A pixel that a kernel shades, and the primitive.
struct Touch {
    int32_t tile_x, tile_y;
    uint32_t pixel;  ///< in the order of tile buffers
    uint32_t id, flags;
    std::array<uint32_t, 22> planes;
    bool operator==(const Touch&) const = default;
};

struct Touches {
    std::vector<Touch> pixels;  ///< by pixel, then in the order of the calls
    uint32_t packed_warps = 0;
    uint32_t packed_quads = 0;
    uint32_t together = 0;  ///< quads that follow another primitive's in one packed call
};

void touch(Touches& touches,
           const exec::FragmentCall& call,
           const exec::PrimitiveSetup& s,
           uint32_t first,
           uint32_t mask,
           bool flat) {
    for (; mask != 0; mask &= mask - 1)
        touches.pixels.push_back({call.tile_x, call.tile_y,
                                  first + static_cast<uint32_t>(std::countr_zero(mask)),
                                  s.primitive_id, s.flags, planes_of(s, flat)});
}

void note_warp(Touches& touches,
               const exec::FragmentCall& call,
               const exec::QuadWarp& warp,
               bool flat) {
    const auto* const primitives = reinterpret_cast<const exec::BatchPrimitive*>(call.primitive);
    std::vector<uint32_t> places;
    for (uint32_t q = 0; q < 4; ++q) {
        const exec::QuadPlace& quad = warp.quads[q];
        REQUIRE(quad.primitive / sizeof(exec::BatchPrimitive) < call.primitive_count);
        const uint32_t first = quad.pixel / 4;
        const uint32_t block = first / exec::kLanes;
        const uint32_t x = 4 * (block % exec::kBlocksPerRow) + exec::lane_x(first % exec::kLanes);
        const uint32_t y = 4 * (block / exec::kBlocksPerRow) + exec::lane_y(first % exec::kLanes);
        for (uint32_t lane = 4 * q; lane < 4 * q + 4; ++lane)
            CHECK(warp.corner[lane] == (x | y << exec::kQuadYShift));
        const uint32_t pixels = warp.mask >> (4 * q) & 15;
        if (pixels == 0) {
            CHECK(quad.pixel == warp.quads[0].pixel);
            CHECK(quad.primitive == warp.quads[0].primitive);
            continue;
        }
        places.push_back(first);
        touch(touches, call, primitives[quad.primitive / sizeof(exec::BatchPrimitive)].setup, first,
              pixels, flat);
        touches.together += quad.primitive != warp.quads[0].primitive ? 1 : 0;
    }
    touches.packed_quads += static_cast<uint32_t>(places.size());
    ++touches.packed_warps;
    std::sort(places.begin(), places.end());
    CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
}

Touches
touches_of(const std::vector<TestVertex>& vertices, const NativeCase& c, exec::Batching batching) {
    Touches touches;
    draw_natively(vertices, c, batching, [&](exec::FragmentCall& call) {
        if (call.primitive_count > 1) {
            for (uint64_t i = 0; i < call.quad_warp_count; ++i)
                note_warp(touches, call, call.quad_warps[i], c.flat);
            return;
        }
        for (uint32_t i = 0; i < call.block_count; ++i)
            touch(touches, call, *call.primitive, call.blocks[i].block * exec::kLanes,
                  call.blocks[i].mask, c.flat);
    });
    std::ranges::stable_sort(
        touches.pixels, {}, [](const Touch& t) { return std::tuple(t.tile_x, t.tile_y, t.pixel); });
    return touches;
}

}  // namespace

TEST_CASE("primitives of a batch have the blocks, masks and planes of calls of their own") {
    Random random(11);
    const std::vector<TestVertex> vertices = scattered(random, 700);
    for (const NativeCase& c : {NativeCase{}, NativeCase{.flat = true},
                                NativeCase{.perspective = false}, NativeCase{.scissor = true}}) {
        const Calls single = calls_of(vertices, c, false);
        const Calls batched = calls_of(vertices, c, true);
        CHECK(single.batched == 0);
        CHECK(batched.batched > 20);
        CHECK(batched.largest > 4);
        CHECK(single.blocks == batched.blocks);
    }
}

TEST_CASE("packed quads give each pixel the primitives of separate calls, in their order") {
    Random random(14);
    std::vector<TestVertex> vertices = scattered(random, 700);
    // A fan around one point, of which one quad is in all primitives of a packet.
    for (unsigned i = 0; i < 32; ++i) {
        const float x = 20.5F + static_cast<float>(i % 8);
        vertices.push_back({{20.25F, 20.25F, 0, 1}, {}});
        vertices.push_back({{x, 26, 0, 1}, {}});
        vertices.push_back({{x + 1, 25, 0, 1}, {}});
    }
    for (const NativeCase& c : {NativeCase{}, NativeCase{.flat = true},
                                NativeCase{.perspective = false}, NativeCase{.scissor = true}}) {
        const Touches single = touches_of(vertices, c, exec::Batching::None);
        const Touches packed = touches_of(vertices, c, exec::Batching::Quads);
        CHECK(single.packed_warps == 0);
        CHECK(packed.packed_quads > 3 * packed.packed_warps);  // the others are in last warps
        CHECK(packed.together > 100);
        CHECK(single.pixels == packed.pixels);
    }
}

TEST_CASE("runs of one to seventeen small primitives, alone and behind a large one") {
    Random random(12);
    for (uint32_t count = 1; count <= 17; ++count)
        for (const bool large : {false, true}) {
            std::vector<TestVertex> vertices;
            if (large)
                vertices = {{{0, 0, 0, 1}, {}}, {{60, 0, 0, 1}, {}}, {{0, 60, 0, 1}, {}}};
            for (uint32_t i = 0; i < count; ++i) {
                const float x = between(random, 0, 50);
                const float y = between(random, 0, 50);
                vertices.push_back({{x, y, 0, 1}, {}});
                vertices.push_back({{x + 5, y, 0, 1}, {}});
                vertices.push_back({{x, y + 5, 0, 1}, {}});
            }
            const Calls single = calls_of(vertices, {}, false);
            const Calls batched = calls_of(vertices, {}, true);
            CHECK(batched.batched == (count < 4 ? 0 : 1));
            CHECK(single.blocks == batched.blocks);
        }
}

TEST_CASE("multisampled primitives have calls of their own") {
    Random random(13);
    const Calls calls = calls_of(scattered(random, 200), {.samples = 4}, true);
    CHECK(calls.batched == 0);
    CHECK(calls.largest == 1);
}

namespace {

/// State for a draw of small triangles.
struct Look {
    const char* name;
    const char* fragment;
    bool blend = false;
    bool depth = false;
    CompareFunc func = CompareFunc::Less;
    bool stencil = false;
    bool two_sided = false;
    bool flat = false;
    bool scissor = false;
    bool counted = false;  ///< counts samples that pass
    uint32_t samples = 1;
};

constexpr const char* kOneInputVertex = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\n"
                                        "DCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\n"
                                        "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[1]\n"
                                        "  2: MOV OUT[2], IN[1].wzyx\n  3: END\n";
constexpr const char* kSmooth = "FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                "  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr const char* kByColor = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n"
                                 "  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr const char* kKill = "FRAG\nDCL IN[0], COLOR, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                              "IMM[0] FLT32 {-0.25, 0, 0, 0}\n"
                              "  0: ADD TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n"
                              "  1: KILL_IF TEMP[0].xxxx\n  2: MOV OUT[0], IN[0]\n  3: END\n";
constexpr const char* kFace = "FRAG\nDCL IN[0], FACE, CONSTANT\nDCL IN[1], COLOR, PERSPECTIVE\n"
                              "DCL OUT[0], COLOR\n"
                              "  0: MUL OUT[0], IN[0].xxxx, IN[1]\n  1: END\n";
constexpr const char* kPlace = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n"
                               "DCL TEMP[0]\nIMM[0] FLT32 {0.01, 0.01, 1, 0.25}\n"
                               "  0: MUL TEMP[0], IN[0], IMM[0]\n  1: FRC OUT[0], TEMP[0]\n"
                               "  2: END\n";
constexpr const char* kDepthOut =
    "FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
    "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1].z, IN[0].yyyy\n  2: END\n";

/// `declarations`, TEMP[0] = `first` combined by many steps, then `last`: so many that kernels take
/// packed quads.
std::string long_fragment(const std::string& declarations,
                          const std::string& first,
                          const std::vector<std::string>& last) {
    std::string text = "FRAG\n" + declarations +
                       "DCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                       "IMM[0] FLT32 {0.75, 0.5, 0.25, 0.125}\n";
    unsigned line = 0;
    const auto add = [&](const std::string& step) {
        text += "  " + std::to_string(line++) + ": " + step + "\n";
    };
    add("MOV TEMP[0], " + first);
    for (unsigned i = 0; i < 12; ++i) {
        add("MAD TEMP[1], TEMP[0].yzwx, IMM[0].xyzw, TEMP[0]");
        add("FRC TEMP[0], TEMP[1]");
    }
    for (const std::string& step : last)
        add(step);
    add("END");
    return text;
}
const std::string kLong =
    long_fragment("DCL IN[0], COLOR, PERSPECTIVE\n", "IN[0]", {"MOV OUT[0], TEMP[0]"});
const std::string kLongFlat =
    long_fragment("DCL IN[0], COLOR, COLOR\n", "IN[0]", {"MOV OUT[0], TEMP[0]"});
const std::string kLongKill = long_fragment(
    "DCL IN[0], COLOR, LINEAR\n",
    "IN[0]",
    {"ADD TEMP[1].x, TEMP[0].xxxx, -IMM[0].zzzz", "KILL_IF TEMP[1].xxxx", "MOV OUT[0], TEMP[0]"});
const std::string kLongPlace =
    long_fragment("DCL IN[0], POSITION, LINEAR\n", "IN[0]", {"MUL OUT[0], TEMP[0], IMM[0].xxxx"});
const std::string kLongSlopes =
    long_fragment("DCL IN[0], COLOR, PERSPECTIVE\n",
                  "IN[0]",
                  {"DDX TEMP[1], IN[0]", "DDY TEMP[0].xy, IN[0]", "ADD OUT[0], TEMP[0], TEMP[1]"});
const std::string kLongDepth =
    long_fragment("DCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[1], POSITION\n",
                  "IN[0]",
                  {"MOV OUT[0], TEMP[0]", "MOV OUT[1].z, TEMP[0].yyyy"});

struct Picture {
    std::vector<uint32_t> color;
    std::vector<uint32_t> depth;
    uint64_t passed = 0;
    bool operator==(const Picture&) const = default;
};

PipelineDesc pipeline_of(Device& device, const Look& look) {
    PipelineDesc desc;
    desc.vertex = must(device.create_shader(kOneInputVertex));
    desc.fragment = must(device.create_shader(look.fragment));
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}, {0, 16, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {sizeof(TestVertex)};
    desc.rasterizer.clip_halfz = true;
    desc.rasterizer.two_sided_color = look.two_sided;
    desc.rasterizer.flat_shade = look.flat;
    desc.rasterizer.scissor = look.scissor;
    desc.rasterizer.multisample = look.samples > 1;
    desc.depth_stencil.depth_test = desc.depth_stencil.depth_write = look.depth;
    desc.depth_stencil.depth_func = look.func;
    if (look.stencil) {
        desc.depth_stencil.stencil[0].enable = true;
        desc.depth_stencil.stencil[0].func = CompareFunc::Always;
        desc.depth_stencil.stencil[0].pass = StencilOp::IncrementClamp;
    }
    if (look.blend) {
        desc.blend.targets[0].enable = true;
        desc.blend.targets[0].rgb_src = BlendFactor::SrcAlpha;
        desc.blend.targets[0].rgb_dst = BlendFactor::InvSrcAlpha;
    }
    return desc;
}

std::optional<Picture>
draw_look(const Look& look, const std::vector<TestVertex>& vertices, const DeviceOptions& options) {
    auto created = gpu::create_device(options);
    if (!created.has_value())
        return std::nullopt;  // this processor lacks the level
    Device& device = **created;
    TextureDesc desc;
    desc.width = kWidth;
    desc.height = kHeight;
    desc.render_target = true;
    desc.samples = look.samples;
    desc.kind = look.samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.format = Format::R8G8B8A8_UNORM;
    const TextureRef color = must(device.create_texture(desc));
    desc.format = Format::D24_UNORM_S8_UINT;
    const TextureRef depth = must(device.create_texture(desc));
    DrawState state;
    state.pipeline = must(device.create_pipeline(pipeline_of(device, look)));
    state.framebuffer = {{{color, 0, 0}}, {depth, 0, 0}};
    const auto bytes = std::as_bytes(std::span(vertices));
    state.vertex_buffers = {{must(device.create_buffer(bytes.size(), bytes)), 0, UINT64_MAX}};
    state.viewport = large_viewport();
    state.scissor = {13, 5, 101, 66};
    ClearInfo clear;
    clear.color_targets = 1;
    clear.depth = clear.stencil = true;
    clear.depth_value = look.func == CompareFunc::Greater ? 0.0F : 1.0F;
    must(device.clear(state.framebuffer, clear));
    DrawInfo draw;
    draw.count = static_cast<uint32_t>(vertices.size());
    Picture picture;
    if (look.counted) {
        const QueryRef query = must(device.create_query(QueryKind::SamplesPassed));
        must(device.begin_query(query));
        must(device.draw(state, draw));
        must(device.end_query(query));
        picture.passed = must(device.query_result(query, true))->value;
    } else {
        must(device.draw(state, draw));
    }
    const auto read = [&](const TextureRef& texture) {
        std::vector<uint32_t> words(size_t{kWidth} * kHeight);
        must(device.read_texture(texture, 0, {0, 0, 0, kWidth, kHeight, 1},
                                 std::as_writable_bytes(std::span(words)), size_t{4} * kWidth));
        return words;
    };
    picture.color = read(color);
    if (look.samples == 1)
        picture.depth = read(depth);
    return picture;
}

const Look kLooks[] = {
    {.name = "replaced", .fragment = kSmooth},
    {.name = "blended", .fragment = kSmooth, .blend = true},
    {.name = "less", .fragment = kSmooth, .depth = true},
    {.name = "greater",
     .fragment = kSmooth,
     .blend = true,
     .depth = true,
     .func = CompareFunc::Greater},
    {.name = "always", .fragment = kSmooth, .depth = true, .func = CompareFunc::Always},
    {.name = "not equal",
     .fragment = kSmooth,
     .blend = true,
     .depth = true,
     .func = CompareFunc::NotEqual},
    {.name = "killed, late depth", .fragment = kKill, .depth = true},
    {.name = "killed, blended", .fragment = kKill, .blend = true},
    {.name = "depth of the shader", .fragment = kDepthOut, .depth = true},
    {.name = "stencil", .fragment = kSmooth, .blend = true, .depth = true, .stencil = true},
    {.name = "two-sided", .fragment = kByColor, .blend = true, .two_sided = true},
    {.name = "flat", .fragment = kByColor, .blend = true, .flat = true},
    {.name = "face", .fragment = kFace, .blend = true},
    {.name = "window position", .fragment = kPlace, .blend = true, .depth = true},
    {.name = "counted", .fragment = kSmooth, .blend = true, .depth = true, .counted = true},
    {.name = "killed and counted", .fragment = kKill, .depth = true, .counted = true},
    {.name = "scissor", .fragment = kSmooth, .blend = true, .depth = true, .scissor = true},
    {.name = "long", .fragment = kLong.c_str(), .blend = true, .depth = true},
    {.name = "long, not equal",
     .fragment = kLong.c_str(),
     .depth = true,
     .func = CompareFunc::NotEqual},
    {.name = "long, flat", .fragment = kLongFlat.c_str(), .blend = true, .flat = true},
    {.name = "long, two-sided",
     .fragment = kLongFlat.c_str(),
     .blend = true,
     .two_sided = true,
     .counted = true},
    {.name = "long, killed", .fragment = kLongKill.c_str(), .blend = true, .depth = true},
    {.name = "long, killed and counted",
     .fragment = kLongKill.c_str(),
     .depth = true,
     .counted = true},
    {.name = "long, window position",
     .fragment = kLongPlace.c_str(),
     .depth = true,
     .scissor = true},
    {.name = "long, derivatives", .fragment = kLongSlopes.c_str(), .blend = true},
    {.name = "long, depth of the shader", .fragment = kLongDepth.c_str(), .depth = true},
    {.name = "four samples", .fragment = kSmooth, .blend = true, .depth = true, .samples = 4},
};

}  // namespace

TEST_CASE("small triangles are the interpreter's, whatever the level and the number of threads") {
    Random random(14);
    std::vector<TestVertex> vertices = scattered(random, 900);
    for (TestVertex& v : vertices) {
        v.position[0] = clip_of(v.position[0]);
        v.position[1] = clip_of(v.position[1]);
        for (float& component : v.varying)
            component = component * 0.5F + 0.5F;
    }
    for (const Look& look : kLooks) {
        CAPTURE(look.name);
        DeviceOptions options;
        options.threads = 1;
        options.engine = Engine::Valhall;
        const std::optional<Picture> expected = draw_look(look, vertices, options);
        REQUIRE(expected.has_value());
        const std::vector<uint32_t>& colors = expected->color;
        CHECK(std::count(colors.begin(), colors.end(), 0U) < kWidth * kHeight * 3 / 4);
        CHECK((expected->passed != 0) == look.counted);
        options.engine = Engine::Jit;
        for (const Host host : {Host::Auto, Host::Avx2, Host::Avx512})
            for (const unsigned threads : {1U, 2U, 5U}) {
                options.host = host;
                options.threads = threads;
                options.hierarchical_z = threads != 2;
                const std::optional<Picture> picture = draw_look(look, vertices, options);
                CHECK((!picture.has_value() || *picture == *expected));
            }
    }
}

}  // namespace valkyr::raster::test
