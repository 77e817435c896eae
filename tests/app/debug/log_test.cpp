// Log test: log points print each value once, where the text has it, and change nothing.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_device.hpp"
#include "gpu/create_device.hpp"
#include "tests/app/debug/stage_picture.hpp"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::raster;

namespace {

/// The output of log points.
struct Logged {
    std::vector<std::string> lines;
    std::vector<std::string> notes;
    std::string end;
};

/// Draws a picture with log points; it must be the one that is drawn without.
Logged
logged(const Picture& picture, const std::vector<std::string>& specs, uint64_t limit = 1000) {
    std::vector<LogSpec> parsed;
    for (const std::string& text : specs)
        parsed.push_back(must(LogSpec::parse(text)));
    Logged made;
    LogPoints points(std::move(parsed), limit, [&made](const std::string& text) {
        made.lines.push_back(text.substr(0, text.find('\n')));
    });
    const auto with = draw(*must(LogDevice::create(points, {})), picture);
    const auto without = draw(*must(gpu::create_device({})), picture);
    CHECK(without[0] != kClear);
    CHECK(std::memcmp(with.data(), without.data(), with.size() * sizeof(float)) == 0);
    made.notes = points.notes();
    made.end = points.end_text();
    return made;
}

/// The number of a text's first line that begins like this, behind blanks.
std::string line_of(const std::string& text, std::string_view begin) {
    size_t number = 1;
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1, ++number)
        if (text.compare(at, begin.size(), begin) == 0)
            return std::to_string(number);
    FAIL(begin);
    return {};
}

/// The lines of one log point at a line of a fragment shader.
std::vector<std::string> at_line(const Picture& picture,
                                 std::string_view instruction,
                                 const std::string& text,
                                 const std::string& filters = "pixel=5,3") {
    const std::string line = line_of(fragment_text(picture), instruction);
    return logged(picture, {"stage=fragment " + filters + " line=" + line + ": \"" + text + "\""})
        .lines;
}

using Lines = std::vector<std::string>;
const std::string kAt53 = "draw 0, fragment shader \"fs\", pixel 5,3: ";

Picture fragment(const std::string& body) {
    Picture picture;
    picture.fragment = body;
    return picture;
}

struct Bad {
    const char* text;
    uint32_t column;
    const char* part;
};

}  // namespace

TEST_CASE("a specification is read with all its parts") {
    const LogSpec spec = must(LogSpec::parse(
        "draw=12,14-20 frame=2 stage=fragment shader=\"shader 3\" pixel=150,97-160,99 vertex=1 "
        "primitive=2-3 patch=4 invocation=5 line=7 if TEMP[0].x > 1: \"x is {TEMP[3].xy/x} at "
        "{pixel}, {{{lane}}}\""));
    CHECK(spec.draws.has(12));
    CHECK_FALSE(spec.draws.has(13));
    CHECK(spec.draws.has(20));
    CHECK(spec.allows_work(true, 14, 2));
    CHECK_FALSE(spec.allows_work(true, 14, 1));
    CHECK_FALSE(spec.allows_work(false, 14, 2));
    CHECK(spec.allows_shader(LaneStage::Fragment, "shader 3"));
    CHECK_FALSE(spec.allows_shader(LaneStage::Vertex, "shader 3"));
    CHECK_FALSE(spec.allows_shader(LaneStage::Fragment, "shader 4"));
    CHECK(spec.pixels->last == std::pair(160, 99));
    CHECK(spec.primitives.has(3));
    CHECK(spec.on_line);
    CHECK(spec.place == 7);
    REQUIRE(spec.condition);
    CHECK(spec.condition->watch.text == "TEMP[0].x");
    REQUIRE(spec.pieces.size() == 7);
    CHECK(spec.pieces[0].text == "x is ");
    CHECK(spec.pieces[1].watch.components == std::vector<uint8_t>{0, 1});
    CHECK(spec.pieces[1].format == NumberFormat::Hex);
    CHECK(spec.pieces[3].kind == LogPiece::Kind::Pixel);
    CHECK(spec.pieces[4].text == ", {");
    CHECK(spec.pieces[6].text == "}");
    CHECK(must(LogSpec::parse("word=0:r {r3}")).pieces.size() == 2);
    CHECK(must(LogSpec::parse("dispatch=1 line=3: \"\"")).allows_work(false, 1, 0));
}

TEST_CASE("a bad specification is refused with the column of its fault") {
    const Bad all[] = {
        {"", 1, "line=N or word=N"},
        {"draw=1: \"x\"", 7, "line=N or word=N"},
        {"line=7", 7, "TEXT"},
        {"line=0: x", 6, "'0' is no number of a line"},
        {"line=x: x", 6, "'x' is no number of a line"},
        {"line=7 line=8: x", 8, "one line or word"},
        {"draw=1-: line=2", 6, "'1-' is no list"},
        {"draw=3-2 line=2: x", 6, "'3-2' is no list"},
        {"draw=99999999999999999999 line=2: x", 6, "is no list"},
        {"frames=3 line=2: x", 1, "not 'frames'"},
        {"line=2 pixel=3: x", 14, "X,Y"},
        {"line=2 pixel=3,4-1,9: x", 14, "X,Y"},
        {"line=2 pixel=99999,4: x", 14, "X,Y"},
        {"line=2 stage=pixel: x", 14, "no stage"},
        {"line=2 shader=\"a: x", 15, "quotes do not end"},
        {"line=2 stage=: x", 14, "expected a value"},
        {"line=2 if TEMP[0] > 1: x", 11, "one component"},
        {"line=2 if TEMP[0].x: x", 11, "a condition like"},
        {"line=2 if FOO > 1: x", 11, "is no name"},
        {"line=2: \"x", 9, "quotes do not end"},
        {"line=2: \"{TEMP[0].x\"", 10, "brace does not end"},
        {"line=2: \"{TEMP[0].q}\"", 11, "components are x"},
        {"line=2: \"a {foo}\"", 13, "is no name"},
        {"line=2: \"{r70}\"", 11, "there is no r70"},
        {"line=2: \"{TEMP[0].x/q}\"", 11, "expected f, d, x"},
        {"line=2: \"{TEMP[0].x/a}\"", 11, "expected f, d or x"},
    };
    for (const Bad& bad : all) {
        CAPTURE(bad.text);
        const auto parsed = LogSpec::parse(bad.text);
        REQUIRE_FALSE(parsed.has_value());
        CHECK(parsed.error().pos.column == bad.column);
        CHECK_MESSAGE(parsed.error().text.find(bad.part) != std::string::npos, parsed.error().text);
    }
}

TEST_CASE("a value is the one before the line, and named by the text, a register or a constant") {
    const Picture picture = fragment("ADD TEMP[0], IN[0], CONST[0]\nMUL TEMP[0], TEMP[0], TEMP[0]\n"
                                     "MOV OUT[0], TEMP[0]\n");
    CHECK(at_line(picture, "MUL", "{TEMP[0].xyw} of {CONST[0].w} and {IMM[0].z}") ==
          Lines{kAt53 + "0, 2, 4 of 2 and -1"});
    CHECK(at_line(picture, "MUL", "{TEMP[0].w/x} {IMM[1].w/d}") == Lines{kAt53 + "40800000 2"});
    CHECK(at_line(picture, "MUL", "{pixel} {primitive} {draw} {line} {vertex} {patch}") ==
          Lines{kAt53 + "5,3 0 0 11 - -"});
    CHECK(at_line(picture, "ADD", "{OUT[0].x} {TEMP[5].x} {IN[0].x}") == Lines{kAt53 + "0 0 -"});
}

TEST_CASE("every pixel is printed once, row by row, and a filter or a condition chooses some") {
    const Picture picture = fragment("DCL SV[0], POSITION\nF2I TEMP[1], SV[0]\n"
                                     "ADD TEMP[0], IN[0], SV[0].xyxy\nMOV OUT[0], TEMP[0]\n");
    const Lines all = at_line(picture, "ADD", "{pixel}", "");
    REQUIRE(all.size() == size_t{kSide} * kSide);
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string pixel = std::to_string(i % kSide) + "," + std::to_string(i / kSide);
        CHECK(all[i] == "draw 0, fragment shader \"fs\", pixel " + pixel + ": " + pixel);
    }
    CHECK(at_line(picture, "ADD", "{pixel}", "pixel=2,2-3,4").size() == 6);
    CHECK(at_line(picture, "ADD", "x", "primitive=1").empty());
    CHECK(at_line(picture, "ADD", "x", "vertex=0").empty());
    CHECK(at_line(picture, "ADD", "x", "draw=1").empty());
    CHECK(at_line(picture, "ADD", "x", "shader=vs").empty());
    const std::string line = line_of(fragment_text(picture), "ADD");
    const Lines some =
        logged(picture, {"shader=fs line=" + line + " if SV[0].x < 2: \"{SV[0].xy}\""}).lines;
    REQUIRE(some.size() == 16);
    CHECK(some[3] == "draw 0, fragment shader \"fs\", pixel 1,1: 1.5, 1.5");
}

TEST_CASE(
    "a line in a loop or a subroutine is printed each time, and only by lanes that are there") {
    const Picture loop =
        fragment("MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nSGE TEMP[1].x, TEMP[0].xxxx, IN[0].wwww\n"
                 "UIF TEMP[1].xxxx\nBRK\nENDIF\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\n"
                 "MOV OUT[0], TEMP[0].xxxx\n");
    CHECK(at_line(loop, "ADD", "{TEMP[0].x}") == Lines{kAt53 + "0", kAt53 + "1"});
    const Picture some =
        fragment("DCL SV[0], POSITION\nMOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\n"
                 "FSGE TEMP[1].x, TEMP[0].xxxx, SV[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
                 "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0].xxxx\n");
    CHECK(at_line(some, "ADD", "x", "").size() == 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
    CHECK(at_line(some, "ADD", "{TEMP[0].x}", "pixel=2,0") ==
          Lines{"draw 0, fragment shader \"fs\", pixel 2,0: 0",
                "draw 0, fragment shader \"fs\", pixel 2,0: 1",
                "draw 0, fragment shader \"fs\", pixel 2,0: 2"});
    const Picture call = fragment("MOV TEMP[0], IN[0]\nCAL :5\nCAL :5\nMOV OUT[0], TEMP[0]\nRET\n"
                                  "BGNSUB\nADD TEMP[0], TEMP[0], IN[0]\nENDSUB\n");
    CHECK(at_line(call, "ADD", "{TEMP[0].w}") == Lines{kAt53 + "2", kAt53 + "4"});
}

TEST_CASE("an array has the element before the line stores to it") {
    const Picture picture =
        fragment("DCL TEMP[8..11], ARRAY(1), LOCAL\nDCL ADDR[0]\nF2I TEMP[0].x, IN[0].yyyy\n"
                 "UARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[ADDR[0].x+8](1), IN[0]\n"
                 "MUL TEMP[ADDR[0].x+8](1), IN[0], IN[0].wwww\n"
                 "MOV OUT[0], TEMP[ADDR[0].x+8](1)\n");
    CHECK(at_line(picture, "MUL", "{TEMP[9].yw}") == Lines{kAt53 + "1, 2"});
    CHECK(at_line(picture, "MOV OUT", "{TEMP[9].yw}") == Lines{kAt53 + "2, 4"});
}

TEST_CASE("vertex, tessellation and geometry shaders have log points, too") {
    Picture picture;
    picture.vertex =
        "MUL TEMP[0], IN[1], CONST[0].wwww\nMOV OUT[0], IN[0]\nADD OUT[1], TEMP[0], IN[0]\n";
    const Logged vertices =
        logged(picture, {"stage=vertex line=" + line_of(vertex_text(picture), "ADD") +
                         ": \"{TEMP[0].y} {IN[0].x}\""});
    REQUIRE(vertices.lines.size() == 3);
    CHECK(vertices.lines[1] == "draw 0, vertex shader \"vs\", vertex 1, instance 0: 2 3");
    Picture made;
    made.geometry = "ADD TEMP[0], IN[1][0], IN[2][1]\nMOV TEMP[1], TEMP[0]\n";
    const Logged geometry =
        logged(made, {"stage=geometry line=" + line_of(geometry_text(made), "MOV OUT[1], IN[1]") +
                      ": \"{IN[1][0].x} {IN[2][1].w}\""});
    CHECK(geometry.lines ==
          Lines{"draw 0, geometry shader \"gs\", primitive 0, invocation 0: 3 2"});
    Picture patch;
    patch.control = "ADD TEMP[0], IN[1][0], IN[2][1]\nMOV OUT[3], IMM[0].yyyy\n";
    patch.evaluation = "ADD OUT[1], IN[2][1], IN[0][1]\n";
    const std::string control = line_of(control_text(patch), "MOV OUT[2]");
    const std::string evaluation = line_of(evaluation_text(patch), "MAD OUT[0]");
    const Logged both = logged(
        patch, {"stage=control line=" + control + ": \"{IN[1][0].x} {SV[0].x/d} {OUT[0][1].w}\"",
                "stage=evaluation patch=0 line=" + evaluation + ": \"{IN[1][0].x} {SV[0].x}\""});
    REQUIRE(both.lines.size() == 6);
    CHECK(both.lines[2] ==
          "draw 0, tessellation control shader \"tc\", patch 0, invocation 2: 3 2 2");
    CHECK(both.lines[3].starts_with("draw 0, tessellation evaluation shader \"te\", patch 0, "
                                    "point "));
}

TEST_CASE("lines behind the limit are counted, the first ones of the order are printed") {
    const Picture picture = fragment("ADD TEMP[0], IN[0], IN[0]\nMOV OUT[0], TEMP[0]\n");
    const std::string line = line_of(fragment_text(picture), "ADD");
    const Logged made = logged(picture, {"line=" + line + " stage=fragment: \"x\""}, 10);
    CHECK(made.lines.size() == 10);
    CHECK(made.lines[9] == "draw 0, fragment shader \"fs\", pixel 1,1: x");
    CHECK(made.end == "--log-limit 10: 54 lines were left out\n");
    CHECK(logged(picture, {"line=" + line + " stage=fragment: \"x\""}, 64).end.empty());
}

TEST_CASE("a log point that prints nothing says why") {
    const Picture picture = fragment("ADD TEMP[0], IN[0], IN[0]\nMOV OUT[0], TEMP[0]\n");
    const std::string line = line_of(fragment_text(picture), "ADD");
    const auto why = [&](const std::string& spec) {
        const Logged made = logged(picture, {spec});
        CHECK(made.lines.empty());
        REQUIRE(made.notes.size() == 1);
        CHECK(made.notes[0].starts_with("--log '" + spec + "' printed nothing: "));
        return made.notes[0].substr(made.notes[0].find("nothing: ") + 9);
    };
    CHECK(why("draw=7 line=" + line + ": \"x\"") == "no shader that fits was run");
    CHECK(why("stage=fragment line=2: \"x\"") ==
          "no instruction was made from line 2 alone (shader \"fs\")");
    CHECK(why("stage=fragment word=99: \"x\"").starts_with("the program ends with word "));
    CHECK(why("stage=fragment line=" + line + ": \"{TEMP[99].x}\"") ==
          "the shader declares no TEMP[99].x (shader \"fs\")");
    CHECK(why("stage=fragment pixel=99,1 line=" + line + ": \"x\"") ==
          "no lane that fits came there");
    CHECK(why("stage=fragment line=" + line + " if CONST[0].w > 5: \"x\"") ==
          "the condition holds in no lane that fits");
    CHECK(why("stage=fragment line=" + line + " if IN[0].x < 5: \"x\"") ==
          "the condition never holds: IN[0].x is not live there");
}

TEST_CASE("a compute shader is logged, and what it does to buffers happens once") {
    const char* const text = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 20\n"
                             "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                             "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
                             "IMM[0] UINT32 {0, 1, 3, 0}\n"
                             "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n"
                             "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
                             "ATOMUMAX TEMP[1].x, BUFFER[0], IMM[0].xxxx, TEMP[0].xxxx\nEND\n";
    const std::string line = line_of(text, "ATOMUADD");
    std::vector<std::string> lines;
    LogPoints points(
        {must(LogSpec::parse("dispatch=1 invocation=17-18 line=" + line + ": \"{TEMP[0].x/d}\""))},
        100, [&lines](const std::string& printed) { lines.push_back(printed); });
    const auto device = must(LogDevice::create(points, {}));
    const uint32_t start = 1000;
    DispatchState state;
    state.pipeline =
        must(device->create_compute_pipeline({must(device->create_shader(text, "cs")), 0}));
    const BufferRef buffer = must(device->create_buffer(4, std::as_bytes(std::span(&start, 1))));
    state.resources.storage = {{buffer}};
    must(device->dispatch(state, {2, 1, 1}));
    must(device->dispatch(state, {2, 1, 1}));
    uint32_t sum = 0;
    must(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(&sum, 1))));
    CHECK(sum == start + 4 * 20);
    const std::string head = "dispatch 1, compute shader \"cs\", group (";
    CHECK(lines == Lines{head + "0,0,0), invocation (17,0,0): 51\n",
                         head + "0,0,0), invocation (18,0,0): 54\n",
                         head + "1,0,0), invocation (17,0,0): 51\n",
                         head + "1,0,0), invocation (18,0,0): 54\n"});
    CHECK(points.notes().empty());
}
