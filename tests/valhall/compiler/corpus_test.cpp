// Corpus test: compiles shaders of the repository and of real programs, and compares results.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/support/test_files.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/listing.hpp"
#include "valhall/validator/validate.hpp"

#include <doctest/doctest.h>
#include <map>
#include <random>
#include <string_view>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr std::string_view kCompilable[] = {".vert.tgsi", ".frag.tgsi", ".comp.tgsi"};

/// All 1,598 vertex and fragment shaders of the corpus compile, and all 35 compute shaders.
constexpr size_t kCompiled = 1633;
/// Shaders of the corpus that both engines run to the end on the inputs below. The number may only
/// grow. Six shaders loop for ever on artificial constants; three query levels of detail, which
/// are defined only within a bound.
constexpr size_t kCompared = 1624;

/// Replaces opcodes whose results are defined only within a bound by exact ones with equal
/// operands, so that the rest of a shader can be compared to the bit. False if an opcode has no
/// replacement.
bool make_exact(tgsi::Shader& shader) {
    using tgsi::Opcode;
    for (tgsi::Instruction& inst : shader.instructions) {
        switch (inst.opcode) {
        case Opcode::RSQ:
        case Opcode::SQRT:
        case Opcode::EX2:
        case Opcode::LG2:
        case Opcode::SIN:
        case Opcode::COS: inst.opcode = Opcode::RCP; break;
        case Opcode::POW: inst.opcode = Opcode::DP2; break;
        case Opcode::DIV: inst.opcode = Opcode::MUL; break;
        case Opcode::LIT:
        case Opcode::EXP:
        case Opcode::LOG: inst.opcode = Opcode::MOV; break;
        case Opcode::LODQ:
        case Opcode::LOD: return false;
        default: break;
        }
    }
    return true;
}

/// Numbers of moderate size. Some constants are small integers, which loops count to.
ShaderInputs corpus_inputs(uint32_t seed) {
    std::mt19937 random(seed);
    const auto number = [&] {
        return as_bits(static_cast<float>(static_cast<int32_t>(random() % 4096) - 2048) / 512.0F);
    };
    ShaderInputs in;
    in.inputs.resize(32);
    for (auto& by_lane : in.inputs)
        for (Word4& word : by_lane)
            for (uint32_t& component : word)
                component = number();
    in.constants.resize(exec::kMaxConstantBuffers);
    for (auto& buffer : in.constants)
        for (unsigned i = 0; i < 1024; ++i)
            buffer.push_back(random() % 8 == 0 ? random() % 5 : number());
    in.memory.buffers.assign(8, std::vector<uint32_t>(64));
    for (auto& buffer : in.memory.buffers)
        for (uint32_t& word : buffer)
            word = random() % 16;
    in.memory.counters.assign(4, std::vector<uint32_t>(8, 3));
    in.memory.images = blank_images(8);
    in.framebuffer.resize(1);
    in.covered = 0xFFFF;
    return in;
}

/// Two groups of the size that the shader says.
Groups groups_of(const tgsi::Shader& shader) {
    return {.block = {shader.property("CS_FIXED_BLOCK_WIDTH", 1),
                      shader.property("CS_FIXED_BLOCK_HEIGHT", 1),
                      shader.property("CS_FIXED_BLOCK_DEPTH", 1)},
            .grid = {2, 1, 1},
            .shared_bytes = exec::kMaxSharedBytes};
}

bool out_of_steps(const ShaderOutputs& outputs) {
    return outputs.failure.find("limit") != std::string::npos;
}

/// Compiles a shader and checks its program; counts errors by their texts.
bool compile_file(const std::string& file, std::map<std::string, size_t>& missing) {
    tgsi::ParseResult parsed = tgsi::parse(read_file(file));
    REQUIRE_MESSAGE(parsed.ok(), file);
    const auto program = valhall::compile(parsed.shader);
    if (!program) {
        CHECK_MESSAGE(program.error().code == Errc::Unsupported, program.error().format(file));
        CHECK_MESSAGE(program.error().pos.line != 0, program.error().format(file));
        ++missing[program.error().text];
        return false;
    }
    CHECK(program->source_lines.size() == program->words.size());
    const std::string text = valhall::list_words(program->words, {.bytes = false, .labels = true});
    CHECK_MESSAGE(valhall::assemble(text).words == program->words, file);
    for (const auto& diagnostic : valhall::validate(*program, 3))
        FAIL_CHECK(file, ": ", valhall::format_diagnostic(diagnostic, *program));
    return true;
}

/// Returns how many of the files compile.
size_t compile_files(const std::vector<std::string>& files) {
    size_t compiled = 0;
    std::map<std::string, size_t> missing;
    for (const std::string& file : files)
        compiled += compile_file(file, missing) ? 1 : 0;
    for (const auto& [what, count] : missing)
        MESSAGE(count, " times: ", what);
    return compiled;
}

/// Runs both interpreters and compares. Returns how many shaders were compared. Shaders that do not
/// compile, are not exact, or do not end on these inputs are left out.
size_t compare_files(const std::vector<std::string>& files) {
    size_t compared = 0;
    size_t endless = 0;
    for (const std::string& file : files) {
        tgsi::ParseResult parsed = tgsi::parse(read_file(file));
        if (!parsed.ok() || !make_exact(parsed.shader))
            continue;
        ShaderInputs in = corpus_inputs(static_cast<uint32_t>(compared));
        in.groups = groups_of(parsed.shader);
        const ShaderOutputs expected = run_tgsi(parsed.shader, in);
        const ShaderOutputs actual = run_valhall(parsed.shader, in);
        if (out_of_steps(expected) || out_of_steps(actual)) {
            ++endless;
            continue;
        }
        ++compared;
        const std::string difference =
            compare_outputs(expected, actual, output_masks(parsed.shader));
        CHECK_MESSAGE(difference.empty(), file, "\n", difference);
    }
    MESSAGE(compared, " compared, ", endless, " without end on these inputs");
    return compared;
}

/// The corpus; empty, with a message, if there is none.
std::vector<std::string> corpus() {
    auto files = corpus_shaders(kCompilable);
    if (files.empty())
        MESSAGE("skipped: VALKYR_TGSI_CORPUS names no folder of shaders");
    return files;
}

}  // namespace

TEST_CASE("shaders of the repository compile to valid programs") {
    const auto files = repository_shaders(kCompilable);
    REQUIRE(files.size() >= 45);
    CHECK(compile_files(files) == files.size());
}

TEST_CASE("shaders of the repository give what the TGSI interpreter gives") {
    const auto files = repository_shaders(kCompilable);
    // The shaders of n bodies and of Mandelbrot's set in doubles take more steps than an
    // interpreter's run may.
    CHECK(compare_files(files) == files.size() - 2);
}

TEST_CASE("shaders of the corpus compile to valid programs, or name what is unsupported") {
    if (const auto files = corpus(); !files.empty())
        CHECK(compile_files(files) >= kCompiled);
}

TEST_CASE("shaders of the corpus give what the TGSI interpreter gives") {
    if (const auto files = corpus(); !files.empty())
        CHECK(compare_files(files) >= kCompared);
}
