// Trap test: each NaN and infinity is found where it is made, and nothing else is called one.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_device.hpp"
#include "gpu/create_device.hpp"
#include "tests/app/debug/stage_picture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::raster;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// The findings; the picture must be the one that the device draws without a trap.
std::vector<TrapFinding> trap(const Picture& picture, TrapKind kind, uint32_t count = 20) {
    TrapLog log({kind, count});
    const auto trapped = draw(*must(TrapDevice::create(log, {})), picture);
    DeviceOptions options;
    options.strict_nan = true;
    const auto plain = draw(*must(gpu::create_device(options)), picture);
    CHECK_MESSAGE(plain[0] != kClear, (picture.control + picture.evaluation + picture.geometry));
    CHECK(std::memcmp(trapped.data(), plain.data(), plain.size() * sizeof(float)) == 0);
    CHECK_FALSE(log.exhausted());
    return log.findings();
}

Picture fragment(const std::string& body) {
    Picture picture;
    picture.fragment = body;
    return picture;
}

/// The findings of a fragment shader as text, one a line.
std::string found(const Picture& picture, TrapKind kind = TrapKind::All) {
    std::string text;
    for (const TrapFinding& finding : trap(picture, kind))
        text += finding.where + "\n";
    return text;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// One finding: an instruction of the fragment shader that makes something of operands.
void check_makes(const std::string& body, std::string_view instruction, std::string_view what) {
    CAPTURE(body);
    const std::string text = found(fragment(body));
    CHECK_MESSAGE((has(text, std::string(": ") + std::string(instruction) + ": word") &&
                   has(text, ": makes " + std::string(what) + "\n")),
                  text);
    CHECK_MESSAGE(std::count(text.begin(), text.end(), '\n') == 1, text);
}

}  // namespace

TEST_CASE("operations that make an infinity or a NaN of numbers are found, with their operands") {
    check_makes("RCP TEMP[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n",
                "RCP TEMP[0].x, IN[0].xxxx", "infinity of 0");
    check_makes("DIV TEMP[0].x, IN[0].xxxx, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n",
                "DIV TEMP[0].x, IN[0].xxxx, IN[0].xxxx", "NaN of 0");
    check_makes("DIV TEMP[0].x, IN[0].yyyy, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n",
                "DIV TEMP[0].x, IN[0].yyyy, IN[0].xxxx", "infinity of 0, 1");
    check_makes("LG2 TEMP[0].x, IN[0].zzzz\nMOV OUT[0], TEMP[0].xxxx\n",
                "LG2 TEMP[0].x, IN[0].zzzz", "NaN of -1");
    check_makes("LG2 TEMP[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n",
                "LG2 TEMP[0].x, IN[0].xxxx", "infinity of 0");
    check_makes("RSQ TEMP[0].x, IN[0].zzzz\nMOV OUT[0], TEMP[0].xxxx\n",
                "RSQ TEMP[0].x, IN[0].zzzz", "NaN of -1");
    check_makes("SQRT TEMP[0].x, IN[0].zzzz\nMOV OUT[0], TEMP[0].xxxx\n",
                "SQRT TEMP[0].x, IN[0].zzzz", "NaN of -1");
    check_makes(
        "MUL TEMP[0].x, IN[0].yyyy, CONST[1].yyyy\nMUL TEMP[0].x, TEMP[0].xxxx, IN[0].wwww\n"
        "EX2 TEMP[1].x, TEMP[0].xxxx\nMOV OUT[0], TEMP[1].xxxx\n",
        "EX2 TEMP[1].x, TEMP[0].xxxx", "infinity of 200");
    check_makes("POW TEMP[0].x, IN[0].zzzz, CONST[1].zzzz\nMOV OUT[0], TEMP[0].xxxx\n",
                "POW TEMP[0].x, IN[0].zzzz, CONST[1].zzzz", "NaN of 0.5, -1");
    check_makes("MUL TEMP[0].x, IN[0].wwww, CONST[1].xxxx\nMOV OUT[0], TEMP[0].xxxx\n",
                "MUL TEMP[0].x, IN[0].wwww, CONST[1].xxxx", "infinity of 2, 3e+38");
}

TEST_CASE("what comes out of a line counts, not what its words make on the way") {
    CHECK(found(fragment("SQRT TEMP[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n")) == "");
    CHECK(found(fragment("SQRT TEMP[0].x, CONST[0].xxxx\nADD OUT[0], TEMP[0].xxxx, IN[0]\n")) ==
          "");
    CHECK(found(fragment("F2I TEMP[0], IN[0]\nUDIV TEMP[1], TEMP[0], TEMP[0].xxxx\n"
                         "IDIV TEMP[2], TEMP[0], TEMP[0].xxxx\nUADD TEMP[1], TEMP[1], TEMP[2]\n"
                         "I2F OUT[0], TEMP[1]\n")) == "");
    CHECK(found(fragment("MOV TEMP[0], IMM[1].zzzz\nUADD TEMP[0], TEMP[0], IMM[1].yyyy\n"
                         "I2F OUT[0], TEMP[0]\n")) == "");
    // 1 / 0 is infinite, and 0 times infinity is no result of it.
    CHECK(found(fragment("DIV TEMP[0].x, IN[0].yyyy, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n"),
                TrapKind::Nan) == "");
}

TEST_CASE("what is passed on counts once") {
    const std::string text =
        found(fragment("RCP TEMP[0].x, IN[0].xxxx\nMUL TEMP[0].x, TEMP[0].xxxx, IN[0].wwww\n"
                       "ADD TEMP[0].x, TEMP[0].xxxx, IN[0].yyyy\nMOV OUT[0], TEMP[0].xxxx\n"));
    CHECK(has(text, "RCP"));
    CHECK_MESSAGE(std::count(text.begin(), text.end(), '\n') == 1, text);
    // A difference of infinities is a NaN.
    const Picture difference =
        fragment("RCP TEMP[0].x, IN[0].xxxx\nADD TEMP[1].x, TEMP[0].xxxx, -TEMP[0].xxxx\n"
                 "MUL TEMP[2].x, TEMP[0].xxxx, IN[0].xxxx\nMOV OUT[0].x, TEMP[1].xxxx\n"
                 "MOV OUT[0].yzw, TEMP[2].xxxx\n");
    const std::string both = found(difference, TrapKind::Nan);
    CHECK_MESSAGE(has(both, "ADD TEMP[1].x, TEMP[0].xxxx, -TEMP[0].xxxx: word"), both);
    CHECK_MESSAGE(has(both, "makes NaN of inf, 0"), both);
    CHECK_MESSAGE(std::count(both.begin(), both.end(), '\n') == 2, both);
}

TEST_CASE("a branch that is not taken makes nothing, a value that is not selected does") {
    CHECK(found(fragment(
              "MOV TEMP[0], IN[0]\nSLT TEMP[1].x, IN[0].yyyy, IMM[0].xxxx\n"
              "IF TEMP[1].xxxx\nRCP TEMP[0], IN[0].xxxx\nENDIF\nMOV OUT[0], TEMP[0]\n")) == "");
    CHECK(has(found(fragment("RCP TEMP[0], IN[0].xxxx\nCMP OUT[0], IN[0].zzzz, IN[0], TEMP[0]\n")),
              "RCP"));
}

TEST_CASE("only lanes that are no helpers count") {
    // Triangles whose pixels on the right of x = 4 are helpers at most.
    Picture picture = fragment("RCP TEMP[0].x, IN[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\n");
    picture.vertex = "MUL TEMP[0], IN[0], IMM[0].yyyy\nMOV OUT[0], TEMP[0]\n"
                     "ADD OUT[1], IN[0].xxxx, IMM[0].yyyy\n";
    CHECK(found(picture) == "");
}

TEST_CASE("what comes in by a texture, an attribute, a uniform or a varying is told") {
    Picture texture = fragment("TEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0], IN[0]\n");
    texture.texel = {0, kNan, 0, 0};
    CHECK(has(found(texture), "TEX TEMP[0], IN[0], SAMP[0], 2D: word"));
    CHECK(has(found(texture), ": NaN comes in"));
    CHECK(found(texture, TrapKind::Infinity) == "");
    Picture attribute;
    attribute.attribute = {0, kInf, 0, 0};
    const std::string text = found(attribute);
    CHECK_MESSAGE(has(text, "draw 0, vertex shader \"vs\", vertex 0, instance 0: "), text);
    CHECK_MESSAGE(has(text, ": infinity comes in"), text);
    Picture uniform = fragment("MUL OUT[0], CONST[0], IN[0]\n");
    uniform.constants[1] = kNan;
    CHECK(has(found(uniform), ": MUL OUT[0], CONST[0], IN[0]: word"));
    CHECK(has(found(uniform), ": NaN comes in"));
    uniform.fragment = "MUL TEMP[0], CONST[0], CONST[1]\nMUL OUT[0], TEMP[0], IN[0]\n";
    CHECK_MESSAGE(has(found(uniform), ": NaN comes in"), found(uniform));
    // Bits of integers are no numbers.
    uniform.fragment = "UADD TEMP[0], CONST[0], IMM[1].yyyy\nI2F OUT[0], TEMP[0]\n";
    CHECK(found(uniform) == "");
}

TEST_CASE("what the uniform prologue makes is told where it is read") {
    const std::string text =
        found(fragment("RCP TEMP[0].x, CONST[0].xxxx\nMUL OUT[0], TEMP[0].xxxx, IN[0].wwww\n"));
    CHECK_MESSAGE(has(text, "RCP TEMP[0].x, CONST[0].xxxx: word"), text);
    CHECK_MESSAGE(has(text, "makes infinity of 0, once for all of the draw\n"), text);
    CHECK_MESSAGE(std::count(text.begin(), text.end(), '\n') == 1, text);
    CHECK(found(fragment("DIV TEMP[0].x, CONST[0].xxxx, CONST[0].yyyy\n"
                         "MUL OUT[0], TEMP[0].xxxx, IN[0]\n")) == "");
}

TEST_CASE("halves and doubles overflow, too") {
    CHECK(
        has(found(fragment("MUL TEMP[0], IN[0].yyyy, CONST[1].wwww\nPK2H TEMP[0].x, TEMP[0].xyxy\n"
                           "U2F OUT[0], TEMP[0].xxxx\n")),
            "PK2H TEMP[0].x, TEMP[0].xyxy: word"));
    const std::string doubles =
        "F2D TEMP[0].xy, CONST[1].xxxx\nDMUL TEMP[1].xy, TEMP[0].xyxy, TEMP[0].xyxy\n"
        "DMUL TEMP[2].xy, TEMP[1].xyxy, TEMP[1].xyxy\nD2F TEMP[3].x, TEMP[2].xyxy\n"
        "MOV OUT[0], TEMP[3].xxxx\n";
    const std::string narrowed = found(fragment(doubles));
    CHECK_MESSAGE(has(narrowed, "D2F TEMP[3].x, TEMP[2].xyxy: words"), narrowed);
    const std::string quotient = found(fragment(
        "F2D TEMP[0].xy, IN[0].xxxx\nF2D TEMP[1].xy, IN[0].yyyy\n"
        "DDIV TEMP[2].xy, TEMP[1].xyxy, TEMP[0].xyxy\nDADD TEMP[2].xy, TEMP[2].xyxy, TEMP[1].xyxy\n"
        "D2F TEMP[3].x, TEMP[2].xyxy\nMOV OUT[0], TEMP[3].xxxx\n"));
    CHECK_MESSAGE(has(quotient, "makes infinity of 1, 0\n"), quotient);
    CHECK_MESSAGE(has(quotient, "DDIV TEMP[2].xy, TEMP[1].xyxy, TEMP[0].xyxy: words "), quotient);
    CHECK_MESSAGE(std::count(quotient.begin(), quotient.end(), '\n') == 1, quotient);
}

TEST_CASE("shaders of every stage are watched") {
    Picture picture;
    picture.vertex = "RCP TEMP[0], IN[1].xxxx\nMOV OUT[0], IN[0]\nMOV OUT[1], TEMP[0]\n";
    auto findings = trap(picture, TrapKind::Infinity, 1);
    REQUIRE(findings.size() == 1);
    CHECK(has(findings[0].where, "draw 0, vertex shader \"vs\", vertex 0, instance 0: line "));
    CHECK(findings[0].target == "--draw 0 --vertex 0");
    CHECK(findings[0].lanes == 3);
    picture = {};
    picture.geometry = "RCP TEMP[0], IN[0][1].xxxx\nMOV OUT[0], IN[0][0]\nMOV OUT[1], TEMP[0]\n"
                       "EMIT IMM[1].xxxx\nENDPRIM IMM[1].xxxx\n";
    findings = trap(picture, TrapKind::Infinity, 1);
    REQUIRE(findings.size() == 1);
    CHECK(
        has(findings[0].where, "draw 0, geometry shader \"gs\", primitive 0, invocation 0: line "));
    picture = {};
    picture.control = "RCP TEMP[0], IN[0][1].xxxx\nMOV OUT[ADDR[0].x][1], TEMP[0]\n";
    findings = trap(picture, TrapKind::Infinity, 1);
    REQUIRE(findings.size() == 1);
    CHECK(
        has(findings[0].where, "tessellation control shader \"tc\", patch 0, invocation 0: line "));
    CHECK(findings[0].target == "--draw 0 --patch 0");
    picture.control = "MOV TEMP[0], IMM[0]\n";
    picture.evaluation = "RCP TEMP[0], IN[0][1].xxxx\nMOV OUT[1], TEMP[0]\n";
    findings = trap(picture, TrapKind::Infinity, 1);
    REQUIRE(findings.size() == 1);
    CHECK(has(findings[0].where, "tessellation evaluation shader \"te\", patch 0, point "));
    picture = fragment("RCP TEMP[0], IN[0].xxxx\nMOV OUT[0], TEMP[0]\n");
    findings = trap(picture, TrapKind::Infinity, 1);
    REQUIRE(findings.size() == 1);
    CHECK(has(findings[0].where, "draw 0, fragment shader \"fs\", pixel 0,0: line "));
    CHECK(findings[0].target == "--draw 0 --pixel 0,0");
    CHECK(findings[0].lanes == uint64_t{kSide} * kSide);
}

TEST_CASE("invocations of work-groups are named") {
    TrapLog log({TrapKind::All, 5});
    const auto device = must(TrapDevice::create(log, {}));
    const std::string text =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 20\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
        "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL "
        "BUFFER[0]\n"
        "DCL TEMP[0..3]\nIMM[0] UINT32 {0, 4, 17, 3}\n"
        "USNE TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nAND TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n"
        "U2F TEMP[0].x, TEMP[0].xxxx\nBARRIER\nRCP TEMP[1].x, TEMP[0].xxxx\n"
        "UMUL TEMP[2].x, SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0].x, TEMP[2].xxxx, TEMP[1].xxxx\n"
        "END\n";
    const auto pipeline =
        must(device->create_compute_pipeline({must(device->create_shader(text, "cs")), 0}));
    DispatchState state;
    state.pipeline = pipeline;
    state.resources.storage = {{must(device->create_buffer(80))}};
    must(device->dispatch(state, {3, 1, 1}));
    REQUIRE(log.findings().size() == 1);
    CHECK_MESSAGE(
        has(log.findings()[0].where,
            "dispatch 0, compute shader \"cs\", group (0,0,0), invocation (17,0,0): line "),
        log.findings()[0].where);
    CHECK(log.findings()[0].lanes == 3);
    CHECK(log.findings()[0].target == "");
}
