// History test: the history of a pixel ends with the picture, and names what each command did.
// SPDX-License-Identifier: MIT
#include "app/conform/picture.hpp"
#include "app/conform/player.hpp"
#include "app/conform/suite.hpp"
#include "app/debug/history/history_lines.hpp"
#include "app/debug/history/history_text.hpp"
#include "app/debug/history/history_words.hpp"
#include "app/debug/session/scene_session.hpp"
#include "app/debug/session/trace_session.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"
#include "gpu/create_device.hpp"
#include "virgl/capture/replay.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

using namespace valkyr;
using namespace valkyr::debug;

namespace {

const std::string kSuite = "tests/pictures/conformance";

HistoryRequest request_of(std::string what, uint32_t x, uint32_t y) {
    HistoryRequest request;
    request.command = "valkyr debug " + what;
    request.what = std::move(what);
    request.pixel = {x, y};
    return request;
}

/// Checks that the history is a chain of values that the interpreter agrees with.
void check_chain(const History& history) {
    REQUIRE_FALSE(history.entries.empty());
    CHECK(history.entries.front().kind == EntryKind::Start);
    const Texel* last = &history.entries.front().after;
    for (const Entry& entry : history.entries) {
        CHECK(entry.before == *last);
        last = &entry.after;
        CHECK(entry.kind != EntryKind::Draw);
        if (!entry.fragment)
            continue;
        CHECK(entry.fragment->fault.empty());
        CHECK((!entry.fragment->interpreted.has_value() || entry.fragment->reads_target ||
               entry.fragment->side_effects));
        uint32_t lost = 0;
        for (const Loss& loss : entry.fragment->losses)
            lost |= loss.samples;
        CHECK((lost | entry.fragment->written) == entry.fragment->coverage);
        CHECK((lost & entry.fragment->written) == 0);
    }
}

/// The channels of a pixel in which the picture shows the texel, in the texel's `plane`th form.
std::array<uint8_t, 4> shown(const Texel& texel, uint32_t plane) {
    const examples::Image image = conform::show_surface(texel.format, 1, 1, texel.sample(0));
    std::array<uint8_t, 4> pixel{};
    std::copy_n(image.rgba.begin() + plane * 4, 4, pixel.begin());
    return pixel;
}

std::array<uint8_t, 4> pixel_at(const examples::Image& image, uint32_t x, uint32_t y) {
    std::array<uint8_t, 4> pixel{};
    std::copy_n(image.rgba.begin() + static_cast<std::ptrdiff_t>((size_t{y} * image.width + x) * 4),
                4, pixel.begin());
    return pixel;
}

std::unique_ptr<raster::Device> plain_device() {
    auto device = gpu::create_device({});
    REQUIRE(device.has_value());
    return std::move(*device);
}

/// The picture of a conformance scene.
std::optional<examples::Image> picture_of(const conform::Case& scene) {
    const auto device = plain_device();
    auto image = conform::play(scene, *device);
    return image.has_value() ? std::optional(std::move(*image)) : std::nullopt;
}

/// Checks random pixels of a scene; returns how many.
unsigned check_scene(const conform::CaseFile& file, std::mt19937& random, unsigned pixels) {
    INFO(file.name);
    const auto scene = conform::load_case(kSuite, file);
    REQUIRE(scene.has_value());
    const auto image = picture_of(*scene);
    if (!image || scene->show.size() != 1)
        return 0;
    for (unsigned i = 0; i < pixels; ++i) {
        const uint32_t x = random() % image->width;
        const uint32_t y = random() % image->height;
        CAPTURE(x);
        CAPTURE(y);
        const auto history = pixel_history(request_of(file.scene_path, x, y),
                                           scene_player({.scene = file.scene_path}));
        REQUIRE_MESSAGE(history.has_value(), history.error().text);
        check_chain(*history);
        if (history->desc.samples > 1)
            continue;  // the picture has the mean of the samples
        const uint32_t width = std::max(1U, history->desc.width >> history->spot.level);
        CHECK(shown(history->value(), x / width) == pixel_at(*image, x, y));
    }
    return pixels;
}

/// A scene file in a temporary suite.
class SceneFile {
public:
    explicit SceneFile(const std::string& commands)
        : folder_(std::filesystem::temp_directory_path() /
                  ("valkyr_history_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_ / "topic");
        std::ofstream(path()) << kHead << commands;
    }
    SceneFile(const SceneFile&) = delete;
    SceneFile& operator=(const SceneFile&) = delete;
    ~SceneFile() { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string path() const { return (folder_ / "topic" / "x.scene").string(); }

private:
    static constexpr std::string_view kHead = R"(title A scene of the test
vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
}
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
}
set primitive triangle_strip
)";
    std::filesystem::path folder_;
};

/// A square over the whole target, at depth `z` of clip space.
std::string square(const std::string& z, const std::string& color) {
    std::string text = "vertices 4 4 f32 {\n";
    for (const char* corner : {"-1 -1 ", "1 -1 ", "-1 1 ", "1 1 "})
        text += corner + z + " 1 " + color + "\n";
    return text + "}\ndraw 4\n";
}

History why(const std::string& commands, uint32_t x, uint32_t y) {
    const SceneFile file(commands);
    auto history = pixel_history(request_of("x.scene", x, y), scene_player({.scene = file.path()}));
    REQUIRE_MESSAGE(history.has_value(), history.error().text);
    check_chain(*history);
    return std::move(*history);
}

std::string text_of(const History& history) {
    return history_text(history, std::nullopt, app::Style());
}

bool has(const std::string& text, const std::string& part) {
    const bool found = text.find(part) != std::string::npos;
    if (!found)
        MESSAGE("'" << part << "' is not in:\n" << text);
    return found;
}

}  // namespace

TEST_CASE("histories of conformance scenes end with the picture") {
    const auto cases = conform::find_cases(kSuite, {});
    REQUIRE(cases.has_value());
    std::mt19937 random(7);
    constexpr size_t kStep = 3;
    unsigned checked = 0;
    for (size_t i = random() % kStep; i < cases->size(); i += kStep)
        checked += check_scene((*cases)[i], random, 2);
    CHECK(checked > 900);
}

TEST_CASE("histories of demos end with the picture") {
    std::mt19937 random(5);
    for (const std::string name : {"cube", "shadow", "outline"}) {
        INFO(name);
        const examples::SceneInfo* info = examples::find_scene(name);
        REQUIRE(info != nullptr);
        constexpr uint32_t kSize = 96;
        const auto device = plain_device();
        const auto target =
            examples::PictureTarget::create(*device, kSize, kSize, info->samples, info->depth);
        REQUIRE(target.has_value());
        const auto scene = info->create(*device);
        REQUIRE(scene.has_value());
        REQUIRE((*scene)->draw(target->framebuffer(), kSize, kSize, 0.5).has_value());
        examples::Image image;
        REQUIRE(target->read(*device, image).has_value());
        for (int i = 0; i < 4; ++i) {
            const uint32_t x = random() % kSize;
            const uint32_t y = random() % kSize;
            const std::string what = "demo:" + name;
            const auto history = pixel_history(
                request_of(what, x, y),
                scene_player({.scene = what, .seconds = 0.5, .width = kSize, .height = kSize}));
            REQUIRE_MESSAGE(history.has_value(), history.error().text);
            check_chain(*history);
            CHECK(shown(history->value(), 0) == pixel_at(image, x, y));
        }
    }
}

namespace {

/// Keeps one frame of a trace.
class FrameKeeper final : public virgl::Observer {
public:
    explicit FrameKeeper(uint64_t wanted)
        : wanted_(wanted) {}
    void log(std::string_view /*client*/, std::string_view /*line*/) override {}
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    [[nodiscard]] bool wants_frame(uint64_t number) override { return number == wanted_; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& pixels) override { pixels_ = pixels; }
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
    [[nodiscard]] const virgl::FramePixels& pixels() const { return pixels_; }

private:
    uint64_t wanted_;
    virgl::FramePixels pixels_;
};

}  // namespace

TEST_CASE("histories of recorded frames end with what the frame shows") {
    auto loaded = virgl::Trace::load("tests/virgl/glxgears.trace");
    REQUIRE(loaded.has_value());
    const auto trace = std::make_shared<const virgl::Trace>(std::move(*loaded));
    std::mt19937 random(3);
    for (const uint64_t frame : {1, 2}) {
        FrameKeeper keeper(frame);
        virgl::Replay replay(*trace, raster::DeviceOptions{}, keeper);
        REQUIRE(replay.run().has_value());
        const virgl::FramePixels& pixels = keeper.pixels();
        REQUIRE(pixels.width != 0);
        for (int i = 0; i < 6; ++i) {
            const uint32_t x = random() % pixels.width;
            const uint32_t y = random() % pixels.height;
            HistoryRequest request = request_of("gears.trace", x, y);
            request.last_read_is_shown = true;
            const auto history = pixel_history(request, trace_player(trace, frame));
            REQUIRE_MESSAGE(history.has_value(), history.error().text);
            check_chain(*history);
            CHECK(history->texture.starts_with("resource "));
            const raster::Values color = history->value().color(0);
            for (unsigned c = 0; c < 3; ++c)
                CHECK(std::lround(std::bit_cast<float>(color[c]) * 255) ==
                      static_cast<long>(pixels.rgba[(size_t{y} * pixels.width + x) * 4 + c]));
        }
    }
    HistoryRequest request = request_of("gears.trace", 3, 3);
    request.last_read_is_shown = true;
    CHECK_FALSE(pixel_history(request, trace_player(trace, 99)).has_value());
}

TEST_CASE("clears reach the pixels of their rectangle alone") {
    const std::string commands = "size 8x8\ncolor R8G8B8A8_UNORM\nclear color 1 0 0 1\n"
                                 "clear color 0 1 0 1 rect 4 4 8 8\n";
    const History outside = why(commands, 3, 4);
    REQUIRE(outside.entries.size() == 2);
    CHECK(outside.entries[1].kind == EntryKind::Clear);
    CHECK(has(text_of(outside), "value: 1, 0, 0, 1 (FF 00 00 FF)\n"));
    const History inside = why(commands, 4, 4);
    REQUIRE(inside.entries.size() == 3);
    CHECK(has(text_of(inside), "1, 0, 0, 1 (FF 00 00 FF) -> 0, 1, 0, 1 (00 FF 00 FF)\n"));
}

TEST_CASE("a fragment behind another one is killed by the depth test, with both depths") {
    const History history =
        why("size 8x8\ncolor R8G8B8A8_UNORM\ndepth D32_FLOAT\nclear color 0 0 0 1\nclear depth 1\n"
            "set depth.test on\nset depth.write on\nset depth.func less\n" +
                square("0", "1 0 0 1") + square("0.5", "0 1 0 1"),
            5, 2);
    REQUIRE(history.entries.size() == 5);
    const Entry& first = history.entries[3];
    REQUIRE(first.fragment.has_value());
    CHECK(first.fragment->written == 1);
    CHECK(first.depth_after->depth_stencil(0).depth == 0x3F000000);
    const Entry& second = history.entries[4];
    REQUIRE(second.fragment.has_value());
    REQUIRE(second.fragment->losses.size() == 1);
    const Loss& loss = second.fragment->losses[0];
    CHECK(loss.killer == Killer::Depth);
    CHECK(loss.early);
    CHECK(loss.value == doctest::Approx(0.75));
    CHECK(loss.against == doctest::Approx(0.5));
    CHECK(second.before == second.after);
    CHECK(second.fragment->colors.empty());
    const std::string text = text_of(history);
    CHECK(has(text, "draw 1, primitive 1, back facing: killed by early depth test\n"));
    CHECK(has(text, "early depth test: 0.75 less stored 0.5 is false\n"));
    CHECK(has(text, "valkyr debug x.scene --pixel 5,2 --draw 1 --hit 0\n"));
}

TEST_CASE("the stencil test is named with its reference, mask and stored value") {
    const History history =
        why("size 8x8\ncolor R8G8B8A8_UNORM\ndepth D24_UNORM_S8_UINT\nclear color 0 0 0 1\n"
            "clear depth 1\nclear stencil 5\nset stencil.enable on\nset stencil.func equal\n"
            "set stencil.read_mask 7\nset stencil.reference 6\nset stencil.fail increment_clamp\n" +
                square("0", "1 0 0 1"),
            1, 1);
    const Entry& entry = history.entries.back();
    REQUIRE(entry.fragment.has_value());
    REQUIRE(entry.fragment->losses.size() == 1);
    CHECK(entry.fragment->losses[0].killer == Killer::Stencil);
    CHECK(entry.depth_before->depth_stencil(0).stencil == 5);
    CHECK(entry.depth_after->depth_stencil(0).stencil == 6);
    CHECK(has(text_of(history),
              "stencil test: reference 6 equal stored 5, both masked by 7, is false"));
}

TEST_CASE("late tests, the alpha test and discard are told apart") {
    const std::string head = "size 8x8\ncolor R8G8B8A8_UNORM\ndepth D32_FLOAT\n"
                             "clear color 0 0 0 1\nclear depth 0.25\n"
                             "set depth.test on\nset depth.write on\nset depth.func less\n"
                             "set alpha.test on\nset alpha.func greater\nset alpha.reference 0.5\n";
    const History alpha = why(head + square("-1", "1 0 0 0.25"), 1, 1);
    REQUIRE(alpha.entries.back().fragment.has_value());
    REQUIRE(alpha.entries.back().fragment->losses.size() == 1);
    CHECK(alpha.entries.back().fragment->losses[0].killer == Killer::AlphaTest);
    CHECK(has(text_of(alpha), "alpha test: alpha 0.25 greater reference 0.5 is false\n"));
    const History late = why(head + square("0", "1 0 0 0.75"), 1, 1);
    REQUIRE(late.entries.back().fragment->losses.size() == 1);
    CHECK(late.entries.back().fragment->losses[0].killer == Killer::Depth);
    CHECK_FALSE(late.entries.back().fragment->losses[0].early);
    CHECK(has(text_of(late), "     test     depth test: 0.5 less stored 0.25 is false\n"));
    const History discard =
        why("size 8x8\ncolor R8G8B8A8_UNORM\nclear color 0 0 0 1\nfragment_shader {\nFRAG\n"
            "DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n  0: KILL_IF IN[0].xxxx\n"
            "  1: MOV OUT[0], IN[0]\n  2: END\n}\n" +
                square("0", "-1 0 0 1"),
            1, 1);
    REQUIRE(discard.entries.back().fragment->losses.size() == 1);
    CHECK(discard.entries.back().fragment->losses[0].killer == Killer::Discard);
    CHECK(has(text_of(discard), "killed by discard\n"));
}

TEST_CASE("a blended fragment has the shader's colour, the equation and its inputs") {
    const History history =
        why("size 8x8\ncolor R8G8B8A8_UNORM\nclear color 0 0 1 1\nset blend.enable on\n"
            "set blend.rgb add src_alpha inv_src_alpha\nset blend.alpha add one zero\n" +
                square("0", "1 0 0 0.25"),
            6, 6);
    const Fragment& fragment = *history.entries.back().fragment;
    REQUIRE(fragment.colors.size() == 1);
    CHECK(std::bit_cast<float>(fragment.colors[0].color[3]) == 0.25F);
    const std::string text = text_of(history);
    CHECK(has(text, "shader   1, 0, 0, 0.25\n"));
    CHECK(has(text, "blend    rgb = src * src_alpha + dst * inv_src_alpha, "
                    "alpha = src * one + dst * zero\n"));
    CHECK(has(text, "input    GENERIC[0].xyzw = 1, 0, 0, 0.25\n"));
    CHECK(has(text, "value: 0.25098, 0, 0.74902, 0.25098 (40 00 BF 40)\n"));
}

TEST_CASE("draws that leave the pixel out are counted by the reason") {
    const History history =
        why("size 8x8\ncolor R8G8B8A8_UNORM\nclear color 0 0 1 1\nset raster.scissor 0 0 2 2\n" +
                square("0", "1 0 0 1") + "set raster.scissor off\nset viewport 0 0 4 4\n" +
                square("0", "1 0 0 1"),
            6, 6);
    CHECK(history.entries.size() == 2);
    CHECK(history.draws_scissored == 1);
    CHECK(history.draws_outside == 1);
}

TEST_CASE("a blit names the texel that it takes") {
    const History history =
        why("size 8x8\ncolor R8G8B8A8_UNORM\ntexture small 2d R8G8B8A8_UNORM 4x4x1 target\n"
            "fill small * checker 1 1 0 0 1 0 1 0 1\nclear color 0 0 1 1\n"
            "blit small 0,0,4,4 color0 0,0,8,8\n",
            3, 4);
    const Entry& entry = history.entries.back();
    REQUIRE(entry.kind == EntryKind::Blit);
    REQUIRE(entry.source.has_value());
    CHECK(entry.source->texture == "texture small");
    CHECK(entry.source->spot.x == 1);
    CHECK(entry.source->spot.y == 2);
    CHECK(entry.source->value.bytes == entry.after.bytes);
}

TEST_CASE("a texel that is read has the level that the sampler takes") {
    struct Expected {
        const char* scene;
        uint32_t level, second;
        int32_t weight;  ///< of 256
        uint32_t followed;
    };
    // By the samplers of the scenes: min_lod 2; min_lod 1.4; a fetch from level 1; a view of levels
    // from 1 on, whose first one is magnified.
    constexpr Expected kExpected[] = {{"lod_min_2", 2, 3, 0, 2},
                                      {"lod_min_fraction", 1, 2, 102, 1},
                                      {"txf_level", 1, 1, 0, 1},
                                      {"view_levels", 1, 2, 0, 1}};
    for (const Expected& expected : kExpected) {
        INFO(expected.scene);
        const std::string scene = kSuite + "/texture/" + expected.scene + ".scene";
        HistoryRequest request = request_of(scene, 8, 8);
        const auto history = pixel_history(request, scene_player({.scene = scene}));
        REQUIRE(history.has_value());
        const auto& fragment = history->entries.back().fragment;
        REQUIRE(fragment);
        REQUIRE(fragment->reads.size() == 1);
        const TexelRead& read = fragment->reads[0];
        REQUIRE(read.levels.has_value());
        CHECK(read.levels->level == expected.level);
        CHECK(read.levels->weight == expected.weight);
        if (expected.weight != 0)
            CHECK(read.levels->second == expected.second);
        REQUIRE(read.source.has_value());
        CHECK(read.source->spot.level == expected.followed);
        // The levels 1 of these textures are red all over.
        if (expected.followed == 1)
            CHECK(read.source->value.bytes == std::vector<uint8_t>{255, 0, 0, 255});
    }
}

TEST_CASE("a shader that writes to memory runs again, and leaves nothing there") {
    // The second draw shows what the first one has left in a buffer.
    for (const char* name :
         {"atomic_buffer_uadd", "atomic_buffer_xchg", "atomic_buffer_umax", "atomic_buffer_cas"}) {
        INFO(name);
        const std::string scene = kSuite + "/memory/" + name + ".scene";
        const auto file = conform::load_case(
            kSuite, {std::string("memory/") + name, scene, kSuite + "/memory/" + name + ".png"});
        REQUIRE(file.has_value());
        const auto image = picture_of(*file);
        REQUIRE(image.has_value());
        const auto history = pixel_history(request_of(scene, 3, 3), scene_player({.scene = scene}));
        REQUIRE(history.has_value());
        check_chain(*history);
        CHECK(shown(history->value(), 0) == pixel_at(*image, 3, 3));
        const auto stores = std::ranges::count_if(history->entries, [](const Entry& entry) {
            return entry.fragment && entry.fragment->side_effects &&
                   !entry.fragment->colors.empty() && entry.fragment->written != 0;
        });
        CHECK(stores >= 1);
    }
}

TEST_CASE("a texture of a scene is found by its name, with its level and layer") {
    const SceneFile file("size 8x8\ncolor R8G8B8A8_UNORM\n"
                         "texture small 2d R8G8B8A8_UNORM 4x4x1 target\n"
                         "fill small * checker 1 1 0 0 1 0 1 0 1\nclear color 0 0 1 1\n");
    const auto find = [&](const std::string& resource, uint32_t x) {
        HistoryRequest request = request_of("x.scene", x, 2);
        request.resource = resource;
        return pixel_history(request, scene_player({.scene = file.path()}));
    };
    for (const char* name : {"small", "texture small", "small:0", "texture small:0:0"}) {
        INFO(name);
        const auto history = find(name, 1);
        REQUIRE(history.has_value());
        check_chain(*history);
        CHECK(history->texture == "texture small");
        CHECK(history->entries.back().kind == EntryKind::Upload);
        CHECK(history->writer() == history->entries.size() - 1);
        CHECK(has(text_of(*history), "value: 0, 1, 0, 1 (00 FF 00 FF)\n"));
    }
    const std::pair<std::string, std::string> errors[] = {
        {"large", "texture small (R8G8B8A8_UNORM, 4x4)"},
        {"", "outside of the picture"},
        {"small:1", "has no level 1; its levels: 1"},
        {"small:0:1", "has no layer 1"},
        {"small:0:0:0", "no texture 'small:0:0:0'"},
        {"small:-1", "no texture 'small:-1'"},
        {"small:", "no texture 'small:'"},
        {":::", "no texture ':::'"},
        {"small:0:99999999999999999999", "no texture"},
        {"small:0:0", "is outside of level 0"}};
    for (const auto& [resource, words] : errors) {
        const auto history = find(resource, 9);
        REQUIRE_FALSE(history.has_value());
        CHECK(history.error().code == Errc::OutOfRange);
        CHECK(has(history.error().text, words));
    }
}

TEST_CASE("a source is followed up to the command that takes from it") {
    const SceneFile file("size 8x8\ncolor R8G8B8A8_UNORM\n"
                         "texture first 2d R8G8B8A8_UNORM 4x4x1 target\n"
                         "texture second 2d R8G8B8A8_UNORM 4x4x1 target\n"
                         "fill first * checker 1 1 0 0 1 0 1 0 1\n"
                         "blit first 0,0,4,4 second 0,0,4,4\n"
                         "fill first * checker 1 1 0 0 0 0 0 0 0\n"
                         "blit second 0,0,4,4 color0 0,0,8,8\n"
                         "fill second * checker 1 1 0 0 0 0 0 0 0\n");
    HistoryRequest request = request_of("x.scene", 3, 4);
    for (uint32_t levels = 0; levels < 4; ++levels) {
        request.follow = levels;
        const auto history = pixel_history(request, scene_player({.scene = file.path()}));
        REQUIRE_MESSAGE(history.has_value(), history.error().text);
        const Source* source = &*history->entries.back().source;
        for (uint32_t level = 0; level < std::min(levels, 2U); ++level) {
            REQUIRE(source->history != nullptr);
            check_chain(*source->history);
            CHECK(source->history->value() == source->value);
            CHECK(source->history->texture == source->texture);
            CHECK(source->history->writer() != 0);
            if (level == 0)
                source = &*source->history->entries.back().source;
        }
        if (levels < 2)
            CHECK(source->history == nullptr);
        const std::string text = text_of(*history);
        CHECK((text.find("         before ") != std::string::npos) == (levels > 0));
        if (levels > 1)
            CHECK(has(text, "this texel was written by an upload of this scene\n"));
    }
}

TEST_CASE("sources of conformance scenes and demos have the values that were taken") {
    const auto check = [](const std::string& scene, uint32_t x, uint32_t y) {
        INFO(scene);
        HistoryRequest request = request_of(scene, x, y);
        request.follow = 1;
        const auto history = pixel_history(
            request, scene_player({.scene = scene, .seconds = 0.5, .width = 96, .height = 96}));
        if (!history.has_value())
            return 0U;
        unsigned followed = 0;
        const auto check_source = [&](const Source& source) {
            if (!source.history)
                return;
            ++followed;
            CHECK(source.history->value() == source.value);
            CHECK(source.history->texture == source.texture);
        };
        for (const Entry& entry : history->entries) {
            if (entry.source)
                check_source(*entry.source);
            if (entry.fragment && !entry.fragment->reads_target)
                for (const TexelRead& read : entry.fragment->reads)
                    if (read.source)
                        check_source(*read.source);
        }
        return followed;
    };
    const auto cases = conform::find_cases(kSuite, {});
    REQUIRE(cases.has_value());
    unsigned followed = 0;
    for (size_t i = 3; i < cases->size(); i += 4)
        followed += check((*cases)[i].scene_path, 5, 6);
    CHECK(followed > 60);
    CHECK(check("demo:shadow", 40, 40) == 1);
}

TEST_CASE("the writer is the last that put a value into the texel itself") {
    const std::string head = "size 8x8\ncolor R8G8B8A8_UNORM\ndepth D32_FLOAT\n"
                             "clear color 0 0 0 1\nset depth.test on\nset depth.func less\n";
    const std::string hidden = "clear depth 0\n" + square("0", "0 1 0 1");
    const History beside = why(head + hidden, 1, 1);
    REQUIRE(beside.entries.size() == 4);
    CHECK(beside.writer() == 1);
    CHECK(writer_text(beside) == "this texel was written by a clear of this scene");
    const History same = why(head + "clear depth 1\n" + square("0", "0 0 0 1") + hidden, 1, 1);
    REQUIRE(same.entries.size() == 6);
    CHECK(same.entries[3].before == same.entries[3].after);
    CHECK(same.writer() == 3);
    CHECK(writer_text(same) == "this texel was written by draw 0 of this scene");
    const History masked =
        why(head + "clear depth 1\nset blend.mask none\n" + square("0", "0 1 0 1"), 1, 1);
    CHECK(masked.writer() == 1);
    const History none =
        why("size 8x8\ncolor R8G8B8A8_UNORM\ndepth D32_FLOAT\nclear depth 1\n", 1, 1);
    CHECK(none.writer() == 0);
    CHECK(writer_text(none) == "nothing wrote this texel before that in this scene");
}

TEST_CASE("the most sources are followed from the end, and the rest are counted") {
    std::string commands = "size 8x8\ncolor R8G8B8A8_UNORM\n"
                           "texture small 2d R8G8B8A8_UNORM 4x4x1 target\n";
    for (uint32_t i = 0; i < kMostFollowed + 3; ++i)
        commands += "blit small 0,0,4,4 color0 0,0,8,8\n";
    const SceneFile file(commands);
    HistoryRequest request = request_of("x.scene", 3, 4);
    request.follow = 1;
    const auto history = pixel_history(request, scene_player({.scene = file.path()}));
    REQUIRE_MESSAGE(history.has_value(), history.error().text);
    CHECK(history->not_followed == 3);
    CHECK(history->entries[3].source->history == nullptr);
    CHECK(history->entries[4].source->history != nullptr);
    CHECK(has(text_of(*history), "     3 more texels that values come from are not followed"));
}

TEST_CASE("samples have values and fates of their own") {
    const std::string commands = "size 8x8 samples 4\ncolor R8G8B8A8_UNORM\nclear color 0 0 1 1\n"
                                 "set raster.multisample on\nset sample_mask 5\n" +
                                 square("0", "1 0 0 1");
    const History history = why(commands, 3, 3);
    const Entry& entry = history.entries.back();
    REQUIRE(entry.fragment.has_value());
    CHECK(entry.fragment->coverage == 5);
    CHECK(entry.after.color(0) == entry.after.color(2));
    CHECK(entry.after.color(1) == entry.before.color(1));
    CHECK(has(text_of(history), "value: [1, 0, 0, 1 (FF 00 00 FF) | 0, 0, 1, 1 (00 00 FF FF) | "));
}

TEST_CASE("pixels outside of the picture are errors") {
    const auto outside = pixel_history(
        request_of("demo:triangle", 64, 3),
        scene_player({.scene = "demo:triangle", .seconds = 0, .width = 64, .height = 48}));
    REQUIRE_FALSE(outside.has_value());
    CHECK(outside.error().code == Errc::OutOfRange);
    CHECK(outside.error().text == "pixel 64,3 is outside of the picture, 64x48 pixels");
}
