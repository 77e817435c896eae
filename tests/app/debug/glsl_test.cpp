// GLSL test: tokens behind the preprocessor, sources of texts, and lines that match.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/anchors.hpp"
#include "app/debug/glsl/glsl_condition.hpp"
#include "app/debug/glsl/glsl_sources.hpp"
#include "app/debug/glsl/glsl_tokens.hpp"
#include "app/debug/glsl/line_match.hpp"
#include "tgsi/text/parser.hpp"

#include <doctest/doctest.h>
#include <iterator>
#include <random>
#include <string>

namespace valkyr::test::glsl_of_shader {

using namespace debug;

namespace {

/// "TEXT:LINE TEXT:LINE ...".
std::string tokens_text(std::string_view source) {
    std::string text;
    for (const GlslToken& token : glsl_tokens(source))
        text += token.text + ":" + std::to_string(token.line) + " ";
    return text;
}

bool holds(const std::vector<std::string>& words) {
    return condition_holds(words);
}

constexpr const char* kGlsl = R"(#version 130
uniform sampler2D b; uniform vec3 light; uniform vec4 tint; uniform sampler2D a;
uniform float k[4];
varying vec2 tc; varying vec3 n; varying float f;
float square(float x) { return x * x; }
void main() {
    vec4 c = texture2D(a, tc) * tint;
    c += texture2D(b, tc * 2.0);
    c.rgb *= square(f) + max(dot(n, light), 0.0) * k[2];
    if (c.a < 0.5)
        discard;
    gl_FragColor = c;
}
)";

// As Mesa 22.3 compiles it.
constexpr const char* kTgsi = R"(FRAG
PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1
DCL IN[0], GENERIC[9], PERSPECTIVE
DCL IN[1].xy, GENERIC[10], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SAMP[1]
DCL SVIEW[0], 2D, FLOAT
DCL SVIEW[1], 2D, FLOAT
DCL CONST[0..4]
DCL TEMP[0..11]
IMM[0] UINT32 {1073741824, 0, 1056964608, 0}
IMM[1] FLT32 {0x3f800000, 0x00000000, 0x00000000, 0x00000000}
  0: MOV TEMP[0].xy, IN[0]
  1: TEX TEMP[2], TEMP[0], SAMP[1], 2D
  2: MUL TEMP[3].xy, IN[0].xyyy, IMM[0].xxxx
  3: TEX TEMP[4], TEMP[3].xyxx, SAMP[0], 2D
  4: MAD TEMP[5], TEMP[2], CONST[1], TEMP[4]
  5: MOV TEMP[1].x, IN[0].wyzw
  6: MOV TEMP[1].yz, IN[1].xxyy
  7: DP3 TEMP[6].x, TEMP[1].xyzx, CONST[0].xyzx
  8: MAX TEMP[7].x, TEMP[6].xxxx, IMM[0].yyyy
  9: MUL TEMP[8].x, TEMP[7].xxxx, CONST[4].xxxx
 10: MAD TEMP[9].x, IN[0].zxxx, IN[0].zxxx, TEMP[8].xxxx
 11: MUL OUT[0].xyz, TEMP[5].xyzz, TEMP[9].xxxx
 12: FSLT TEMP[10].x, TEMP[5].wxxx, IMM[0].zzzz
 13: AND TEMP[11].x, TEMP[10].xxxx, IMM[1].xxxx
 14: KILL_IF -TEMP[11].xxxx
 15: MOV OUT[0].w, TEMP[5].wyzw
 16: END
)";
constexpr const char* kNames = "CONST[0][0] light\nCONST[0][1] tint\nCONST[0][2] k[0]\n"
                               "CONST[0][3] k[1]\nCONST[0][4] k[2]\nSAMP[0] b\nSAMP[1] a\n";
constexpr uint32_t kFirstLine = 14;  ///< of the instructions

std::vector<GlslLine> matched() {
    const auto parsed = tgsi::parse(kTgsi);
    REQUIRE(parsed.ok());
    return match_lines(kGlsl, parsed.shader, parse_names(kNames));
}

}  // namespace

TEST_CASE("comments and continued lines keep the numbers of lines") {
    CHECK(tokens_text("a // b\n/* c\nd */ e\nf \\\ng\nh") == "a:1 e:3 f:4 g:4 h:6 ");
    CHECK(tokens_text("x+=.5e-3+y2") == "x:1 +=:1 .5e-3:1 +:1 y2:1 ");
    CHECK(tokens_text("/* open") == "");
    CHECK(tokens_text("// open") == "");
}

TEST_CASE("macros are expanded where they are used") {
    CHECK(tokens_text("#define N 3\n#define MUL(a, b) (a * b)\nx = MUL(N, MUL(y, 2));") ==
          "x:3 =:3 (:3 3:3 *:3 (:3 y:3 *:3 2:3 ):3 ):3 ;:3 ");
    CHECK(tokens_text("#define V (2.0)\nx = V;\n#undef V\ny = V;") ==
          "x:2 =:2 (:2 2.0:2 ):2 ;:2 y:4 =:4 V:4 ;:4 ");
    CHECK(tokens_text("#define A A B\nA") != "");  // ends
}

TEST_CASE("macros that grow without end are cut off") {
    std::string source = "#define M0 a\n";
    std::string nothing = "#define M0\n";
    for (int i = 1; i < 40; ++i) {
        const std::string line = "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) +
                                 " M" + std::to_string(i - 1) + " M" + std::to_string(i - 1) + "\n";
        source += line;
        nothing += line;
    }
    CHECK(glsl_tokens(source + "M15 M39").size() <= kMostGlslTokens + 1);
    CHECK(glsl_tokens(nothing + "M14 M39").size() <= kMostGlslTokens + 1);
}

TEST_CASE("conditions choose what is read") {
    CHECK(tokens_text("#ifdef GL_ES\na\n#else\nb\n#endif\nc") == "b:4 c:6 ");
    CHECK(tokens_text("#version 300 es\n#ifdef GL_ES\na\n#else\nb\n#endif") == "a:3 ");
    CHECK(
        tokens_text("#version 150\n#if __VERSION__ >= 150 && !defined(X)\na\n#elif 1\nb\n#endif") ==
        "a:3 ");
    CHECK(tokens_text("#define X 2\n#if X == 1\na\n#elif X == 2\nb\n#if 0\nc\n#endif\n#else\nd\n"
                      "#endif") == "b:5 ");
    CHECK(tokens_text("#endif\n#else\n#if\na\n#") == "");
}

TEST_CASE("expressions of conditions") {
    CHECK(holds({"1", "+", "2", "*", "3", "==", "7"}));
    CHECK(holds({"(", "1", "+", "2", ")", "*", "3", "==", "9"}));
    CHECK(holds({"!", "0", "&&", "-", "1", "<", "0"}));
    CHECK(!holds({"1", "==", "2", "||", "NAME"}));
    CHECK(holds({"0x10", ">>", "2", "==", "4"}));
    CHECK(!holds({"5", "/", "0"}));
    CHECK(!holds({}));
    CHECK(!holds(std::vector<std::string>(10000, "(")));
}

TEST_CASE("anchors stand in the order of execution, functions where they are called") {
    const auto symbols = [](std::string_view source) {
        std::string text;
        for (const Anchor& anchor : glsl_anchors(source))
            text += anchor.symbol + ":" + std::to_string(anchor.line) + " ";
        return text;
    };
    CHECK(symbols("uniform float u;\nfloat f(float x) { return sin(x); }\n"
                  "void main() {\n if (f(u) > 0.25)\n  discard; }") ==
          "name u:4 sin:2 number 3e800000:4 compare:4 if:4 discard:5 ");
    CHECK(symbols("out vec4 o; const float k = 3.0;\nvoid main() {\n o = vec4(cos(k)); }") ==
          "number 40400000:3 cos:3 name o:3 ");
    CHECK(symbols("void main() {\n for (int i = 0; i < 2; ++i)\n  gl_Position.x += 2.0;\n}") ==
          "loop:2 number 00000000:2 number 40000000:2 compare:2 add:2 if:2 name gl_Position:3 "
          "number 40000000:3 add:3 name gl_Position:3 end loop:2 ");
    CHECK(
        symbols("uniform B { vec4 m; } one; uniform C { vec4 n; };\nuniform L { vec4 at; } l[2];\n"
                "void main() { one.m.xy + n.xy + l[1].at.w; }") ==
        "name B.m:3 name n:3 add:3 name L.at:3 add:3 ");
    CHECK(symbols("void main() {\n float gamma = 2.2;\n int i = 0;\n sqrt(gamma); }") ==
          "number 400ccccd:4 sqrt:4 rsqrt:4 div:4 ");
    CHECK(symbols("no main") == "");
    CHECK(symbols("void main() { ((((") == "");
}

TEST_CASE("functions that call many others without a trace do not take for ever") {
    std::string source = "void f0() {}\n";
    for (int i = 1; i < 30; ++i) {
        const std::string call = "f" + std::to_string(i - 1) + "();";
        source += "void f" + std::to_string(i) + "() {" + call + call + call + call + "}\n";
    }
    CHECK(glsl_anchors(source + "void main() { f29(); sin(1.0); }").empty());
}

TEST_CASE("texts of random words and signs end") {
    constexpr const char* kWords[] = {
        "void", "main",    "(",   ")",      "{",  "}",    "[",  "]",       ";",    "if",
        "else", "for",     "x",   "=",      "+",  ".",    ",",  "uniform", "vec4", "sin",
        "2.5",  "#define", "#if", "#endif", "\n", "\\\n", "/*", "*/",      "//",   "#"};
    std::minstd_rand random(3);
    const auto parsed = tgsi::parse(kTgsi);
    for (int i = 0; i < 2000; ++i) {
        std::string text = i % 2 == 0 ? "void main() {\n" : "";
        for (unsigned words = random() % 60; words > 0; --words)
            text +=
                std::string(kWords[random() % std::size(kWords)]) + (random() % 4 != 0 ? " " : "");
        CAPTURE(text);
        CHECK(glsl_anchors(text).size() <= kMostAnchors);
        for (const GlslLine& line : match_lines(text, parsed.shader, parse_names(kNames)))
            CHECK(line.line <= 70);
    }
}

TEST_CASE("lines of TGSI find the lines that they come from") {
    const std::vector<GlslLine> lines = matched();
    const auto at = [&](uint32_t instruction) { return lines.at(kFirstLine + instruction); };
    CHECK(at(1) == GlslLine{7, true});    // the sampler a
    CHECK(at(2) == GlslLine{8, true});    // 2.0
    CHECK(at(3) == GlslLine{8, true});    // the sampler b
    CHECK(at(4) == GlslLine{7, true});    // tint
    CHECK(at(7) == GlslLine{9, true});    // light
    CHECK(at(8) == GlslLine{9, true});    // max
    CHECK(at(9) == GlslLine{9, true});    // k
    CHECK(at(11) == GlslLine{12, true});  // gl_FragColor
    CHECK(at(12) == GlslLine{10, true});  // 0.5
    CHECK(at(14) == GlslLine{11, true});  // discard
    CHECK(at(0) == GlslLine{7, false});   // prepares the first texture
    CHECK(at(5).line == 9);
    CHECK(at(6).line == 9);
    CHECK(lines.size() == kFirstLine + 16);
    CHECK(lines[5] == GlslLine{});
}

TEST_CASE("texts without anything in common match no lines") {
    const auto parsed = tgsi::parse("FRAG\n  0: END\n");
    REQUIRE(parsed.ok());
    CHECK(match_lines(kGlsl, parsed.shader, {}).empty());
    CHECK(match_lines("", tgsi::parse(kTgsi).shader, {}).empty());
}

TEST_CASE("a text finds its source, or that of another form of it") {
    const std::string own(kTgsi);
    const GlslSources sources = {{1, "FRAG", "other", "FRAG\nDCL OUT[0], COLOR\n  0: END\n", ""},
                                 {2, "FRAG", kGlsl, own, kNames},
                                 {3, "VERT", "vertex", "VERT\n  0: END\n", ""}};
    const SourceMatch same = find_source(sources, own.substr(0, own.size() - 1));
    REQUIRE(same.source != nullptr);
    CHECK(same.source->program == 2);
    CHECK(same.likeness == 100);
    CHECK(describe_match(same) == "GLSL program 2, FRAG");
    // Mesa renumbers temporary registers and adds a line.
    std::string form = own;
    form.replace(form.find("  5: MOV TEMP[1].x,"), 19, "  5: MOV TEMP[9].x,");
    form.replace(form.find(" 16: END"), 8, " 16: MOV_SAT OUT[0].w, TEMP[5].wyzw\n 17: END");
    const SourceMatch like = find_source(sources, form);
    REQUIRE(like.source != nullptr);
    CHECK(like.source->program == 2);
    CHECK(like.likeness >= 90);
    CHECK(like.likeness < 100);
    CHECK(find_source(sources, "FRAG\nDCL TEMP[0]\n 0: SIN TEMP[0], TEMP[0]\n").source == nullptr);
    CHECK(find_source(sources, "COMP\n  0: END\n").source == nullptr);
    CHECK(find_source({}, own).source == nullptr);
}

}  // namespace valkyr::test::glsl_of_shader
