// Scene test: warps captured from scenes give the picture's bytes, on every engine.
// SPDX-License-Identifier: MIT
#include "app/debug/session/counting_device.hpp"
#include "app/debug/session/debugger.hpp"
#include "app/debug/session/scene_session.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <span>

using namespace valkyr;
using namespace valkyr::debug;

namespace {

DrawRequest pixel_of(std::string scene, int32_t x, int32_t y) {
    DrawRequest request;
    request.what = std::move(scene);
    request.target.pixel = {x, y};
    return request;
}

Result<std::shared_ptr<const Session>> open_scene(const DrawRequest& request) {
    return open_draw(request, scene_player({.scene = request.what}));
}

std::unique_ptr<Debugger> open(const DrawRequest& request) {
    const auto session = open_scene(request);
    REQUIRE_MESSAGE(session.has_value(), session.error().text);
    auto debugger = Debugger::create(*session, {.sample = request.sample});
    REQUIRE_MESSAGE(debugger.has_value(), debugger.error().text);
    return std::move(*debugger);
}

void check_engines(const Debugger& debugger) {
    const auto lines = check(*debugger.session().warp, debugger.recording(), host_engines());
    REQUIRE(lines.has_value());
    for (const CheckLine& line : *lines)
        CHECK_MESSAGE(!line.difference.has_value(), check_text(line));
}

}  // namespace

TEST_CASE("a pixel of a demo is shaded as the picture has it") {
    const auto debugger = open(pixel_of("demo:cube", 320, 240));
    const WarpCase& warp = *debugger->session().warp;
    CHECK(warp.x == 320);
    CHECK(warp.y == 240);
    CHECK(debugger->session().lane == 0);
    CHECK(debugger->session().info != nullptr);
    CHECK_FALSE(debugger->session().hits.empty());
    check_engines(*debugger);
    for (const HostEngine& engine : host_engines()) {
        const auto report = compare_lockstep(warp, engine);
        REQUIRE_MESSAGE(report.has_value(), report.error().text);
        CHECK_MESSAGE(!report->difference.has_value(),
                      lockstep_text(engine, *report, debugger->session().listing.words));
    }
}

TEST_CASE("textures that a pixel read are there with coordinates and results") {
    const auto debugger = open(pixel_of("demo:cube", 330, 250));
    const auto& messages = debugger->recording().messages();
    const auto found =
        std::ranges::find(messages, MessageKind::Texture, [](const Message& m) { return m.kind; });
    REQUIRE(found != messages.end());
    CHECK(found->in.size() >= 2);
    CHECK(found->out.size() >= 3);
}

TEST_CASE("a vertex of a demo is shaded in its warp") {
    DrawRequest request;
    request.what = "demo:cube";
    request.target.vertex = 5;
    const auto debugger = open(request);
    const Session& session = debugger->session();
    CHECK(session.warp->vertex_ids[session.lane] == 5);
    check_engines(*debugger);
}

TEST_CASE("an input primitive of a geometry shader is shaded in its warp") {
    DrawRequest request;
    request.what = "tests/pictures/conformance/geometry/invocations_7.scene";
    request.target.primitive = 1;
    const auto debugger = open(request);
    const Session& session = debugger->session();
    const WarpCase& warp = *session.warp;
    CHECK(session.hits.size() == 7);
    CHECK(warp.primitive_ids[session.lane] == 1);
    CHECK(warp.invocations[session.lane] == 6);
    CHECK(session.info != nullptr);
    const auto position = parse_watch("IN[2][0].x", *session.shader);
    REQUIRE(position.has_value());
    const WatchValue value = read_watch(debugger->view(), *position, 0);
    CHECK((value.known >> session.lane & 1) != 0);
    CHECK(std::abs(std::bit_cast<float>(value.lanes.v[session.lane])) <= 1);
    CHECK(value.lanes.v[session.lane] !=
          value.lanes.v[0]);  // the other primitives have other vertices
    CHECK_FALSE(parse_watch("IN[6][0].x", *session.shader).has_value());
    check_engines(*debugger);
    for (const HostEngine& engine : host_engines()) {
        const auto report = compare_lockstep(warp, engine);
        REQUIRE_MESSAGE(report.has_value(), report.error().text);
        CHECK(report->words > 20);
        CHECK_MESSAGE(!report->difference.has_value(),
                      lockstep_text(engine, *report, session.listing.words));
    }
}

TEST_CASE("vertices in front of and pixels behind a geometry shader know their places") {
    DrawRequest vertex;
    vertex.what = "tests/pictures/conformance/geometry/invocations_7.scene";
    vertex.target.vertex = 1;
    CHECK(open(vertex)->session().info != nullptr);
    const auto pixel = open(pixel_of(vertex.what, 20, 20));
    CHECK(pixel->session().info != nullptr);
    check_engines(*pixel);
}

TEST_CASE("a hit that writes depth alone is told from one that is discarded") {
    const auto first_hit = [](const char* scene, int32_t x, int32_t y) {
        DrawRequest request = pixel_of(scene, x, y);
        request.draw = 0;
        return open(request)->session().hits.front();
    };
    CHECK(first_hit("demo:shadow", 300, 300).find(": written, no colour (") != std::string::npos);
    const char* kill = "tests/pictures/conformance/fragment/kill.scene";
    CHECK(first_hit(kill, 4, 2).find(": discarded (") != std::string::npos);
}

TEST_CASE("a patch is shaded by its control program, then point by point") {
    DrawRequest request;
    request.what = "tests/pictures/conformance/tessellation/barrier_17.scene";
    request.target.patch = 1;
    request.hit = 0;
    const auto control = open(request);
    const Session& session = control->session();
    CHECK(session.hits.size() > 1);
    CHECK(session.info != nullptr);
    CHECK(session.warp->warps() == 2);
    CHECK(session.warp->patches->id(session.warp->patch_of(session.lane)) == 1);
    const auto value = [](Debugger& debugger, const char* name) {
        const auto watch = parse_watch(name, *debugger.session().shader);
        REQUIRE_MESSAGE(watch.has_value(), watch.error().text);
        const WatchValue read = read_watch(debugger.view(), *watch, watch->components[0]);
        const unsigned lane = debugger.session().lane;
        CHECK_MESSAGE((read.known >> lane & 1) != 0, name);
        return read.lanes.v[lane];
    };
    CHECK(value(*control, "SV[1].x") == 17);
    CHECK(value(*control, "SV[2].x") == 1);
    CHECK(value(*control, "OUT[16][1].y") == 0);
    CHECK(value(*control, "OUT[2].x") == 0);
    control->move_to(control->recording().steps().size());
    // Half red, half as its neighbour, vertex 0, which is blue.
    CHECK(value(*control, "OUT[16][1].x") == 0x3F000000);
    CHECK(value(*control, "OUT[2].x") == value(*control, "OUT[2].w"));
    CHECK(std::bit_cast<float>(value(*control, "OUT[2].x")) > 1);
    check_engines(*control);
    request.hit.reset();
    const auto points = open(request);
    CHECK(points->session().info != nullptr);
    CHECK(value(*points, "SV[1].x") == 1);
    CHECK(value(*points, "SV[2].x") == 17);
    CHECK(value(*points, "IN[16][1].x") == 0x3F000000);
    CHECK(std::bit_cast<float>(value(*points, "SV[0].y")) <= 1);
    check_engines(*points);
}

TEST_CASE("stages around tessellation know their places") {
    DrawRequest vertex;
    vertex.what = "tests/pictures/conformance/tessellation/geometry_ids.scene";
    vertex.target.vertex = 1;
    CHECK(open(vertex)->session().info != nullptr);
    DrawRequest primitive;
    primitive.what = vertex.what;
    primitive.target.primitive = 2;
    CHECK(open(primitive)->session().info != nullptr);
    DrawRequest patch;
    patch.what = vertex.what;
    patch.target.patch = 3;
    CHECK(open(patch)->session().info != nullptr);
    patch.target.patch = 4;
    const auto none = open_scene(patch);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().text == "no draw shades patch 4");
}

TEST_CASE("without a target, draws are listed without effects") {
    DrawRequest request;
    request.what = "tests/pictures/conformance/tessellation/vertices_5.scene";
    const auto lines = list_draws(request, scene_player({.scene = request.what}));
    REQUIRE(lines.has_value());
    REQUIRE(lines->size() == 1);
    CHECK(lines->front().starts_with("draw 0: patches of 11, 5 each, onto 32x32, "));
    CHECK(lines->front().find("has ") == std::string::npos);
}

TEST_CASE("conformance scenes are played, draw by draw") {
    const std::string scene = "tests/pictures/conformance/blend/equation_add.scene";
    const auto debugger = open(pixel_of(scene, 9, 9));
    check_engines(*debugger);
    DrawRequest first = pixel_of(scene, 9, 9);
    first.draw = 9999;
    const auto none = open_scene(first);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().text.find("no draw 9999") != std::string::npos);
}

TEST_CASE("pixels outside, pixels that nothing covers and scenes that are not there are errors") {
    const auto outside = open_scene(pixel_of("demo:cube", 5000, 3));
    REQUIRE_FALSE(outside.has_value());
    CHECK(outside.error().code == Errc::OutOfRange);
    CHECK(outside.error().text.find("640x480") != std::string::npos);
    const auto empty = open_scene(pixel_of("demo:triangle", 0, 0));
    REQUIRE_FALSE(empty.has_value());
    const auto unknown = open_scene(pixel_of("demo:nothing", 0, 0));
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().text.find("no demo 'nothing'") != std::string::npos);
    CHECK_FALSE(open_scene(pixel_of("no/such.scene", 0, 0)).has_value());
}

TEST_CASE("behind the last draw, dispatches do nothing either") {
    DrawLog log(Target{}, 0);
    const auto device = CountingDevice::create(log);
    REQUIRE(device.has_value());
    raster::Device& counting = **device;
    const auto shader = counting.create_shader("COMP\n"
                                               "PROPERTY CS_FIXED_BLOCK_WIDTH 1\n"
                                               "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
                                               "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                                               "DCL BUFFER[0]\n"
                                               "DCL TEMP[0]\n"
                                               "IMM[0] UINT32 {0, 1, 0, 0}\n"
                                               "  0: LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n"
                                               "  1: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                               "  2: STORE BUFFER[0].x, IMM[0].xxxx, TEMP[0].xxxx\n"
                                               "  3: END\n",
                                               "count");
    REQUIRE(shader.has_value());
    const auto pipeline = counting.create_compute_pipeline({*shader});
    REQUIRE(pipeline.has_value());
    const auto buffer = counting.create_buffer(4);
    REQUIRE(buffer.has_value());
    raster::DispatchState state;
    state.pipeline = *pipeline;
    state.resources.storage = {{*buffer, 0, 4}};
    const auto count = [&] {
        REQUIRE(counting.dispatch(state, {1, 1, 1}).has_value());
        uint32_t word = 0;
        REQUIRE(counting.read_buffer(*buffer, 0, std::as_writable_bytes(std::span(&word, 1)))
                    .has_value());
        return word;
    };
    CHECK(count() == 1);
    // A draw that the device refuses is counted, too.
    CHECK_FALSE(counting.draw({}, {}).has_value());
    REQUIRE(log.stopped());
    CHECK(count() == 1);
}
