// Draw sharing test: joined draws give the pictures of separate ones, and are joined only then.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/device/validate.hpp"
#include "raster/record/draw_builder.hpp"
#include "raster/record/draw_sharing.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <utility>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

/// A vertex shader: a number of the draw, times `scale`, darkens the colour.
std::string vertex_of(const std::string& number, const std::string& scale) {
    return "VERT\nDCL IN[0]\nDCL IN[1]\nDCL SV[0], " + number +
           "\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\nIMM[0] FLT32 { " + scale +
           ", 1.0, 0.0, 0.0 }\nMOV OUT[0], IN[0]\nU2F TEMP[0], SV[0].xxxx\n"
           "MUL TEMP[0], TEMP[0], IMM[0].xxxx\nADD OUT[1], IN[1], -TEMP[0]\nEND\n";
}
/// The number of the primitive in its draw is the colour.
constexpr char kFragmentOfPrimitive[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1], PRIM_ID, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 { 0.1, 1.0, 0.0, 0.0 }
  0: U2F TEMP[0], IN[1].xxxx
  1: MUL TEMP[0], TEMP[0], IMM[0].xxxx
  2: MAD OUT[0], IN[0], IMM[0].xxxx, TEMP[0]
  3: END
)";

/// Draws one behind the other in the buffer; the third one leaves a rest.
std::vector<DrawInfo> draws() {
    std::vector<DrawInfo> all;
    uint32_t first = 0;
    for (const uint32_t count : {9, 12, 7, 6, 6}) {
        DrawInfo info;
        info.first = first;
        info.count = count;
        info.draw_id = static_cast<uint32_t>(all.size());
        all.push_back(info);
        first += count;
    }
    return all;
}

struct ListScene {
    std::unique_ptr<Device> device = must(gpu::create_device({}));
    SceneKit kit{*device};

    ListScene(std::string_view vertex, std::string_view fragment, Primitive primitive) {
        kit.size(96, 96);
        kit.add_color();
        kit.shaders(vertex, fragment);
        kit.pipeline.primitive = primitive;
        const scenes::Mesh mesh = scenes::random_triangles(5, 14);
        kit.vertices(mesh.data(), {4, 4});
    }
    /// Makes the pipeline.
    void start() {
        kit.clear(0, 0, 0, 1);
        kit.draw(0);
    }
    std::vector<uint8_t> apart() {
        start();
        for (const DrawInfo& info : draws()) {
            must(device->draw(kit.state, info));
            must(device->finish());
        }
        return kit.shots()[0].bytes;
    }
    std::vector<uint8_t> one_after_the_other() {
        start();
        for (const DrawInfo& info : draws())
            must(device->redraw(kit.state, info,
                                info.first == 0 ? StateGroups::all() : StateGroups()));
        return kit.shots()[0].bytes;
    }
    std::vector<uint8_t> indirectly() {
        start();
        std::vector<uint32_t> words;
        for (const DrawInfo& info : draws())
            words.insert(words.end(), {info.count, 1, info.first, 0});
        IndirectInfo info;
        info.buffer = kit.buffer(words);
        info.draw_count = static_cast<uint32_t>(draws().size());
        must(device->draw_indirect(kit.state, info));
        return kit.shots()[0].bytes;
    }
};

void check_pictures(ListScene& scene) {
    const std::vector<uint8_t> expected = scene.apart();
    CHECK(scene.one_after_the_other() == expected);
    CHECK(scene.indirectly() == expected);
}

/// Records of a pass, each of which shares what it can with the one before.
class Records {
public:
    explicit Records(ListScene& scene)
        : scene_(scene)
        , impl_(static_cast<DeviceImpl&>(*scene.device)) {
        scene.start();
        must(resolve_targets(scene.kit.state.framebuffer, &impl_, pass_.targets));
    }
    DrawRecord& record(const DrawInfo& info, StateGroups changed = {}) {
        versions_.change(changed);
        BuildContext context;
        context.pass = &pass_;
        context.owner = &impl_;
        context.watch = &impl_.watch;
        context.versions = &versions_;
        return *must(build_draw(context, scene_.kit.state, info));
    }
    /// Whether the second draw joins the first one.
    bool join(const DrawInfo& first, const DrawInfo& second, StateGroups changed = {}) {
        DrawRecord& last = record(first, StateGroups::all());
        const DrawRecord& next = record(second, changed);
        const bool joined =
            raster::join(last, next, static_cast<const PipelineImpl&>(*scene_.kit.state.pipeline));
        CHECK(last.assembly.count == first.count + (joined ? second.count : 0));
        return joined;
    }

private:
    ListScene& scene_;
    DeviceImpl& impl_;
    Pass pass_;
    StateVersions versions_;
};

/// A way in which the words of a draw differ from those of one that goes on.
struct Change {
    const char* what;
    size_t word;
    uint32_t value;
};

/// Returns the words of `count` draws of six elements, the first of which is element 30.
std::vector<uint32_t> words_that_go_on(uint32_t count, bool indexed, size_t stride) {
    std::vector<uint32_t> words(count * stride, 0xDEAD);
    for (uint32_t i = 0; i < count; ++i) {
        const std::array<uint32_t, 5> draw =
            indexed ? std::array<uint32_t, 5>{6, 1, 30 + 6 * i, 5, 2}
                    : std::array<uint32_t, 5>{6, 1, 30 + 6 * i, 2, 0xDEAD};
        std::copy_n(draw.begin(), std::min(draw.size(), stride), words.begin() + i * stride);
    }
    return words;
}

DrawInfo draw_before(bool indexed) {
    return {.first = 18, .count = 12, .base_vertex = indexed ? 5 : 0, .first_instance = 2};
}

}  // namespace

TEST_CASE("indirect draws go on until one differs") {
    for (const bool indexed : {false, true})
        for (const size_t stride : {indexed ? 5 : 4, 7}) {
            CAPTURE(indexed);
            CAPTURE(stride);
            std::vector<uint32_t> words = words_that_go_on(9, indexed, stride);
            const IndirectWords all{words.data(), stride, 9, indexed};
            DrawInfo draw = draw_before(indexed);
            CHECK(continue_draw(Primitive::Triangles, draw, all) == 9);
            CHECK(draw.count == 12 + 9 * 6);
            CHECK(draw.first == 18);
            for (const Change& change :
                 {Change{"instances", 1, 2}, Change{"no instances", 1, 0},
                  Change{"a gap before it", 2, 901}, Change{"an overlap", 2, 29},
                  Change{"instance or base vertex", 3, 9}, Change{"instance", indexed ? 4U : 3U, 9},
                  Change{"too many elements", 0, UINT32_MAX}}) {
                CAPTURE(change.what);
                // Some draws are compared at once: each place among them counts.
                for (uint32_t equal = 0; equal < 9; ++equal) {
                    uint32_t& word = words[equal * stride + change.word];
                    const uint32_t before = std::exchange(word, change.value);
                    draw = draw_before(indexed);
                    CHECK(continue_draw(Primitive::Triangles, draw, all) == equal);
                    CHECK(draw.count == 12 + equal * 6);
                    word = before;
                }
            }
        }
}

TEST_CASE("indirect draws of other sizes go on if they are whole primitives") {
    // Counts 9, 0, 3, 4: nothing follows the last one, which leaves a rest.
    const std::vector<uint32_t> words{9,  1, 30, 2, 0,  1, 39, 2, 3,  1,
                                      39, 2, 4,  1, 42, 2, 6,  1, 46, 2};
    const IndirectWords all{words.data(), 4, 5, false};
    DrawInfo draw = draw_before(false);
    CHECK(continue_draw(Primitive::Triangles, draw, all) == 4);
    CHECK(draw.count == 12 + 9 + 3 + 4);
    draw = draw_before(false);
    CHECK(continue_draw(Primitive::Points, draw, all) == 5);
    draw = draw_before(false);
    CHECK(continue_draw(Primitive::Lines, draw, all) == 1);
    draw = draw_before(false);
    CHECK(continue_draw(Primitive::TriangleStrip, draw, all) == 0);
    draw.instance_count = 2;
    CHECK(continue_draw(Primitive::Points, draw, all) == 0);
}

TEST_CASE("indirect draws do not go on beyond the last element that has a number") {
    constexpr uint32_t kNear = UINT32_MAX - 17;
    // The numbers of elements would wrap around: 2^32 - 6 + 6 = 0.
    const std::vector<uint32_t> words{6, 1, kNear + 6, 0, 6, 1, kNear + 12, 0, 6, 1, 0, 0};
    DrawInfo draw{.first = kNear, .count = 6};
    CHECK(continue_draw(Primitive::Triangles, draw, {words.data(), 4, 3, false}) < 3);
    CHECK(draw.count <= 18);
    const std::vector<uint32_t> wrapped{6, 1, 0, 0};
    DrawInfo last{.first = UINT32_MAX - 5, .count = 6};
    CHECK(continue_draw(Primitive::Triangles, last, {wrapped.data(), 4, 1, false}) == 0);
}

TEST_CASE("draws one behind the other give the pictures of separate draws") {
    for (const Primitive primitive :
         {Primitive::Points, Primitive::Lines, Primitive::Triangles, Primitive::TriangleStrip}) {
        CAPTURE(static_cast<int>(primitive));
        ListScene plain(scenes::kVertexColor, scenes::kFragmentColor, primitive);
        check_pictures(plain);
        ListScene numbered(scenes::kVertexColor, kFragmentOfPrimitive, primitive);
        check_pictures(numbered);
    }
    ListScene of_draw(vertex_of("DRAWID", "0.2"), scenes::kFragmentColor, Primitive::Triangles);
    check_pictures(of_draw);
    ListScene of_base(vertex_of("BASEVERTEX", "0.02"), scenes::kFragmentColor,
                      Primitive::Triangles);
    check_pictures(of_base);
    ListScene stippled(scenes::kVertexColor, scenes::kFragmentColor, Primitive::Lines);
    stippled.kit.pipeline.rasterizer.line_stipple = true;
    stippled.kit.pipeline.rasterizer.line_stipple_pattern = 0x00FF;
    check_pictures(stippled);
}

TEST_CASE("draws are joined if nothing can tell") {
    ListScene scene(scenes::kVertexColor, scenes::kFragmentColor, Primitive::Triangles);
    Records records(scene);
    const DrawInfo first{.first = 3, .count = 6};
    const DrawInfo next{.first = 9, .count = 9};
    CHECK(records.join(first, next));
    CHECK_FALSE(records.join(first, next, StateGroup::Numbers));
    CHECK_FALSE(records.join(first, {.first = 10, .count = 9}));
    CHECK_FALSE(records.join({.first = 4, .count = 5}, next));
    CHECK_FALSE(records.join(first, {.first = 9, .count = 9, .instance_count = 2}));
    CHECK_FALSE(records.join(first, {.first = 9, .count = 9, .first_instance = 1}));
    CHECK_FALSE(records.join(first, {.first = 9, .count = UINT32_MAX - 5}));

    scene.kit.indices(std::vector<uint16_t>(30, 1));
    CHECK(records.join(first, next));
    CHECK_FALSE(records.join(first, {.first = 9, .count = 9, .base_vertex = 1}));
    DrawInfo restarting = next;
    restarting.primitive_restart = true;
    CHECK_FALSE(records.join(first, restarting));

    for (const Primitive primitive : {Primitive::Triangles, Primitive::TriangleStrip}) {
        const bool strip = primitive == Primitive::TriangleStrip;
        ListScene other(scenes::kVertexColor, strip ? scenes::kFragmentColor : kFragmentOfPrimitive,
                        primitive);
        CHECK_FALSE(Records(other).join(first, next));
    }
}

TEST_CASE("draws with other constants are not alike, those with other elements are") {
    ListScene scene(scenes::kVertexColor, scenes::kFragmentColor, Primitive::Triangles);
    Records records(scene);
    const DrawRecord& first = records.record({.first = 3, .count = 6}, StateGroups::all());
    const DrawRecord& second = records.record({.first = 30, .count = 6});
    const DrawRecord& third =
        records.record({.first = 60, .count = 6}, StateGroup::FragmentConstants);
    CHECK(first.alike == &first);
    CHECK(second.alike == &first);
    CHECK(third.alike == &third);
}

}  // namespace valkyr::raster::test
