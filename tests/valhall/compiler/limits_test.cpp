// Limits test: compiles shaders with hundreds of live values or ten thousand instructions.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <atomic>
#include <ctime>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

std::string numbered(const std::string& header, const std::vector<std::string>& lines) {
    std::string text = header;
    for (size_t i = 0; i < lines.size(); ++i)
        text += "  " + std::to_string(i) + ": " + lines[i] + "\n";
    return text;
}

std::string temp(unsigned i) {
    return "TEMP[" + std::to_string(i) + "]";
}

const std::string kHeader = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n";

/// A shader that computes `count` values, then `inner`, and then reads the values.
std::string many_live_values(unsigned count, const std::vector<std::string>& inner) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < count; ++i) {
        const std::string source =
            i < 4 ? "IN[0]." + std::string(4, "xyzw"[i]) : temp(i - 3) + ".xxxx";
        lines.push_back("ADD " + temp(i) + ".x, " + source + ", IN[0]." +
                        std::string(4, "yzwx"[i / 4 % 4]));
    }
    lines.push_back("MOV " + temp(count) + ", IN[0]");
    lines.insert(lines.end(), inner.begin(), inner.end());
    for (unsigned i = 0; i < count; ++i)
        lines.push_back("MAD " + temp(count) + ", " + temp(count) + ", " + temp(count - 1 - i) +
                        ".xxxx, " + temp(i * 7 % count) + ".xxxx");
    lines.push_back("MOV OUT[0], " + temp(count));
    lines.push_back("END");
    return numbered(kHeader + "DCL TEMP[0.." + std::to_string(count + 1) +
                        "]\nIMM[0] UINT32 {0, 1, 3, 0}\n",
                    lines);
}

ShaderInputs small_inputs() {
    std::mt19937 random(5);
    ShaderInputs in;
    in.inputs.resize(1);
    for (Word4& word : in.inputs[0])
        for (uint32_t& component : word)
            component = as_bits(static_cast<float>(random() % 64) / 64.0F - 0.5F);
    return in;
}

/// `count` instructions that read results of the last few, with some loops or branches.
std::string long_shader(unsigned count, bool branches) {
    std::vector<std::string> lines;
    for (unsigned i = 0; i < 8; ++i)
        lines.push_back("MOV " + temp(i) + ", IN[0]");
    while (lines.size() < count) {
        const auto n = static_cast<unsigned>(lines.size());
        if (branches && n % 40 == 0) {
            lines.push_back("UIF " + temp(n % 8) + ".xxxx");
            lines.push_back("ADD " + temp(n % 8) + ", " + temp(n % 7) + ", IN[0].wzyx");
            lines.push_back("ENDIF");
            continue;
        }
        lines.push_back("MAD " + temp(n % 8) + ", " + temp((n * 5 + 1) % 8) + ".yzwx, IN[0], " +
                        temp((n * 3 + 2) % 8));
    }
    lines.push_back("MOV OUT[0], " + temp(0));
    lines.push_back("END");
    return numbered(kHeader + "DCL TEMP[0..7]\n", lines);
}

/// Processor time of one compilation.
double compile_ms(const std::string& text, unsigned times) {
    const tgsi::Shader shader = parse_shader(text);
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < times; ++i)
        CHECK(valhall::compile(shader).has_value());
    return static_cast<double>(std::clock() - start) * 1000.0 / CLOCKS_PER_SEC / times;
}

}  // namespace

TEST_CASE("200 live values are spilled to thread-local storage and come back") {
    const std::string text = many_live_values(200, {});
    CHECK(differ(text, small_inputs()) == "");
    valhall::CompileStatistics statistics;
    valhall::CompileOptions options;
    options.statistics = &statistics;
    const auto program = valhall::compile(parse_shader(text), options);
    REQUIRE(program.has_value());
    CHECK(statistics.spilled_values >= 200 - 64);
    CHECK(program->info.tls_bytes >= 4 * (200 - 64));
}

TEST_CASE("values stay spilled across loops and branches") {
    const std::vector<std::string> loop{
        "MOV TEMP[201].x, IMM[0].xxxx",
        "BGNLOOP",
        "USGE TEMP[201].y, TEMP[201].xxxx, IMM[0].zzzz",
        "UIF TEMP[201].yyyy",
        "BRK",
        "ENDIF",
        "ADD TEMP[17].x, TEMP[17].xxxx, TEMP[90].xxxx",
        "UIF TEMP[3].xxxx",
        "MUL TEMP[120].x, TEMP[120].xxxx, TEMP[17].xxxx",
        "ENDIF",
        "UADD TEMP[201].x, TEMP[201].xxxx, IMM[0].yyyy",
        "ENDLOOP",
    };
    CHECK(differ(many_live_values(200, loop), small_inputs()) == "");
}

TEST_CASE("ten thousand instructions compile to what the TGSI interpreter computes") {
    CHECK(differ(long_shader(10000, false), small_inputs()) == "");
    CHECK(differ(long_shader(3000, true), small_inputs()) == "");
}

// Compares ratios, not times, since the machine may be slow or busy.
TEST_CASE("compile time grows in proportion to the length of a shader") {
    for (const bool branches : {false, true}) {
        const double small = compile_ms(long_shader(250, branches), 8);
        const double large = compile_ms(long_shader(2500, branches), 1);
        MESSAGE("250 instructions ", small, " ms, 2500 instructions ", large, " ms");
        CHECK(large < 10 * small * 4 + 20);
    }
}

TEST_CASE("compiling that is cancelled ends with an error") {
    const tgsi::ParseResult parsed = tgsi::parse(many_live_values(100, {}));
    REQUIRE(parsed.ok());
    std::atomic<uint32_t> flag = 0;
    valhall::CompileOptions options;
    options.cancellation = Cancellation(flag);
    CHECK(valhall::compile(parsed.shader, options).has_value());
    // After lowering and after each pass.
    unsigned passes = 0;
    options.dump = [&](std::string_view /*pass*/, const std::string& /*text*/) { ++passes; };
    CHECK(valhall::compile(parsed.shader, options).has_value());
    const unsigned all = passes;
    for (unsigned stop = 1; stop < all; ++stop) {
        CAPTURE(stop);
        flag = 0;
        passes = 0;
        options.dump = [&](std::string_view /*pass*/, const std::string& /*text*/) {
            if (++passes == stop)
                flag = 1;
        };
        const auto program = valhall::compile(parsed.shader, options);
        REQUIRE_FALSE(program.has_value());
        CHECK(program.error().code == Errc::Cancelled);
        CHECK(passes <= stop + 1);
    }
    flag = 1;
    passes = 0;
    options.dump = {};
    const auto program = valhall::compile(parsed.shader, options);
    REQUIRE_FALSE(program.has_value());
    CHECK(program.error().code == Errc::Cancelled);
}
