// Lowering: vertex attributes and fragment inputs.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "valhall/compiler/ir/varyings.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <bit>

namespace valkyr::valhall::lower {
namespace {

constexpr auto kAttributeTable = static_cast<int32_t>(exec::ResourceTable::Attributes);
/// LD_ATTR_IMM has four bits for the index, LD_VAR_BUF_IMM eight for the byte offset.
constexpr uint32_t kMaxImmediateAttribute = 15;
constexpr uint32_t kMaxImmediateOffset = 255;

/// The lowest run of ones in `mask`: first component and length.
struct Run {
    unsigned first = 0;
    unsigned count = 0;
};
Run first_run(unsigned mask) {
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    return {first, static_cast<unsigned>(std::countr_one(mask >> first))};
}

VectorSize vector_size(unsigned components) {
    constexpr std::array sizes{VectorSize::none, VectorSize::v2, VectorSize::v3, VectorSize::v4};
    return sizes[components - 1];
}

}  // namespace

std::optional<uint32_t> Lowering::input_number(const tgsi::RegisterRef& reg) const {
    const auto index = static_cast<uint32_t>(reg.index.value);
    if (reg.index.indirect || reg.outer.indirect)
        return std::nullopt;
    if (!lies_in_records(tgsi::File::Input) || !reg.has_outer)
        return index;
    const auto vertex = static_cast<uint32_t>(reg.outer.value);
    if (index >= input_registers_ || vertex >= input_vertices_)
        return std::nullopt;
    return vertex * input_registers_ + index;
}

Operand Lowering::load_input(uint32_t index, unsigned component) {
    if (index >= inputs_.count) {
        fail(Errc::Semantic, "input register is not declared");
        return literal(0);
    }
    const VarId var = inputs_.base + index * 4 + component;
    if (flow.get(var).kind == OperandKind::None) {
        input_used_[index] |= static_cast<uint8_t>(1U << component);
        load_input_now(index);
    }
    return flow.get(var);
}

void Lowering::load_input_now(uint32_t index) {
    if (shader_.stage == tgsi::Stage::Vertex) {
        load_attribute(index);
    } else if (shader_.stage == tgsi::Stage::Fragment) {
        load_fragment_input(index);
    } else if (shader_.stage == tgsi::Stage::Geometry) {
        load_vertex_input(index);
    } else if (is_patch_stage()) {
        load_patch_input(index);
    } else {
        unsupported_here("reading inputs");
        for (unsigned c = 0; c < 4; ++c)
            flow.set(inputs_.base + index * 4 + c, literal(0));
    }
}

/// LD_ATTR*: components 0 to the last one used. The register format follows the attribute's format
/// (float or integer), so that one program serves all.
void Lowering::load_attribute(uint32_t index) {
    if (index >= exec::kMaxAttributes) {
        fail(Errc::OutOfRange, "vertex input " + std::to_string(index) + " is beyond the limit " +
                                   std::to_string(exec::kMaxAttributes - 1));
        return;
    }
    const auto count = static_cast<unsigned>(std::bit_width(unsigned{input_used_[index]}));
    info().attributes_read |= 1U << index;
    const auto modifiers = [&](Op op) {
        return Spec(op)
            .with(Mod::vecsize, vector_size(count))
            .with(Mod::regfmt, RegisterFormat::auto_);
    };
    const Builder::Message message{.def_count = static_cast<uint8_t>(count),
                                   .staging = {},
                                   .imm = {static_cast<int32_t>(index), kAttributeTable}};
    const uint32_t first =
        index <= kMaxImmediateAttribute
            ? b.emit_message(modifiers(Op::LD_ATTR_IMM),
                             {preload(exec::kVertexIdRegister), preload(exec::kInstanceIdRegister)},
                             message)
                  .def
            : b.emit_message(modifiers(Op::LD_ATTR),
                             {preload(exec::kVertexIdRegister), preload(exec::kInstanceIdRegister),
                              literal(exec::make_handle(exec::ResourceTable::Attributes, index))},
                             {.def_count = message.def_count})
                  .def;
    for (unsigned c = 0; c < count; ++c)
        flow.set(inputs_.base + index * 4 + c, ir::value_operand(first + c));
}

Vec4 Lowering::load_varying(uint32_t index, uint8_t mask, SampleMode mode, Operand position) {
    Vec4 values{literal(0), literal(0), literal(0), literal(0)};
    const tgsi::Declaration* declaration = declaration_of(tgsi::File::Input, index);
    const std::optional<uint32_t> slot =
        declaration == nullptr ? std::nullopt : find_slot(layout(), *declaration, index);
    if (!slot)
        return values;
    const exec::VaryingSlot& row = layout().slots[*slot];
    info().varyings[*slot].components |= mask;
    const bool flat = row.interpolation == exec::Interpolation::Flat;
    const auto modifiers = [&](Op op, unsigned count) {
        return Spec(op)
            .with(Mod::vecsize, vector_size(count))
            .with(Mod::source_format, flat ? SourceFormat::src_flat32 : SourceFormat::src_f32)
            .with(Mod::sample, flat ? SampleMode::center : mode)
            .with(Mod::update, UpdateMode::store);
    };
    for (unsigned left = mask; left != 0;) {
        const Run run = first_run(left);
        left &= ~(((1U << run.count) - 1) << run.first);
        const uint32_t offset = *slot * 16 + run.first * 4;
        const auto count = static_cast<uint8_t>(run.count);
        const uint32_t first =
            offset <= kMaxImmediateOffset
                ? b.emit_message(modifiers(Op::LD_VAR_BUF_IMM_F32, count), {position},
                                 {.def_count = count,
                                  .staging = {},
                                  .imm = {static_cast<int32_t>(offset), 0}})
                      .def
                : b.emit_message(modifiers(Op::LD_VAR_BUF_F32, count), {position, literal(offset)},
                                 {.def_count = count})
                      .def;
        for (unsigned c = 0; c < run.count; ++c)
            values[run.first + c] = ir::value_operand(first + c);
    }
    return values;
}

void Lowering::load_fragment_input(uint32_t index) {
    const tgsi::Declaration* declaration = declaration_of(tgsi::File::Input, index);
    Vec4 values{};
    if (declaration == nullptr) {
        fail(Errc::Semantic, "input register is not declared");
        values.fill(literal(0));
    } else if (!load_special_input(*declaration, input_used_[index], values)) {
        SampleMode mode = SampleMode::center;
        if (declaration->location == tgsi::Location::Centroid)
            mode = SampleMode::centroid;
        else if (declaration->location == tgsi::Location::Sample)
            mode = SampleMode::sample;
        values = load_varying(index, input_used_[index], mode, preload(exec::kSampleRegister));
    }
    for (unsigned c = 0; c < 4; ++c)
        flow.set(inputs_.base + index * 4 + c, values[c]);
}

}  // namespace valkyr::valhall::lower
