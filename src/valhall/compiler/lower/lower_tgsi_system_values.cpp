// Lowering: system values, and fragment inputs that are no varyings (POSITION, FACE, PCOORD, ...).
// SPDX-License-Identifier: MIT
//
// Registers and messages: docs/rules/isa-notes.md.
#include "base/float_bits.hpp"
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "tgsi/names.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

/// LD_VAR_SPECIAL indexes.
constexpr int32_t kPointCoordinate = 0;
constexpr int32_t kFragmentW = 2;
constexpr int32_t kFragmentZ = 3;

using float_bits::kHalf;
using float_bits::kMinusOne;
using float_bits::kOne;
/// 1/256: sample positions are in 8.8 fixed point.
constexpr uint32_t kInverse256 = 0x3B800000;

uint32_t special_varying(Lowering& l, int32_t index, VectorSize size, uint8_t count) {
    const Spec spec =
        Spec(Op::LD_VAR_SPECIAL)
            .with(Mod::vecsize, size)
            .with(Mod::regfmt, RegisterFormat::f32)
            .with(Mod::sample, l.info().per_sample ? SampleMode::sample : SampleMode::center)
            .with(Mod::update, UpdateMode::clobber);
    return l.b
        .emit_message(spec, {l.preload(exec::kSampleRegister)},
                      {.def_count = count, .staging = {}, .imm = {index, 0}})
        .def;
}

Operand half_to_float(Builder& b, Operand word, unsigned half) {
    return b.emit(Spec(Op::U16_TO_F32),
                  {select(word, raw(half == 0 ? Swizzles16Bit::h00 : Swizzles16Bit::h10))});
}

/// Position of the sample inside the pixel, 0..1; axis 0 = x, 1 = y.
Operand sample_position(Lowering& l, unsigned axis) {
    Builder& b = l.b;
    const Wide address = address_sum(b, pointer(exec::kSample), l.sample_id(), 2);
    const Operand word = ir::value_operand(load_words(b, b.pair(address.low, address.high), 0, 1));
    return b.fmul(half_to_float(b, word, axis), literal(kInverse256));
}

Operand front_facing(Lowering& l, uint32_t front, uint32_t back) {
    return l.b.csel_u32(Condition::eq, l.preload(exec::kPrimitiveFlagsRegister), literal(0),
                        literal(front), literal(back));
}

}  // namespace

Operand Lowering::window_coordinate(unsigned component) {
    if (component >= 2)
        return ir::value_operand(
            special_varying(*this, component == 2 ? kFragmentZ : kFragmentW, VectorSize::none, 1));
    const Operand pixel = half_to_float(b, preload(exec::kPixelRegister), component);
    const Operand inside = info().per_sample ? sample_position(*this, component) : literal(kHalf);
    if (component == 0 || !origin_lower_left_) {
        // Integer pixel centres are the same place, counted without the half pixel.
        if (pixel_center_integer_ && !info().per_sample)
            return pixel;
        const Operand centre = b.fadd(pixel, inside);
        return pixel_center_integer_ ? b.fadd(centre, literal(kHalf ^ 0x80000000U)) : centre;
    }
    const Operand height = driver_value(exec::DriverValue::TargetHeight);
    Operand from_top = b.fadd(pixel, inside);
    from_top.flags ^= ir::kNeg;
    const Operand flipped = b.fadd(height, from_top);
    return pixel_center_integer_ ? b.fadd(flipped, literal(kHalf ^ 0x80000000U)) : flipped;
}

/// Fills `values` if the declaration is not a varying; false if it is one.
bool Lowering::load_special_input(const tgsi::Declaration& declaration,
                                  uint8_t used,
                                  Vec4& values) {
    if (!declaration.has_semantic)
        return false;
    switch (declaration.semantic) {
    case tgsi::Semantic::Position:
        for (unsigned c = 0; c < 4; ++c)
            values[c] = (used >> c & 1) != 0 ? window_coordinate(c) : literal(0);
        return true;
    case tgsi::Semantic::Face:
        values = {front_facing(*this, kOne, kMinusOne), literal(0), literal(0), literal(kOne)};
        return true;
    case tgsi::Semantic::PCoord: {
        const uint32_t first = special_varying(*this, kPointCoordinate, VectorSize::v2, 2);
        values = {ir::value_operand(first), ir::value_operand(first + 1), literal(0),
                  literal(kOne)};
        return true;
    }
    case tgsi::Semantic::PrimId: values.fill(primitive_id()); return true;
    default: return false;
    }
}

Operand Lowering::load_system_value(uint32_t index, unsigned component) {
    const tgsi::Declaration* declaration = declaration_of(tgsi::File::SystemValue, index);
    if (declaration == nullptr) {
        fail(Errc::Semantic, "system value is not declared");
        return literal(0);
    }
    const VarId var = system_values_.base + index * 4 + component;
    if (flow.get(var).kind == OperandKind::None)
        flow.set(var, make_system_value(*declaration, component));
    return flow.get(var);
}

Operand Lowering::make_system_value(const tgsi::Declaration& declaration, unsigned component) {
    const bool vertex = shader_.stage == tgsi::Stage::Vertex;
    if (shader_.stage == tgsi::Stage::Compute) {
        const Operand value = compute_value(declaration.semantic, component);
        if (value.kind != OperandKind::None)
            return value;
    }
    if (is_patch_stage()) {
        const Operand value = patch_value(declaration.semantic, component);
        if (value.kind != OperandKind::None)
            return value;
    }
    if (shader_.stage == tgsi::Stage::Geometry) {
        if (declaration.semantic == tgsi::Semantic::InvocationId)
            return preload(exec::kInvocationRegister);
        if (declaration.semantic == tgsi::Semantic::PrimId)
            return preload(exec::kPrimitiveIdRegister);
    }
    switch (declaration.semantic) {
    case tgsi::Semantic::VertexId:
        if (vertex)
            return preload(exec::kVertexIdRegister);
        break;
    case tgsi::Semantic::VertexIdNoBase:
        if (vertex)
            return b.isub(preload(exec::kVertexIdRegister),
                          driver_value(exec::DriverValue::BaseVertex));
        break;
    case tgsi::Semantic::InstanceId:
        if (vertex)
            return preload(exec::kInstanceIdRegister);
        break;
    case tgsi::Semantic::BaseVertex: return driver_value(exec::DriverValue::BaseVertex);
    case tgsi::Semantic::BaseInstance: return driver_value(exec::DriverValue::BaseInstance);
    case tgsi::Semantic::DrawId: return driver_value(exec::DriverValue::DrawId);
    case tgsi::Semantic::SubgroupSize:
    case tgsi::Semantic::SubgroupInvocation:
    case tgsi::Semantic::SubgroupEqMask:
    case tgsi::Semantic::SubgroupGeMask:
    case tgsi::Semantic::SubgroupGtMask:
    case tgsi::Semantic::SubgroupLeMask:
    case tgsi::Semantic::SubgroupLtMask: return subgroup_value(declaration.semantic, component);
    default: break;
    }
    if (shader_.stage == tgsi::Stage::Fragment) {
        switch (declaration.semantic) {
        case tgsi::Semantic::SampleId: return seen_sample();
        case tgsi::Semantic::SamplePos:
            return component < 2 ? sample_position(*this, component) : literal(0);
        case tgsi::Semantic::SampleMask:
            return b.bit_and(preload(exec::kSampleRegister), literal(0xFFFF));
        case tgsi::Semantic::HelperInvocation: return helper_invocation();
        case tgsi::Semantic::Face: return front_facing(*this, 0xFFFFFFFF, 0);
        case tgsi::Semantic::PrimId: return primitive_id();
        case tgsi::Semantic::Position: return window_coordinate(component);
        default: break;
        }
    }
    unsupported_here("system value " + std::string(tgsi::name_of(declaration.semantic)));
    return literal(0);
}

Operand Lowering::primitive_id() {
    info().reads_primitive_id = true;
    return preload(exec::kPrimitiveIdRegister);
}

Operand Lowering::sample_id() {
    return b.bit_and(b.shift_right(preload(exec::kSampleRegister), literal(exec::kSampleIdShift)),
                     literal(31));
}

/// Only programs that read the tile run once a sample whose place is that of all others.
Operand Lowering::seen_sample() {
    if (!fetches_tile_)
        return sample_id();
    const Operand samples = driver_value(exec::DriverValue::RasterSamples);
    return b.csel_u32(Condition::gt, samples, literal(1), sample_id(), literal(0));
}

Operand Lowering::helper_invocation() {
    return b.icmp_u32(Condition::eq, ResultType::m1,
                      b.bit_and(preload(exec::kSampleRegister), literal(0xFFFF)), literal(0));
}

}  // namespace valkyr::valhall::lower
