// Lowering: inputs, EMIT and ENDPRIM of geometry programs (GL 4.6 section 11.3).
// SPDX-License-Identifier: MIT
//
// A lane is a pair of an input primitive and an invocation. It reads vertex records that the stage
// before has written, and writes its own run of them (docs/rules/isa-notes.md, "Vertex records").
#include "exec/entry_registers.hpp"
#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/varyings.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <bit>

namespace valkyr::valhall {
namespace lower {
namespace {

constexpr int32_t kEmissionOffset = offsetof(exec::VertexRecord, emission);
constexpr unsigned kBeginsShift = std::countr_zero(uint32_t{exec::kEmissionBegins});
/// All streams begin a strip.
constexpr uint32_t kAllBegin = (1U << exec::kMaxStreams) - 1;

void lower_emit(Lowering& l, const Instruction& inst, const Rule&) {
    l.emit_vertex(inst);
}

void lower_endprim(Lowering& l, const Instruction& inst, const Rule&) {
    l.end_primitive(inst);
}

constexpr Rule kGeometryRules[] = {
    {Opcode::EMIT, lower_emit},
    {Opcode::ENDPRIM, lower_endprim},
};

/// Values of GS_INPUT_PRIMITIVE and GS_OUTPUT_PRIMITIVE (tgsi.rst "Properties": PIPE_PRIM_*).
enum PipePrimitive : uint32_t {
    kPoints = 0,
    kLines = 1,
    kLineStrip = 3,
    kTriangles = 4,
    kTriangleStrip = 5,
    kLinesAdjacency = 10,
    kTrianglesAdjacency = 12,
};

std::optional<exec::InputPrimitive> input_primitive(uint32_t value) {
    switch (value) {
    case kPoints: return exec::InputPrimitive::Points;
    case kLines: return exec::InputPrimitive::Lines;
    case kLinesAdjacency: return exec::InputPrimitive::LinesAdjacency;
    case kTriangles: return exec::InputPrimitive::Triangles;
    case kTrianglesAdjacency: return exec::InputPrimitive::TrianglesAdjacency;
    default: return std::nullopt;
    }
}

std::optional<exec::OutputPrimitive> output_primitive(uint32_t value) {
    switch (value) {
    case kPoints: return exec::OutputPrimitive::Points;
    case kLineStrip: return exec::OutputPrimitive::LineStrip;
    case kTriangleStrip: return exec::OutputPrimitive::TriangleStrip;
    default: return std::nullopt;
    }
}

}  // namespace

std::span<const Rule> geometry_rules() {
    return kGeometryRules;
}

void Lowering::read_geometry_properties() {
    const Result<exec::GeometryInfo> geometry = geometry_info(shader_);
    if (!geometry) {
        error_ = geometry.error();
        return;
    }
    info().geometry = *geometry;
    note_clip_distances();
}

/// Addresses of the input vertices; unused ones are removed as dead code.
void Lowering::begin_geometry() {
    const unsigned vertices = exec::vertices_of(info().geometry.input);
    for (unsigned v = 0; v < vertices; ++v)
        input_addresses_[v] =
            record_address(exec::ResourceTable::InputRecords,
                           preload(static_cast<uint8_t>(exec::kInputRecordRegister + v)));
    flow.set(scratch(kEmittedScratch), literal(0));
    flow.set(scratch(kBeginsScratch), literal(kAllBegin));
}

/// All components of an input that the program reads anywhere, in one load.
void Lowering::load_vertex_input(uint32_t index) {
    const uint32_t reg = index % input_registers_;
    const tgsi::Declaration* declaration = declaration_of(tgsi::File::Input, reg);
    const unsigned used = input_used_[index];
    Vec4 values{literal(0), literal(0), literal(0), literal(0)};
    if (declaration == nullptr) {
        fail(Errc::Semantic, "input register is not declared");
    } else if (declaration->has_semantic && declaration->semantic == tgsi::Semantic::PrimId) {
        values.fill(preload(exec::kPrimitiveIdRegister));
    } else if (const auto offset = record_offset(layouts_.inputs, *declaration, reg);
               offset && used != 0) {
        const auto first = static_cast<unsigned>(std::countr_zero(used));
        const bool size = declaration->semantic == tgsi::Semantic::PSize;
        const unsigned count = size ? 1 : static_cast<unsigned>(std::bit_width(used)) - first;
        const uint32_t words =
            load_words(b, input_addresses_[index / input_registers_],
                       *offset + static_cast<int32_t>(size ? 0 : 4 * first), count);
        for (unsigned c = 0; c < count; ++c)
            values[size ? 0 : first + c] = ir::value_operand(words + c);
    }
    for (unsigned c = 0; c < 4; ++c)
        flow.set(inputs_.base + index * 4 + c, values[c]);
}

Operand Lowering::read_vertex_input(const tgsi::RegisterRef& reg, unsigned component) {
    if (!reg.has_outer) {
        fail(Errc::Semantic, "input of a vertex without the vertex");
        return literal(0);
    }
    return computed_vertex_input(reg, component);
}

/// Vertices and registers that do not exist read as 0.
Operand Lowering::computed_vertex_input(const tgsi::RegisterRef& reg, unsigned component) {
    const unsigned vertices = exec::vertices_of(info().geometry.input);
    const Operand vertex = index_value(reg.outer);
    Operand record = preload(exec::kInputRecordRegister);
    for (unsigned v = 1; v < vertices; ++v)
        record = b.csel_u32(Condition::eq, vertex, literal(v),
                            preload(static_cast<uint8_t>(exec::kInputRecordRegister + v)), record);
    const PlaceRun run = place_run(reg);
    if (run.declaration == nullptr) {
        fail(Errc::Semantic, "input register is not declared");
        return literal(0);
    }
    const bool size = run.declaration->semantic == tgsi::Semantic::PSize;
    if (!run.exists || run.declaration->semantic == tgsi::Semantic::PrimId ||
        (size && component != 0))
        return literal(0);
    Operand inside = b.csel_u32(Condition::lt, vertex, literal(vertices), literal(1), literal(0));
    const Operand address = indexed_address(
        reg, run, record_address(exec::ResourceTable::InputRecords, record), inside);
    const Operand value = ir::value_operand(
        load_words(b, address, run.offset + static_cast<int32_t>(4 * component), 1));
    return b.csel_u32(Condition::ne, inside, literal(0), value, literal(0));
}

Operand Lowering::emission_element(Operand number) {
    const uint32_t records = exec::emission_records(info().geometry.max_vertices);
    return b.iadd(b.imul(preload(exec::kRecordNumberRegister), literal(records)), number);
}

/// The stream that EMIT or ENDPRIM names.
std::optional<unsigned> Lowering::stream_of(const Instruction& inst) {
    const Operand stream = inst.src_count != 0 ? src(inst, 0, 0) : literal(0);
    if (stream.kind != OperandKind::Literal || stream.value >= exec::kMaxStreams) {
        unsupported("a stream that is not a constant from 0 to " +
                    std::to_string(exec::kMaxStreams - 1));
        return std::nullopt;
    }
    return stream.value;
}

void Lowering::emit_vertex(const Instruction& inst) {
    const std::optional<unsigned> stream = stream_of(inst);
    if (!stream)
        return;
    info().geometry.streams |= static_cast<uint8_t>(1U << *stream);
    const uint32_t most = info().geometry.max_vertices;
    const Operand emitted = flow.get(scratch(kEmittedScratch));
    const Operand begins = flow.get(scratch(kBeginsScratch));
    const Operand address =
        record_address(exec::ResourceTable::VertexRecords, emission_element(emitted));
    store_record(address);
    const Operand flag =
        b.bit_and(*stream < kBeginsShift ? b.shift_left(begins, literal(kBeginsShift - *stream))
                                         : b.shift_right(begins, literal(*stream - kBeginsShift)),
                  literal(exec::kEmissionBegins));
    store_word(address, b.bit_or(flag, literal(*stream)), kEmissionOffset);
    flow.set(scratch(kBeginsScratch), b.bit_and(begins, literal(~(1U << *stream))));
    // Vertices beyond the limit go to the record behind.
    flow.set(scratch(kEmittedScratch), b.csel_u32(Condition::lt, emitted, literal(most),
                                                  b.iadd(emitted, literal(1)), literal(most)));
}

void Lowering::end_primitive(const Instruction& inst) {
    if (const std::optional<unsigned> stream = stream_of(inst))
        flow.set(scratch(kBeginsScratch),
                 b.bit_or(flow.get(scratch(kBeginsScratch)), literal(1U << *stream)));
}

void Lowering::finish_geometry() {
    const Operand behind = record_address(exec::ResourceTable::VertexRecords,
                                          emission_element(literal(info().geometry.max_vertices)));
    store_word(behind, flow.get(scratch(kEmittedScratch)), kEmissionOffset);
    b.end_program();
}

}  // namespace lower

namespace {

/// A property that a geometry shader cannot have.
Error refused(const tgsi::Shader& shader, std::string_view name, Errc code, std::string text) {
    for (const tgsi::Property& property : shader.properties)
        if (property.name == name)
            return {code, property.pos, std::string(name) + ' ' + std::move(text)};
    return {code, {}, std::string(name) + ' ' + std::move(text)};
}

}  // namespace

Result<exec::GeometryInfo> geometry_info(const tgsi::Shader& shader) {
    const auto input = lower::input_primitive(shader.property("GS_INPUT_PRIMITIVE", 0));
    const auto output = lower::output_primitive(shader.property("GS_OUTPUT_PRIMITIVE", 0));
    const uint32_t vertices = shader.property("GS_MAX_OUTPUT_VERTICES", 0);
    const uint32_t invocations = shader.property("GS_INVOCATIONS", 1);
    if (!input)
        return refused(shader, "GS_INPUT_PRIMITIVE", Errc::Semantic, "names no input primitive");
    if (!output)
        return refused(shader, "GS_OUTPUT_PRIMITIVE", Errc::Semantic, "names no output primitive");
    if (vertices > exec::kMaxEmittedVertices)
        return refused(shader, "GS_MAX_OUTPUT_VERTICES", Errc::OutOfRange,
                       "is above " + std::to_string(exec::kMaxEmittedVertices));
    if (invocations < 1 || invocations > exec::kMaxInvocations)
        return refused(shader, "GS_INVOCATIONS", Errc::OutOfRange,
                       "is not 1 to " + std::to_string(exec::kMaxInvocations));
    exec::GeometryInfo info;
    info.input = *input;
    info.output = *output;
    info.max_vertices = static_cast<uint16_t>(vertices);
    info.invocations = static_cast<uint8_t>(invocations);
    return info;
}

}  // namespace valkyr::valhall
