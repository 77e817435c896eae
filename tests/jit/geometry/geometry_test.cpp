// Geometry test: compiled geometry shaders emit what the TGSI interpreter emits, on every engine.
// SPDX-License-Identifier: MIT
#include "exec/vertex_record.hpp"
#include "tests/jit/geometry/uniform_area.hpp"
#include "tests/jit/harness.hpp"
#include "tests/support/random.hpp"
#include "tests/valhall/compiler/random_shader.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/compiler/program_io.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/validator/validate.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::test {
namespace {

using tgsi::Word4;

constexpr uint32_t kInputVertices = 23;
constexpr uint32_t kPrimitives = 19;  ///< a whole warp and some more

tgsi::Shader parse_geometry(std::string_view text) {
    tgsi::ParseResult parsed = tgsi::parse(text);
    for (const Error& error : parsed.errors)
        FAIL(error.format("shader"));
    for (const Error& error : tgsi::verify(parsed.shader))
        FAIL(error.format("shader"));
    return std::move(parsed.shader);
}

/// An emitted vertex.
struct Vertex {
    uint32_t stream = 0;
    bool begins = false;
    std::vector<Word4> outputs;  ///< by OUT register
};

/// One call: a shader, primitives with all their invocations, and their vertices.
struct GeometryCase {
    tgsi::Shader shader;
    exec::GeometryInfo info;
    uint32_t registers = 0;                     ///< IN registers of a vertex
    std::vector<std::vector<Word4>> vertices;   ///< [vertex][register]
    std::vector<std::array<uint32_t, 6>> used;  ///< by primitive
    std::vector<uint32_t> ids;                  ///< by primitive
    std::vector<uint32_t> constants;            ///< words of CONST

    [[nodiscard]] uint32_t pairs() const {
        return static_cast<uint32_t>(used.size()) * info.invocations;
    }
};

GeometryCase make_case(std::string_view text, Random& random) {
    GeometryCase test;
    test.shader = parse_geometry(text);
    const auto info = valhall::geometry_info(test.shader);
    REQUIRE(info.has_value());
    test.info = *info;
    for (const tgsi::Declaration& d : test.shader.declarations)
        if (d.file == tgsi::File::Input)
            test.registers = std::max(test.registers, d.last + 1);
    for (uint32_t v = 0; v < kInputVertices; ++v) {
        std::vector<Word4> row(test.registers);
        for (Word4& word : row)
            for (uint32_t& component : word)
                component = interesting_word(random);
        test.vertices.push_back(std::move(row));
    }
    for (uint32_t p = 0; p < kPrimitives; ++p) {
        std::array<uint32_t, 6> vertices{};
        for (uint32_t& vertex : vertices)
            vertex = random.below(kInputVertices);
        test.used.push_back(vertices);
        test.ids.push_back(random.below(1000));
    }
    for (unsigned i = 0; i < 32; ++i)
        test.constants.push_back(interesting_word(random));
    return test;
}

/// The vertices that the TGSI interpreter emits, by pair of primitive and invocation.
std::vector<std::vector<Vertex>> run_tgsi(const GeometryCase& test) {
    auto interpreter = tgsi::Interpreter::create(test.shader);
    REQUIRE(interpreter.has_value());
    std::vector<std::vector<Vertex>> result;
    for (size_t p = 0; p < test.used.size(); ++p) {
        tgsi::Group group;
        group.constants = {test.constants};
        for (unsigned v = 0; v < exec::vertices_of(test.info.input); ++v)
            group.vertex_inputs.push_back(test.vertices[test.used[p][v]]);
        for (uint32_t i = 0; i < test.info.invocations; ++i) {
            tgsi::Invocation invocation;
            invocation.inputs.resize(test.registers);
            for (const tgsi::Declaration& d : test.shader.declarations) {
                if (d.file == tgsi::File::Input && d.semantic == tgsi::Semantic::PrimId)
                    invocation.inputs[d.first].fill(test.ids[p]);
                if (d.file == tgsi::File::SystemValue) {
                    invocation.system_values.resize(d.last + 1);
                    invocation.system_values[d.first].fill(i);
                }
            }
            group.invocations.push_back(std::move(invocation));
        }
        REQUIRE(interpreter->run(group).has_value());
        for (const tgsi::Invocation& invocation : group.invocations) {
            std::array<bool, exec::kMaxStreams> begins{true, true, true, true};
            std::vector<Vertex> vertices;
            for (const tgsi::Emission& emission : invocation.emissions) {
                if (!emission.ends_primitive)
                    vertices.push_back(
                        {emission.stream, begins[emission.stream], emission.outputs});
                begins[emission.stream] = emission.ends_primitive;
            }
            result.push_back(std::move(vertices));
        }
    }
    return result;
}

/// The memory of a call.
struct CallMemory {
    std::vector<uint8_t> inputs;
    std::vector<uint8_t> records;
    std::vector<uint8_t> tls;
    std::array<std::vector<uint32_t>, exec::kMaxInputVertices> vertices;
    std::vector<uint32_t> ids;
    std::vector<uint32_t> invocations;
};

void write_inputs(const GeometryCase& test,
                  const valhall::VaryingLayout& layout,
                  std::vector<uint8_t>& bytes) {
    const uint32_t stride = exec::record_stride(static_cast<uint32_t>(layout.slots.size()));
    bytes.assign(size_t{stride} * kInputVertices, 0xA5);
    for (const tgsi::Declaration& d : test.shader.declarations)
        for (uint32_t i = d.first; d.file == tgsi::File::Input && i <= d.last; ++i)
            if (const auto place = valhall::record_place(layout.slots, d, i))
                for (uint32_t v = 0; v < kInputVertices; ++v)
                    std::memcpy(bytes.data() + size_t{stride} * v + place->offset,
                                test.vertices[v][i].data(), place->bytes);
}

/// The OUT registers in a record.
std::vector<Word4> read_outputs(const tgsi::Shader& shader,
                                const valhall::VaryingLayout& layout,
                                const uint8_t* record) {
    std::vector<Word4> outputs;
    for (const tgsi::Declaration& d : shader.declarations)
        for (uint32_t i = d.first; d.file == tgsi::File::Output && i <= d.last; ++i) {
            outputs.resize(std::max<size_t>(outputs.size(), i + 1));
            if (const auto place = valhall::record_place(layout.slots, d, i))
                std::memcpy(outputs[i].data(), record + place->offset, place->bytes);
        }
    return outputs;
}

std::vector<std::vector<Vertex>>
run_compiled(const GeometryCase& test,
             const valhall::Program& program,
             const std::function<void(exec::GeometryCall&)>& engine) {
    const auto layout = valhall::standalone_varyings(test.shader);
    const auto input_layout = valhall::input_varyings(test.shader);
    REQUIRE((layout.has_value() && input_layout.has_value()));
    CallMemory memory;
    write_inputs(test, *input_layout, memory.inputs);
    const uint32_t stride = exec::record_stride(static_cast<uint32_t>(layout->slots.size()));
    const uint32_t records = exec::emission_records(test.info.max_vertices);
    const uint32_t padded = (test.pairs() + exec::kLanes - 1) / exec::kLanes * exec::kLanes;
    memory.records.assign(size_t{padded} * records * stride, 0x5A);
    memory.tls.assign(size_t{program.info.tls_bytes} * exec::kLanes + 64, 0);
    for (uint32_t pair = 0; pair < padded; ++pair) {
        const uint32_t p = std::min(pair, test.pairs() - 1) / test.info.invocations;
        for (unsigned v = 0; v < exec::kMaxInputVertices; ++v)
            memory.vertices[v].push_back(test.used[p][v]);
        memory.ids.push_back(test.ids[p]);
        memory.invocations.push_back(pair % test.info.invocations);
    }
    exec::DrawContext draw;
    const std::vector<uint32_t> fau = uniform_area(program, test.constants, 0);
    draw.fau = fau.data();
    draw.info = &program.info;
    exec::GeometryCall call;
    call.out.draw = &draw;
    call.out.records = memory.records.data();
    call.out.record_stride = stride;
    call.out.count = test.pairs();
    call.out.tls = (reinterpret_cast<uint64_t>(memory.tls.data()) + 63) & ~uint64_t{63};
    for (unsigned v = 0; v < exec::kMaxInputVertices; ++v)
        call.vertices[v] = memory.vertices[v].data();
    call.primitive_ids = memory.ids.data();
    call.invocations = memory.invocations.data();
    call.inputs = memory.inputs.data();
    call.input_stride = exec::record_stride(static_cast<uint32_t>(input_layout->slots.size()));
    engine(call);

    std::vector<std::vector<Vertex>> result;
    for (uint32_t pair = 0; pair < test.pairs(); ++pair) {
        const uint8_t* first = memory.records.data() + size_t{pair} * records * stride;
        const auto word = [&](uint32_t record) {
            uint32_t value = 0;
            std::memcpy(&value,
                        first + size_t{record} * stride + offsetof(exec::VertexRecord, emission),
                        sizeof(value));
            return value;
        };
        std::vector<Vertex> vertices;
        REQUIRE(word(test.info.max_vertices) <= test.info.max_vertices);
        for (uint32_t v = 0; v < word(test.info.max_vertices); ++v)
            vertices.push_back({word(v) & exec::kEmissionStream,
                                (word(v) & exec::kEmissionBegins) != 0,
                                read_outputs(test.shader, *layout, first + size_t{v} * stride)});
        result.push_back(std::move(vertices));
    }
    return result;
}

std::string hex(const Word4& value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%08x %08x %08x %08x", value[0], value[1], value[2],
                  value[3]);
    return text.data();
}

/// The first difference; empty if there is none.
std::string compare(const std::vector<std::vector<Vertex>>& expected,
                    const std::vector<std::vector<Vertex>>& actual) {
    for (size_t pair = 0; pair < expected.size(); ++pair) {
        const std::string where = "pair " + std::to_string(pair);
        if (expected[pair].size() != actual[pair].size())
            return where + ": " + std::to_string(actual[pair].size()) + " vertices instead of " +
                   std::to_string(expected[pair].size());
        for (size_t v = 0; v < expected[pair].size(); ++v) {
            const Vertex& a = expected[pair][v];
            const Vertex& b = actual[pair][v];
            if (a.stream != b.stream || a.begins != b.begins)
                return where + " vertex " + std::to_string(v) + ": stream or strip";
            for (size_t i = 0; i < a.outputs.size(); ++i)
                if (a.outputs[i] != b.outputs[i])
                    return where + " vertex " + std::to_string(v) + ": OUT[" + std::to_string(i) +
                           "] is " + hex(b.outputs[i]) + " instead of " + hex(a.outputs[i]);
        }
    }
    return {};
}

void check(std::string_view text, unsigned count) {
    Random random(7);
    for (unsigned round = 0; round < count; ++round) {
        const GeometryCase test = make_case(text, random);
        const auto program = valhall::compile(test.shader);
        if (!program)
            FAIL(program.error().format("shader"));
        for (const auto& issue : valhall::validate(*program))
            FAIL(issue.text);
        const auto expected = run_tgsi(test);
        auto interpreter = valhall::Interpreter::create(*program, {});
        REQUIRE(interpreter.has_value());
        CHECK(compare(expected, run_compiled(test, *program, [&](exec::GeometryCall& call) {
                          interpreter->run(call);
                      })) == "");
        const exec::VertexKey key;
        for (const auto& recompiler : recompilers())
            for (const bool inlined : {true, false}) {
                jit::RecompileOptions options;
                options.inline_messages = inlined;
                const auto kernel = recompiler->recompile(*program, {.vertex = &key}, options);
                REQUIRE_MESSAGE(kernel.has_value(), kernel.error().format("words"));
                CHECK(compare(expected, run_compiled(test, *program, [&](exec::GeometryCall& call) {
                                  (*kernel)->entry()(call);
                              })) == "");
            }
    }
}

void check(std::string_view text) {
    check(text, rounds(4));
}

TEST_CASE("geometry shaders read vertices by number and emit strips") {
    check(R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 3
PROPERTY GS_INVOCATIONS 1
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[3]
DCL IN[][2].xy, GENERIC[5]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].xy, GENERIC[1]
IMM[0] UINT32 {0, 0, 0, 0}
  0: MOV OUT[0], IN[0][0]
  1: MOV OUT[1], IN[0][1].wzyx
  2: MOV OUT[2].xy, IN[1][2]
  3: EMIT IMM[0].xxxx
  4: MOV OUT[0], IN[1][0]
  5: ADD OUT[1].xy, IN[1][1], IN[2][1]
  6: EMIT IMM[0].xxxx
  7: MOV OUT[0].x, IN[2][0]
  8: EMIT IMM[0].xxxx
  9: ENDPRIM IMM[0].xxxx
 10: END
)");
}

TEST_CASE("geometry shaders compute the vertex that they read") {
    check(R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY
PROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 9
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[3]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL TEMP[0..1]
DCL ADDR[0..1]
IMM[0] UINT32 {0, 1, 7, 0}
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: BGNLOOP :0
  2:   USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz
  3:   UIF TEMP[0].yyyy :5
  4:     BRK
  5:   ENDIF
  6:   UARL ADDR[1].x, TEMP[0].xxxx
  7:   MOV OUT[0], IN[ADDR[1].x][0]
  8:   MOV OUT[1].xz, IN[ADDR[1].x][1].yyww
  9:   EMIT IMM[0].xxxx
 10:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
 11: ENDLOOP :0
 12: END
)");
}

TEST_CASE("invocations, primitive IDs and divergent ends of strips") {
    check(R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE LINES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 5
PROPERTY GS_INVOCATIONS 4
DCL IN[][0], POSITION
DCL IN[][1], PRIM_ID
DCL SV[0], INVOCATIONID
DCL OUT[0], POSITION
DCL OUT[1].x, PRIM_ID
DCL TEMP[0..1]
IMM[0] UINT32 {0, 1, 2, 3}
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: UADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy
  2: UADD TEMP[1].z, TEMP[1].xxxx, TEMP[1].xxxx
  3: BGNLOOP :0
  4:   USGE TEMP[0].y, TEMP[0].xxxx, TEMP[1].zzzz
  5:   UIF TEMP[0].yyyy :7
  6:     BRK
  7:   ENDIF
  8:   AND TEMP[1].y, TEMP[0].xxxx, IMM[0].yyyy
  9:   MOV OUT[0], IN[0][0]
 10:   UIF TEMP[1].yyyy :13
 11:     MOV OUT[0].yz, IN[1][0]
 12:     ENDPRIM IMM[0].xxxx
 13:   ENDIF
 14:   UADD OUT[1].x, IN[1].xxxx, SV[0].xxxx
 15:   EMIT IMM[0].xxxx
 16:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
 17: ENDLOOP :0
 18: END
)");
}

TEST_CASE("streams have strips of their own") {
    check(R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 6
DCL IN[][0], POSITION
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[1], STREAM(1, 1, 3, 1)
IMM[0] UINT32 {0, 1, 2, 3}
  0: MOV OUT[0], IN[0][0]
  1: EMIT IMM[0].xxxx
  2: MOV OUT[1], IN[0][0].yzwx
  3: EMIT IMM[0].yyyy
  4: ENDPRIM IMM[0].yyyy
  5: EMIT IMM[0].wwww
  6: EMIT IMM[0].yyyy
  7: END
)");
}

/// Checks `count` random shaders, one per seed.
void check_random(unsigned count, const RandomShaderOptions& options) {
    for (unsigned seed = 1; seed <= rounds(count); ++seed) {
        std::mt19937 random(seed);
        const std::string text = random_shader(random, options);
        CAPTURE(text);
        CAPTURE(seed);
        check(text, 2);
    }
}

TEST_CASE("random geometry shaders emit the same on every engine") {
    check_random(20, {.instructions = 20, .geometry = true});
    check_random(20, {.instructions = 12, .control_flow = true, .geometry = true});
    check_random(10,
                 {.instructions = 12, .control_flow = true, .indirect = true, .geometry = true});
    check_random(10,
                 {.instructions = 12, .control_flow = true, .subroutines = true, .geometry = true});
}

TEST_CASE("geometry_info() refuses properties that geometry shaders cannot have") {
    const auto refused = [](const std::string& property) {
        const tgsi::ParseResult parsed = tgsi::parse("GEOM\n" + property + "\n  0: END\n");
        return !valhall::geometry_info(parsed.shader).has_value();
    };
    CHECK(refused("PROPERTY GS_MAX_OUTPUT_VERTICES 257"));
    CHECK(refused("PROPERTY GS_INVOCATIONS 33"));
    CHECK(refused("PROPERTY GS_INVOCATIONS 0"));
    CHECK(refused("PROPERTY GS_INPUT_PRIMITIVE LINE_STRIP"));
    CHECK(refused("PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLES"));
    CHECK_FALSE(refused("PROPERTY GS_MAX_OUTPUT_VERTICES 256"));
}

}  // namespace
}  // namespace valkyr::test
