// Shaders of real programs, where the corpus is at hand: they compile, or say what is missing, and
// the validator accepts every program.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/listing.hpp"
#include "valhall/validator/validate.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

using namespace valkyr;
using namespace valkyr::test;

namespace {

const std::filesystem::path kCorpus = "../shared/corpus/tgsi";

/// All 1,598 vertex and fragment shaders of the corpus compile, and 29 of the 35 compute shaders:
/// the others use shared memory or barriers.
constexpr size_t kCompiled = 1627;
/// Of these, the ones that both engines run to the end on the inputs below; only ever raised. Eight
/// shaders loop without end on made-up constants, three query levels of detail, which are
/// defined within a bound only.
constexpr size_t kCompared = 1616;

std::vector<std::filesystem::path> corpus_files() {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(kCorpus))
        return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".vert.tgsi") || name.ends_with(".frag.tgsi") ||
            name.ends_with(".comp.tgsi"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Opcodes whose results are defined within a bound only give way to others of the same shape, so
/// that the rest of a shader can be compared to the bit. False if there is none.
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

/// Numbers of moderate size; constants are small integers now and then, which loops count to.
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

bool out_of_steps(const ShaderOutputs& outputs) {
    return outputs.failure.find("limit") != std::string::npos;
}

}  // namespace

TEST_CASE("shaders of real programs compile to valid programs, or name what is unsupported") {
    const auto files = corpus_files();
    if (files.empty()) {
        MESSAGE("no corpus beside the source tree");
        return;
    }
    size_t compiled = 0;
    std::map<std::string, size_t> missing;
    for (const auto& file : files) {
        tgsi::ParseResult parsed = tgsi::parse(read_text(file));
        REQUIRE_MESSAGE(parsed.ok(), file.string());
        const auto program = valhall::compile(parsed.shader);
        if (!program) {
            CHECK_MESSAGE(program.error().code == Errc::Unsupported,
                          program.error().format(file.string()));
            CHECK_MESSAGE(program.error().pos.line != 0, program.error().format(file.string()));
            ++missing[program.error().text];
            continue;
        }
        ++compiled;
        CHECK(program->source_lines.size() == program->words.size());
        const std::string text =
            valhall::list_words(program->words, {.bytes = false, .labels = true});
        CHECK_MESSAGE(valhall::assemble(text).words == program->words, file.string());
        for (const auto& diagnostic : valhall::validate(*program, 3))
            FAIL_CHECK(file.string(), ": ", valhall::format_diagnostic(diagnostic, *program));
    }
    for (const auto& [what, count] : missing)
        MESSAGE(count, " times: ", what);
    CHECK(compiled >= kCompiled);
}

TEST_CASE("shaders of real programs give what the TGSI interpreter gives") {
    size_t compared = 0;
    size_t endless = 0;
    for (const auto& file : corpus_files()) {
        tgsi::ParseResult parsed = tgsi::parse(read_text(file));
        if (!parsed.ok() || !make_exact(parsed.shader))
            continue;
        const ShaderInputs in = corpus_inputs(static_cast<uint32_t>(compared));
        if (parsed.shader.stage == tgsi::Stage::Compute && !valhall::compile(parsed.shader))
            continue;
        const ShaderOutputs expected = run_tgsi(parsed.shader, in);
        const ShaderOutputs actual = run_valhall(parsed.shader, in);
        if (out_of_steps(expected) || out_of_steps(actual)) {
            ++endless;
            continue;
        }
        ++compared;
        const std::string difference =
            compare_outputs(expected, actual, output_masks(parsed.shader));
        CHECK_MESSAGE(difference.empty(), file.string(), "\n", difference);
    }
    MESSAGE(compared, " compared, ", endless, " without end on these inputs");
    CHECK((corpus_files().empty() || compared >= kCompared));
}
