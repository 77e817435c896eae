// Patch test: compiled tessellation shaders give what the TGSI interpreter gives, on every engine.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"
#include "exec/work_groups.hpp"
#include "tests/jit/geometry/uniform_area.hpp"
#include "tests/jit/harness.hpp"
#include "tests/support/random.hpp"
#include "tests/valhall/compiler/random_shader.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/compiler/ir/varyings.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/validator/validate.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::test {
namespace {

using tgsi::Semantic;
using tgsi::Word4;

constexpr uint32_t kPatches = 7;  ///< several work-groups, the last one not full
constexpr uint32_t kPoints = 37;  ///< of all patches together
constexpr uint32_t kFirstId = 100;

/// Calls f(declaration, register) for the registers of a file with a semantic.
template <typename F>
void each_register(const tgsi::Shader& shader, tgsi::File file, F f) {
    for (const tgsi::Declaration& d : shader.declarations)
        for (uint32_t i = d.first; d.file == file && d.has_semantic && i <= d.last; ++i)
            f(d, i);
}

uint32_t registers_of(const tgsi::Shader& shader, tgsi::File file) {
    uint32_t count = 0;
    each_register(shader, file,
                  [&](const tgsi::Declaration&, uint32_t i) { count = std::max(count, i + 1); });
    return count;
}

/// A shader, its patches, and for evaluation shaders points of the patches.
struct PatchCase {
    tgsi::Shader shader;
    bool control = false;
    uint32_t vertices = 0;                                ///< of an input patch
    uint32_t outputs = 0;                                 ///< control: vertices of its patches
    std::vector<std::vector<std::vector<Word4>>> inputs;  ///< [patch][vertex][register]
    std::vector<std::array<uint32_t, 8>> levels;          ///< [patch]: outer, inner
    std::vector<std::vector<Word4>> patch_inputs;         ///< [patch][register]
    std::vector<exec::DomainPoint> points;
    std::vector<uint32_t> constants;
};

Word4 interesting(Random& random) {
    Word4 word{};
    for (uint32_t& component : word)
        component = interesting_word(random);
    return word;
}

PatchCase make_patches(std::string_view text, uint32_t vertices, Random& random) {
    tgsi::ParseResult parsed = tgsi::parse(text);
    for (const Error& error : parsed.errors)
        FAIL(error.format("shader"));
    for (const Error& error : tgsi::verify(parsed.shader))
        FAIL(error.format("shader"));
    PatchCase test;
    test.shader = std::move(parsed.shader);
    test.control = test.shader.stage == tgsi::Stage::TessCtrl;
    test.vertices = vertices;
    test.outputs = test.shader.property("TCS_VERTICES_OUT", 0);
    const uint32_t registers = registers_of(test.shader, tgsi::File::Input);
    for (uint32_t patch = 0; patch < kPatches; ++patch) {
        std::vector<std::vector<Word4>> rows(vertices, std::vector<Word4>(registers));
        for (auto& row : rows)
            std::ranges::generate(row, [&] { return interesting(random); });
        // A point size is one number.
        each_register(test.shader, tgsi::File::Input, [&](const tgsi::Declaration& d, uint32_t i) {
            for (auto& row : rows)
                if (d.semantic == Semantic::PSize)
                    row[i] = {row[i][0], 0, 0, 0};
        });
        test.inputs.push_back(std::move(rows));
        std::vector<Word4> of_patch_registers(registers);
        std::ranges::generate(of_patch_registers, [&] { return interesting(random); });
        test.patch_inputs.push_back(std::move(of_patch_registers));
        std::array<uint32_t, 8> levels{};
        std::ranges::generate(levels, [&] { return interesting_word(random); });
        test.levels.push_back(levels);
    }
    for (uint32_t point = 0; point < kPoints; ++point) {
        const auto part = [&] { return static_cast<float>(random.below(65)) / 64; };
        test.points.push_back({part(), part(), part(), random.below(kPatches)});
    }
    for (unsigned i = 0; i < 4 * 64; ++i)
        test.constants.push_back(interesting_word(random));
    return test;
}

Word4 system_value(const PatchCase& test,
                   Semantic semantic,
                   uint32_t patch,
                   uint32_t invocation,
                   const exec::DomainPoint& point) {
    const auto& l = test.levels[patch];
    switch (semantic) {
    case Semantic::InvocationId: return {invocation, invocation, invocation, invocation};
    case Semantic::VerticesIn: return {test.vertices, test.vertices, test.vertices, test.vertices};
    case Semantic::PrimId: {
        const uint32_t id = kFirstId + patch;
        return {id, id, id, id};
    }
    case Semantic::TessCoord: {
        Word4 word{};
        std::memcpy(word.data(), &point, 12);
        return word;
    }
    case Semantic::TessOuter: return {l[0], l[1], l[2], l[3]};
    case Semantic::TessInner: return {l[4], l[5], 0, 0};
    default: return {};
    }
}

/// Results by name: "patch 3 OUT[2]", "patch 3 vertex 1 OUT[0]", "point 7 OUT[1]".
using Results = std::map<std::string, Word4>;

tgsi::Group group_of(const PatchCase& test, uint32_t patch) {
    tgsi::Group group;
    group.constants = {test.constants};
    group.vertex_inputs = test.inputs[patch];
    return group;
}

tgsi::Invocation invocation_of(const PatchCase& test,
                               uint32_t patch,
                               uint32_t number,
                               const exec::DomainPoint& point) {
    tgsi::Invocation invocation;
    invocation.inputs = test.patch_inputs[patch];
    each_register(
        test.shader, tgsi::File::SystemValue, [&](const tgsi::Declaration& d, uint32_t i) {
            invocation.system_values.resize(
                std::max<size_t>(invocation.system_values.size(), i + 1));
            invocation.system_values[i] = system_value(test, d.semantic, patch, number, point);
        });
    return invocation;
}

std::string register_name(uint32_t i) {
    return " OUT[" + std::to_string(i) + "]";
}

Results interpret_patches(const PatchCase& test) {
    auto interpreter = tgsi::Interpreter::create(test.shader);
    REQUIRE(interpreter.has_value());
    Results results;
    for (uint32_t patch = 0; test.control && patch < kPatches; ++patch) {
        tgsi::Group group = group_of(test, patch);
        for (uint32_t i = 0; i < test.outputs; ++i)
            group.invocations.push_back(invocation_of(test, patch, i, {}));
        REQUIRE(interpreter->run(group).has_value());
        const std::string name = "patch " + std::to_string(patch);
        each_register(test.shader, tgsi::File::Output, [&](const tgsi::Declaration& d, uint32_t i) {
            if (valhall::lower::is_of_patch(d.semantic))
                results[name + register_name(i)] = group.patch_outputs[i];
            for (uint32_t v = 0; !valhall::lower::is_of_patch(d.semantic) && v < test.outputs; ++v)
                results[name + " vertex " + std::to_string(v) + register_name(i)] =
                    group.vertex_outputs[v][i];
        });
    }
    for (uint32_t point = 0; !test.control && point < kPoints; ++point) {
        tgsi::Group group = group_of(test, test.points[point].patch);
        group.invocations.push_back(
            invocation_of(test, test.points[point].patch, 0, test.points[point]));
        REQUIRE(interpreter->run(group).has_value());
        each_register(test.shader, tgsi::File::Output, [&](const tgsi::Declaration&, uint32_t i) {
            results["point " + std::to_string(point) + register_name(i)] =
                group.invocations[0].outputs[i];
        });
    }
    return results;
}

using PatchEngine = std::function<void(exec::ComputeCall&)>;

/// Memory of a call.
class PatchMemory {
public:
    PatchMemory(const PatchCase& test, const valhall::Program& program)
        : test_(test)
        , program_(program)
        , fau_(uniform_area(program, test.constants, test.vertices))
        , constant_words_(test.constants)
        , constants_{{{reinterpret_cast<uint8_t*>(constant_words_.data()),
                       constant_words_.size() * sizeof(uint32_t)}}} {
        const auto inputs = valhall::input_varyings(test.shader);
        const auto outputs = valhall::standalone_varyings(test.shader);
        REQUIRE((inputs.has_value() && outputs.has_value()));
        input_layout_ = *inputs;
        output_layout_ = *outputs;
        input_stride_ = exec::record_stride(static_cast<uint32_t>(input_layout_.slots.size()));
        output_stride_ = exec::record_stride(static_cast<uint32_t>(output_layout_.slots.size()));
        patch_stride_ = exec::record_stride(program.info.patch.slots);
        fill_inputs();
        const uint32_t records =
            test.control ? kPatches * test.outputs : exec::kLanes * ((kPoints + 15) / 16);
        outputs_.assign(size_t{records} * output_stride_, 0);
        points_ = test.points;
        points_.resize(size_t{exec::kLanes} * ((kPoints + 15) / 16));
        tls_.assign(size_t{16} * program.info.tls_bytes * exec::kMaxPatchWarps, 0xA5);
    }

    Results run(const PatchEngine& engine) {
        exec::DrawContext draw;
        draw.fau = fau_.data();
        draw.info = &program_.info;
        draw.tables.constant_buffers = constants_.data();
        draw.tables.constant_buffer_count = 1;
        exec::ComputeCall call;
        call.draw = &draw;
        call.tls = reinterpret_cast<uintptr_t>(tls_.data());
        call.contexts = contexts_.data();
        const auto records = [&](exec::ResourceTable table) -> exec::RecordTable& {
            return call.records[static_cast<unsigned>(table) - exec::kFirstRecordTable];
        };
        records(exec::ResourceTable::InputRecords) = {inputs_.data(), input_stride_};
        records(exec::ResourceTable::VertexRecords) = {outputs_.data(), output_stride_};
        records(exec::ResourceTable::PatchRecords) = {patches_.data(), patch_stride_};
        records(exec::ResourceTable::DomainPoints) = {reinterpret_cast<uint8_t*>(points_.data()),
                                                      sizeof(exec::DomainPoint)};
        const exec::ComputeInfo& info = program_.info.compute;
        std::copy_n(info.block, 3, call.block);
        if (!test_.control) {
            call.group_count = points_.size() / exec::kLanes;
            call.grid[0] = static_cast<uint32_t>(call.group_count);
            engine(call);
            return point_results();
        }
        const uint32_t together = info.block[1];
        call.group_count = kPatches / together;
        call.grid[0] = kPatches / together + 1;
        if (call.group_count != 0)
            engine(call);
        call.first_group = kPatches / together;
        call.group_count = 1;
        call.block[1] = kPatches % together;
        if (call.block[1] != 0)
            engine(call);
        return patch_results();
    }

private:
    void fill_inputs() {
        inputs_.assign(size_t{kPatches} * test_.vertices * input_stride_, 0xA5);
        patches_.assign(size_t{kPatches} * patch_stride_, 0);
        for (uint32_t patch = 0; patch < kPatches; ++patch) {
            uint8_t* const record = patches_.data() + size_t{patch} * patch_stride_;
            if (!test_.control)
                std::memcpy(record, test_.levels[patch].data(), 24);
            const uint32_t id = kFirstId + patch;
            std::memcpy(record + offsetof(exec::PatchRecord, id), &id, sizeof id);
            each_register(test_.shader, tgsi::File::Input,
                          [&](const tgsi::Declaration& d, uint32_t i) {
                              if (valhall::lower::is_of_patch(d.semantic)) {
                                  const auto place = *valhall::lower::patch_place(d, i);
                                  std::memcpy(record + place.offset,
                                              test_.patch_inputs[patch][i].data(), 4 * place.words);
                              } else {
                                  fill_vertices(d, i, patch);
                              }
                          });
        }
    }
    void fill_vertices(const tgsi::Declaration& d, uint32_t i, uint32_t patch) {
        const auto place = valhall::record_place(input_layout_.slots, d, i);
        for (uint32_t v = 0; place && v < test_.vertices; ++v)
            std::memcpy(inputs_.data() + size_t{input_stride_} * (patch * test_.vertices + v) +
                            place->offset,
                        test_.inputs[patch][v][i].data(), place->bytes);
    }
    Word4 output(uint32_t record, const tgsi::Declaration& d, uint32_t i) const {
        Word4 word{};
        if (const auto place = valhall::record_place(output_layout_.slots, d, i))
            std::memcpy(word.data(),
                        outputs_.data() + size_t{record} * output_stride_ + place->offset,
                        place->bytes);
        return word;
    }
    Results point_results() const {
        Results results;
        each_register(test_.shader, tgsi::File::Output,
                      [&](const tgsi::Declaration& d, uint32_t i) {
                          for (uint32_t point = 0; point < kPoints; ++point)
                              results["point " + std::to_string(point) + register_name(i)] =
                                  output(point, d, i);
                      });
        return results;
    }
    Results patch_results() const {
        Results results;
        each_register(
            test_.shader, tgsi::File::Output, [&](const tgsi::Declaration& d, uint32_t i) {
                for (uint32_t patch = 0; patch < kPatches; ++patch) {
                    const std::string name = "patch " + std::to_string(patch);
                    if (valhall::lower::is_of_patch(d.semantic)) {
                        const auto place = *valhall::lower::patch_place(d, i);
                        Word4 word{};
                        std::memcpy(word.data(),
                                    patches_.data() + size_t{patch} * patch_stride_ + place.offset,
                                    4 * place.words);
                        results[name + register_name(i)] = word;
                    }
                    for (uint32_t v = 0;
                         !valhall::lower::is_of_patch(d.semantic) && v < test_.outputs; ++v)
                        results[name + " vertex " + std::to_string(v) + register_name(i)] =
                            output(patch * test_.outputs + v, d, i);
                }
            });
        return results;
    }

    const PatchCase& test_;
    const valhall::Program& program_;
    std::vector<uint32_t> fau_;
    std::vector<uint32_t> constant_words_;
    std::array<exec::BufferDescriptor, 1> constants_;
    valhall::VaryingLayout input_layout_;
    valhall::VaryingLayout output_layout_;
    uint32_t input_stride_ = 0;
    uint32_t output_stride_ = 0;
    uint32_t patch_stride_ = 0;
    std::vector<uint8_t> inputs_;
    std::vector<uint8_t> outputs_;
    std::vector<uint8_t> patches_;
    std::vector<uint8_t> tls_;
    std::vector<exec::DomainPoint> points_;
    std::array<exec::WarpContext, exec::kMaxPatchWarps> contexts_;
};

/// The first difference; empty if there is none.
std::string difference(const Results& expected, const Results& actual) {
    for (const auto& [name, value] : expected) {
        const auto found = actual.find(name);
        if (found == actual.end())
            return name + " is missing";
        if (found->second == value)
            continue;
        std::array<char, 100> text{};
        const Word4& b = found->second;
        std::snprintf(text.data(), text.size(),
                      " is %08x %08x %08x %08x instead of %08x %08x %08x %08x", b[0], b[1], b[2],
                      b[3], value[0], value[1], value[2], value[3]);
        return name + text.data();
    }
    return {};
}

void check_patches(std::string_view text, std::initializer_list<uint32_t> patch_vertices) {
    Random random(11);
    for (const uint32_t vertices : patch_vertices) {
        CAPTURE(vertices);
        const PatchCase test = make_patches(text, vertices, random);
        const auto program = valhall::compile(test.shader);
        if (!program)
            FAIL(program.error().format("shader"));
        for (const auto& issue : valhall::validate(*program))
            FAIL(issue.text);
        const Results expected = interpret_patches(test);
        REQUIRE_FALSE(expected.empty());
        auto interpreter = valhall::Interpreter::create(*program, {});
        REQUIRE(interpreter.has_value());
        CHECK(difference(expected, PatchMemory(test, *program).run([&](exec::ComputeCall& call) {
                  interpreter->run(call);
              })) == "");
        const exec::VertexKey key;
        for (const auto& recompiler : recompilers())
            for (const bool inlined : {true, false}) {
                CAPTURE(jit::host_level_name(recompiler->level()));
                jit::RecompileOptions options;
                options.inline_messages = inlined;
                const auto kernel = recompiler->recompile(*program, {.vertex = &key}, options);
                REQUIRE_MESSAGE(kernel.has_value(), kernel.error().format("words"));
                CHECK(difference(expected,
                                 PatchMemory(test, *program).run([&](exec::ComputeCall& call) {
                                     (*kernel)->entry()(call);
                                 })) == "");
            }
    }
}

/// A control shader with `vertices` output vertices, and more declarations and instructions.
std::string control(uint32_t vertices, const std::string& more) {
    return "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT " + std::to_string(vertices) + "\n" + more;
}

constexpr const char* kBodyOfNeighbours = R"(DCL IN[][0], POSITION
DCL IN[][1], GENERIC[3]
DCL IN[][2].x, PSIZE
DCL SV[0], INVOCATIONID
DCL SV[1], PRIM_ID
DCL SV[2], VERTICESIN
DCL OUT[][0], POSITION
DCL OUT[][1], GENERIC[4]
DCL OUT[][2].x, PSIZE
DCL OUT[3], TESSOUTER
DCL OUT[4].xy, TESSINNER
DCL OUT[5], PATCH[0]
DCL OUT[6].xz, PATCH[2]
DCL TEMP[0..2]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 5, 40}
IMM[1] FLT32 {2.0, 0.5, 1.0, 0.0}
  0: UARL ADDR[0].x, SV[0].xxxx
  1: UADD TEMP[0].x, SV[0].xxxx, IMM[0].yyyy
  2: UMOD TEMP[0].x, TEMP[0].xxxx, SV[2].xxxx
  3: UARL ADDR[1].x, TEMP[0].xxxx
  4: MOV OUT[ADDR[0].x][0], IN[ADDR[1].x][0].wzyx
  5: MOV OUT[ADDR[0].x][1].xyw, IN[0][1]
  6: MOV OUT[ADDR[0].x][2].x, IN[ADDR[1].x][2].xxxx
  7: BARRIER
  8: BARRIER
  9: XOR TEMP[0].y, SV[0].xxxx, IMM[0].yyyy
 10: UARL ADDR[1].x, TEMP[0].yyyy
 11: UADD TEMP[1].x, OUT[ADDR[1].x][0].xxxx, OUT[ADDR[1].x][2].xxxx
 12: MOV OUT[ADDR[0].x][1].z, TEMP[1].xxxx
 13: USEQ TEMP[0].z, SV[0].xxxx, IMM[0].xxxx
 14: UIF TEMP[0].zzzz :18
 15:   MOV OUT[3], IMM[1].xyzw
 16:   MOV OUT[4].xy, IN[1][1]
 17:   UADD OUT[5].x, SV[1].xxxx, IMM[0].zzzz
 18: ENDIF
 19: MOV OUT[5].yw, IN[ADDR[0].x][0]
 20: BARRIER
 21: MOV OUT[6].x, OUT[5].xxxx
 22: MOV OUT[6].z, OUT[3].yyyy
 23: END
)";

}  // namespace

TEST_CASE("control shaders of every size read inputs, and outputs of other invocations") {
    for (const uint32_t outputs : {1U, 2U, 3U, 4U, 7U, 16U, 17U, 32U})
        check_patches(control(outputs, kBodyOfNeighbours), {1, 3, 4, 32});
}

TEST_CASE("control shaders index outputs of patches and vertices that do not exist") {
    check_patches(control(3, R"(DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[][0], GENERIC[4]
DCL OUT[1], TESSOUTER
DCL OUT[2], PATCH[0]
DCL OUT[3], PATCH[1]
DCL OUT[4], PATCH[2]
DCL TEMP[0]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 2, 40}
  0: UADD TEMP[0].x, SV[0].xxxx, IMM[0].zzzz
  1: UARL ADDR[0].x, SV[0].xxxx
  2: UARL ADDR[1].x, TEMP[0].xxxx
  3: MOV OUT[ADDR[0].x+2].xz, IN[ADDR[1].x][0]
  4: MOV OUT[ADDR[1].x][0], IN[ADDR[0].x][0]
  5: MOV OUT[ADDR[1].x+2].y, IMM[0].wwww
  6: BARRIER
  7: MOV OUT[1].x, OUT[ADDR[1].x+1].xxxx
  8: MOV OUT[ADDR[0].x][0].w, OUT[ADDR[1].x+2].zzzz
  9: END
)"),
                  {1, 2, 5});
}

TEST_CASE("control shaders that read all vertices keep more values than there are registers") {
    std::string body = R"(DCL IN[][0], GENERIC[0]
DCL IN[][1], GENERIC[1]
DCL IN[][2], GENERIC[2]
DCL IN[][3], GENERIC[3]
DCL SV[0], INVOCATIONID
DCL SV[1], PRIM_ID
DCL OUT[][0], GENERIC[4]
DCL OUT[1], TESSOUTER
DCL TEMP[0..2]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 3, 40}
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: BGNLOOP :0
  2:   USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
  3:   UIF TEMP[0].yyyy :5
  4:     BRK
  5:   ENDIF
  6:   UADD TEMP[1].y, TEMP[1].yyyy, SV[1].xxxx
)";
    // The address of the patch record is read in the loop, and behind it.
    unsigned line = 7;
    const auto add = [&](const std::string& text) {
        body += std::to_string(line++) + ": " + text + "\n";
    };
    for (unsigned v = 0; v < 32; ++v)
        for (const char* reg : {"0", "1", "2", "3"})
            add("XOR TEMP[1], TEMP[1].yzwx, IN[" + std::to_string(v) + "][" + reg + "]");
    add("UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy");
    add("ENDLOOP :0");
    add("UARL ADDR[0].x, SV[0].xxxx");
    add("MOV OUT[ADDR[0].x][0], TEMP[1]");
    add("MOV OUT[1].x, IMM[0].wwww");
    add("END");
    check_patches(control(3, body), {1, 3, 32});
}

TEST_CASE("evaluation shaders read coordinates, levels, control points and outputs of patches") {
    check_patches(R"(TESS_EVAL
PROPERTY TES_PRIM_MODE 7
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[3]
DCL IN[2], PATCH[0]
DCL IN[3].xy, PATCH[1]
DCL IN[4], PATCH[2]
DCL SV[0], TESSCOORD
DCL SV[1], PRIM_ID
DCL SV[2], TESSOUTER
DCL SV[3], TESSINNER
DCL SV[4], VERTICESIN
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
DCL OUT[3], GENERIC[2]
DCL OUT[4].x, PSIZE
DCL TEMP[0..1]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 3, 40}
  0: MAD OUT[0], IN[0][0], SV[0].xxxx, IN[3][0]
  1: XOR OUT[1], IN[2][1].xxyy, SV[2]
  2: ADD OUT[2].xy, SV[0].yzzz, SV[3]
  3: UADD OUT[2].z, SV[1].xxxx, SV[4].xxxx
  4: UMOD TEMP[0].x, IN[2].xxxx, IMM[0].zzzz
  5: UARL ADDR[0].x, TEMP[0].xxxx
  6: UMOD TEMP[0].y, IN[3].yyyy, IMM[0].wwww
  7: UARL ADDR[1].x, TEMP[0].yyyy
  8: MOV OUT[3].xw, IN[ADDR[1].x][1].wzyx
  9: MOV OUT[3].y, IN[ADDR[0].x+2].xxxx
 10: MOV OUT[3].z, IN[4].wwww
 11: MOV OUT[4].x, IN[5][0].xxxx
 12: END
)",
                  {1, 3, 6, 32});
}

}  // namespace valkyr::test
