// Lowering: inputs and outputs of tessellation programs (GL 4.6 sections 11.2.1, 11.2.3).
// SPDX-License-Identifier: MIT
//
// Tessellation programs are compute programs on the records of patches. A lane of a control program
// is an output vertex: x of its local ID is the invocation, y counts the patches of a work-group. A
// lane of an evaluation program is a point of a domain (docs/rules/isa-notes.md, "Tessellation").
#include "exec/entry_registers.hpp"
#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/varyings.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::valhall {
namespace lower {
namespace {

using tgsi::Semantic;

/// Values of TES_PRIM_MODE (PIPE_PRIM_*) and TES_SPACING (PIPE_TESS_SPACING_*).
enum PrimMode : uint32_t { kIsolines = 1, kTriangles = 4, kQuads = 7 };
enum Spacing : uint32_t { kFractionalOdd = 0, kFractionalEven = 1 };

/// Components that the place of a semantic holds.
unsigned components_of(Semantic semantic) {
    switch (semantic) {
    case Semantic::PSize:
    case Semantic::PrimId: return 0x1;
    case Semantic::TessInner: return 0x3;
    default: return 0xF;
    }
}

}  // namespace

bool is_of_patch(Semantic semantic) {
    return semantic == Semantic::Patch || semantic == Semantic::TessOuter ||
           semantic == Semantic::TessInner || semantic == Semantic::PrimId;
}

std::optional<PatchPlace> patch_place(const tgsi::Declaration& declaration, uint32_t index) {
    const auto words = static_cast<uint32_t>(std::popcount(components_of(declaration.semantic)));
    switch (declaration.semantic) {
    case Semantic::TessOuter: return PatchPlace{offsetof(exec::PatchRecord, outer), words};
    case Semantic::TessInner: return PatchPlace{offsetof(exec::PatchRecord, inner), words};
    case Semantic::PrimId: return PatchPlace{offsetof(exec::PatchRecord, id), words};
    default: break;
    }
    const uint32_t slot = declaration.semantic_index + (index - declaration.first);
    if (declaration.semantic != Semantic::Patch || slot >= exec::kMaxPatchSlots)
        return std::nullopt;
    return PatchPlace{exec::varying_offset(slot), words};
}

/// The byte of a vertex record where a register of the stage before or behind lies.
std::optional<int32_t>
record_offset(const VaryingLayout& layout, const tgsi::Declaration& declaration, uint32_t index) {
    if (!declaration.has_semantic)
        return std::nullopt;
    if (declaration.semantic == Semantic::Position)
        return offsetof(exec::VertexRecord, position);
    if (declaration.semantic == Semantic::PSize)
        return offsetof(exec::VertexRecord, point_size);
    const auto slot = find_slot(layout, declaration, index);
    return slot ? std::optional(static_cast<int32_t>(exec::varying_offset(*slot))) : std::nullopt;
}

void Lowering::read_control_properties() {
    const uint32_t vertices = shader_.property("TCS_VERTICES_OUT", 0);
    if (vertices == 0 || vertices > exec::kMaxPatchVertices)
        return fail(Errc::OutOfRange,
                    "TCS_VERTICES_OUT is not 1 to " + std::to_string(exec::kMaxPatchVertices));
    info().patch.vertices = static_cast<uint8_t>(vertices);
    const uint32_t block[3] = {vertices, std::max(1U, exec::kLanes / vertices), 1};
    std::ranges::copy(block, info().compute.block);
    note_patch_slots();
}

void Lowering::read_evaluation_properties() {
    const uint32_t block[3] = {exec::kLanes, 1, 1};
    std::ranges::copy(block, info().compute.block);
    const Result<exec::TessellationInfo> tessellation = tessellation_info(shader_);
    if (!tessellation) {
        error_ = tessellation.error();
        return;
    }
    info().patch.tessellation = *tessellation;
    note_patch_slots();
}

void Lowering::note_patch_slots() {
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (!declaration.has_semantic || declaration.semantic != Semantic::Patch)
            continue;
        const uint64_t end =
            uint64_t{declaration.semantic_index} + (declaration.last - declaration.first) + 1;
        if (end > exec::kMaxPatchSlots)
            return fail(Errc::OutOfRange, "more than " + std::to_string(exec::kMaxPatchSlots) +
                                              " outputs of a patch");
        info().patch.slots = std::max(info().patch.slots, static_cast<uint8_t>(end));
    }
}

/// Numbers of the lane's patch, invocation or point; what is not used is removed as dead code.
void Lowering::begin_patch() {
    const Operand local = preload(exec::kLocalIdRegister);
    const Operand group = preload(exec::kWorkgroupIdRegister);
    if (shader_.stage == tgsi::Stage::TessCtrl) {
        patch_.invocation = b.bit_and(local, literal(0xFFFF));
        patch_.number = b.iadd(b.imul(group, literal(info().compute.block[1])),
                               b.shift_right(local, literal(16)));
        patch_.vertices = driver_value(exec::DriverValue::PatchVertices);
    } else {
        patch_.invocation =
            b.iadd(b.shift_left(group, literal(std::countr_zero(exec::kLanes))), local);
        const uint32_t point = load_words(
            b, record_address(exec::ResourceTable::DomainPoints, patch_.invocation), 0, 4);
        for (unsigned c = 0; c < 3; ++c)
            patch_.coordinate[c] = ir::value_operand(point + c);
        patch_.number = ir::value_operand(point + 3);
        patch_.vertices = options_.patch_vertices != 0
                              ? literal(options_.patch_vertices)
                              : driver_value(exec::DriverValue::PatchVertices);
    }
    patch_.address = record_address(exec::ResourceTable::PatchRecords, patch_.number);
    patch_.first_input = b.imul(patch_.number, patch_.vertices);
}

bool Lowering::is_patch_stage() const {
    return shader_.stage == tgsi::Stage::TessCtrl || shader_.stage == tgsi::Stage::TessEval;
}

/// Registers [first, last] whose places follow each other, `reg`'s constant part among them.
Lowering::PlaceRun Lowering::place_run(const tgsi::RegisterRef& reg) const {
    const VaryingLayout& layout =
        reg.file == tgsi::File::Input ? layouts_.inputs : layouts_.outputs;
    const auto place = [&](uint32_t index) -> std::optional<int32_t> {
        const tgsi::Declaration* declaration = declaration_of(reg.file, index);
        if (declaration == nullptr || !declaration->has_semantic)
            return std::nullopt;
        if (is_of_patch(declaration->semantic)) {
            const std::optional<PatchPlace> found = patch_place(*declaration, index);
            return found ? std::optional(static_cast<int32_t>(found->offset)) : std::nullopt;
        }
        return record_offset(layout, *declaration, index);
    };
    PlaceRun run;
    uint32_t base = static_cast<uint32_t>(reg.index.value);
    if (reg.index.indirect && reg.array_id != 0)
        base = indexed_range(reg).first;
    run.declaration = declaration_of(reg.file, base);
    run.first = run.last = base;
    const std::optional<int32_t> offset = place(base);
    if (!offset)
        return run;
    run.exists = true;
    run.offset = *offset;
    if (!reg.index.indirect)
        return run;
    while (place(run.last + 1) == *offset + static_cast<int32_t>(16 * (run.last + 1 - base)))
        ++run.last;
    while (run.first != 0 &&
           place(run.first - 1) == *offset - static_cast<int32_t>(16 * (base - run.first + 1)))
        --run.first;
    run.offset -= static_cast<int32_t>(16 * (base - run.first));
    return run;
}

/// The address of a register: the record's, moved by a computed index. `inside` becomes 0 where the
/// index is none of the run's.
Operand Lowering::indexed_address(const tgsi::RegisterRef& reg,
                                  const PlaceRun& run,
                                  Operand address,
                                  Operand& inside) {
    if (!reg.index.indirect)
        return address;
    if (reg.array_id != 0) {
        const RegisterRange array = indexed_range(reg);
        if (run.first > array.first || run.last < array.last)
            unsupported_here("indexing registers that do not lie in a row");
    }
    tgsi::RegisterIndex relative = reg.index;
    relative.value -= static_cast<int32_t>(run.first);
    const Operand at = index_value(relative);
    const uint32_t count = run.last - run.first + 1;
    const Operand limited = b.csel_u32(Condition::lt, at, literal(count), at, literal(0));
    inside = b.csel_u32(Condition::lt, at, literal(count), inside, literal(0));
    const Wide moved = address_sum(b, address, b.shift_left(limited, literal(4)));
    return b.pair(moved.low, moved.high);
}

/// The record of a vertex of the patch. `inside` becomes 0 where there is no such vertex.
Operand Lowering::vertex_address(const tgsi::RegisterRef& reg, Operand& inside) {
    const bool input = reg.file == tgsi::File::Input;
    const Operand vertices = input ? patch_.vertices : literal(info().patch.vertices);
    const Operand first =
        input ? patch_.first_input : b.imul(patch_.number, literal(info().patch.vertices));
    const auto table =
        input ? exec::ResourceTable::InputRecords : exec::ResourceTable::VertexRecords;
    const Operand vertex = reg.has_outer ? index_value(reg.outer) : patch_.invocation;
    const bool known = (vertex.kind == OperandKind::Literal &&
                        vertices.kind == OperandKind::Literal && vertex.value < vertices.value) ||
                       (!input && vertex == patch_.invocation);
    if (known)
        return record_address(table, b.iadd(first, vertex));
    const Operand limited = b.csel_u32(Condition::lt, vertex, vertices, vertex, literal(0));
    inside = b.csel_u32(Condition::lt, vertex, vertices, inside, literal(0));
    return record_address(table, b.iadd(first, limited));
}

/// Reads components of an input or, in control programs, of an output. Vertices and registers that
/// do not exist read as 0.
Vec4 Lowering::load_patch_register(const tgsi::RegisterRef& reg, unsigned wanted) {
    Vec4 values{literal(0), literal(0), literal(0), literal(0)};
    const PlaceRun run = place_run(reg);
    if (run.declaration == nullptr) {
        fail(Errc::Semantic, "a register of a patch is not declared");
        return values;
    }
    wanted &= components_of(run.declaration->semantic);
    if (!run.exists || wanted == 0)
        return values;
    const bool of_patch = is_of_patch(run.declaration->semantic);
    const Operand one = literal(1);
    Operand inside = one;
    Operand address = of_patch ? patch_.address : vertex_address(reg, inside);
    address = indexed_address(reg, run, address, inside);
    const auto first = static_cast<unsigned>(std::countr_zero(wanted));
    const unsigned count = static_cast<unsigned>(std::bit_width(wanted)) - first;
    const uint32_t words =
        load_words(b, address, run.offset + static_cast<int32_t>(4 * first), count);
    for (unsigned c = 0; c < count; ++c) {
        const Operand value = ir::value_operand(words + c);
        values[first + c] = inside == one
                                ? value
                                : b.csel_u32(Condition::ne, inside, literal(0), value, literal(0));
    }
    return values;
}

/// All components that the program reads anywhere of an input with constant numbers.
void Lowering::load_patch_input(uint32_t index) {
    tgsi::RegisterRef reg;
    reg.file = tgsi::File::Input;
    reg.index.value = static_cast<int32_t>(index % input_registers_);
    const tgsi::Declaration* declaration =
        declaration_of(tgsi::File::Input, index % input_registers_);
    reg.has_outer = declaration != nullptr && !is_of_patch(declaration->semantic);
    reg.outer.value = static_cast<int32_t>(index / input_registers_);
    const Vec4 values = load_patch_register(reg, input_used_[index]);
    for (unsigned c = 0; c < 4; ++c)
        flow.set(inputs_.base + index * 4 + c, values[c]);
}

/// A component of a register with computed numbers, or of an output. The components that the
/// instruction reads are loaded together.
Operand Lowering::read_patch_register(const tgsi::RegisterRef& reg, unsigned component) {
    if (last_patch_register_ != reg || last_patch_values_[component].kind == OperandKind::None) {
        const uint8_t wanted = constant_components(reg, component);
        last_patch_values_ = load_patch_register(reg, wanted);
        for (unsigned c = 0; c < 4; ++c)
            if ((wanted >> c & 1) == 0)
                last_patch_values_[c] = {};
        last_patch_register_ = reg;
    }
    return last_patch_values_[component];
}

/// Stores to an output of a control program; stores to what does not exist vanish.
void Lowering::store_patch_register(const tgsi::Dst& dst, const Vec4& values) {
    const PlaceRun run = place_run(dst.reg);
    if (run.declaration == nullptr)
        return fail(Errc::Semantic, "destination register is not declared");
    if (!run.exists)
        return;  // no stage reads it
    const bool of_patch = is_of_patch(run.declaration->semantic);
    const Operand one = literal(1);
    Operand inside = one;
    Operand address = of_patch ? patch_.address : vertex_address(dst.reg, inside);
    address = indexed_address(dst.reg, run, address, inside);
    if (inside != one)
        flow.begin_if(b.icmp_u32(Condition::ne, ResultType::m1, inside, literal(0)));
    const unsigned written = dst.write_mask & components_of(run.declaration->semantic);
    each_run(written, [&](unsigned first, unsigned count) {
        store_words(b, address, run.offset + static_cast<int32_t>(4 * first),
                    {&values[first], count});
    });
    if (inside != one)
        flow.end_if();
}

/// System values of tessellation programs; kind None for other semantics.
Operand Lowering::patch_value(Semantic semantic, unsigned component) {
    const auto word = [&](int32_t offset) {
        return ir::value_operand(load_words(b, patch_.address, offset, 1));
    };
    const auto at = static_cast<int32_t>(4 * component);
    switch (semantic) {
    case Semantic::InvocationId: return patch_.invocation;
    case Semantic::VerticesIn: return patch_.vertices;
    case Semantic::PrimId: return word(offsetof(exec::PatchRecord, id));
    case Semantic::TessCoord: return component < 3 ? patch_.coordinate[component] : literal(0);
    case Semantic::TessOuter: return word(offsetof(exec::PatchRecord, outer) + at);
    case Semantic::TessInner:
        return component < 2 ? word(offsetof(exec::PatchRecord, inner) + at) : literal(0);
    default: return {};
    }
}

void Lowering::finish_evaluation() {
    note_clip_distances();
    store_record(record_address(exec::ResourceTable::VertexRecords, patch_.invocation));
    b.end_program();
}

}  // namespace lower

Result<exec::TessellationInfo> tessellation_info(const tgsi::Shader& shader) {
    exec::TessellationInfo info;
    switch (shader.property("TES_PRIM_MODE", 0)) {
    case lower::kIsolines: info.domain = exec::TessellationDomain::Isolines; break;
    case lower::kTriangles: info.domain = exec::TessellationDomain::Triangles; break;
    case lower::kQuads: info.domain = exec::TessellationDomain::Quads; break;
    default: return Error{Errc::Semantic, {}, "TES_PRIM_MODE names no domain"};
    }
    switch (shader.property("TES_SPACING", 0)) {
    case lower::kFractionalOdd: info.spacing = exec::TessellationSpacing::FractionalOdd; break;
    case lower::kFractionalEven: info.spacing = exec::TessellationSpacing::FractionalEven; break;
    default: info.spacing = exec::TessellationSpacing::Equal; break;
    }
    info.clockwise = shader.property("TES_VERTEX_ORDER_CW", 0) != 0;
    info.point_mode = shader.property("TES_POINT_MODE", 0) != 0;
    return info;
}

}  // namespace valkyr::valhall
