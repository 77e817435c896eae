// Lowering: LOAD, STORE and RESQ of images.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "valhall/compiler/lower/lower_tgsi_memory.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::valhall::lower {
namespace {

using exec::DriverValue;
using tgsi::Target;

constexpr auto kImageTable = static_cast<int32_t>(exec::ResourceTable::Images);
constexpr uint32_t kMaxField = 0xFFFF;

constexpr uint8_t kNowhere = 0xFF;

/// Components of the address that fill the fields of an image message.
struct Fields {
    uint8_t y = kNowhere;  ///< high half of the first word
    uint8_t low = kNowhere;
    uint8_t high = kNowhere;  ///< halves of the second word
    uint8_t sizes = 1;        ///< RESQ: dimensions without layers
    bool has_layers = false;
    bool wide_x = false;  ///< the first word is x alone, all 32 bits
};

Fields fields_of(Target target) {
    switch (target) {
    case Target::Buffer: return {.wide_x = true};
    case Target::Tex1D: return {};
    case Target::Tex1DArray: return {.high = 1, .sizes = 1, .has_layers = true};
    case Target::Tex3D: return {.y = 1, .low = 2, .sizes = 3};
    case Target::Cube: return {.y = 1, .high = 2, .sizes = 2};
    case Target::Tex2DArray:
    case Target::CubeArray: return {.y = 1, .high = 2, .sizes = 2, .has_layers = true};
    case Target::Tex2DMsaa: return {.y = 1, .low = 3, .sizes = 2};
    case Target::Tex2DArrayMsaa:
        return {.y = 1, .low = 3, .high = 2, .sizes = 2, .has_layers = true};
    default: return {.y = 1, .sizes = 2};
    }
}

Target image_target(Lowering& l, const Instruction& inst, const tgsi::RegisterRef& reg) {
    if (inst.has_target)
        return inst.target;
    const tgsi::Declaration* declaration =
        l.declaration_of(tgsi::File::Image, static_cast<uint32_t>(reg.index.value));
    return declaration == nullptr ? Target::Buffer : declaration->target;
}

/// Two 16-bit fields of a word. No image is as large as kMaxField, which is outside of all.
Operand pack_fields(Lowering& l, Operand low, Operand high) {
    const auto limited = [&](Operand x) {
        if (x.kind == OperandKind::Literal)
            return literal(std::min(x.value, kMaxField));
        return l.b.csel_u32(Condition::lt, x, literal(kMaxField), x, literal(kMaxField));
    };
    const Operand bottom = limited(low);
    const Operand top = limited(high);
    if (bottom.kind == OperandKind::Literal && top.kind == OperandKind::Literal)
        return literal(bottom.value | top.value << 16);
    if (top.kind == OperandKind::Literal && top.value == 0)
        return bottom;
    // The rows of several texels are shifted once.
    return l.b.bit_or(bottom, l.b.shift_left(top, literal(16)));
}

/// The operands that image messages share.
struct ImagePlace {
    Operand xy, zw;
    Operand handle;  ///< kind None: by number, in imm
    int32_t number = 0;
};

ImagePlace
place_of(Lowering& l, const Instruction& inst, const tgsi::RegisterRef& reg, unsigned address) {
    ImagePlace place;
    const Fields fields = fields_of(image_target(l, inst, reg));
    const auto component = [&](uint8_t c) {
        return c == kNowhere ? literal(0) : l.src(inst, address, c);
    };
    const Operand x = l.src(inst, address, 0);
    place.xy = fields.wide_x ? x : pack_fields(l, x, component(fields.y));
    const Operand low = component(fields.low);
    place.zw = pack_fields(l, low, component(fields.high));
    if (reg.index.indirect) {
        l.info().images_used |= (1U << exec::kMaxImages) - 1;
        const Operand limit = literal(exec::kMaxImages - 1);
        const Operand index = l.index_value(reg.index);
        const Operand inside = l.b.csel_u32(Condition::lt, index, limit, index, limit);
        place.handle = l.b.iadd(inside, literal(exec::make_handle(exec::ResourceTable::Images, 0)));
        return place;
    }
    if (reg.index.value < 0 || static_cast<uint32_t>(reg.index.value) >= exec::kMaxImages)
        l.fail(Errc::OutOfRange, "image beyond the limit " + std::to_string(exec::kMaxImages - 1));
    else
        l.info().images_used |= 1U << static_cast<uint32_t>(reg.index.value);
    place.number = reg.index.value;
    return place;
}

}  // namespace

TexelAddress texel_address(Lowering& l, const Instruction& inst, bool stores) {
    const tgsi::RegisterRef& reg = stores ? inst.dst[0].reg : inst.src[0].reg;
    const ImagePlace place = place_of(l, inst, reg, stores ? 0 : 1);
    uint32_t first = 0;
    if (place.handle.kind == OperandKind::None)
        first = l.b.emit_message(Spec(Op::LEA_TEX_IMM), {place.xy, place.zw},
                                 {.def_count = 3, .imm = {kImageTable, place.number}})
                    .def;
    else
        first = l.b.emit_message(Spec(Op::LEA_TEX), {place.xy, place.zw, place.handle},
                                 {.def_count = 3})
                    .def;
    return {{ir::value_operand(first), ir::value_operand(first + 1)}, ir::value_operand(first + 2)};
}

void load_image(Lowering& l, const Instruction& inst) {
    const ImagePlace place = place_of(l, inst, inst.src[0].reg, 1);
    constexpr std::array kSizes{VectorSize::none, VectorSize::v2, VectorSize::v3, VectorSize::v4};
    const auto count = static_cast<uint8_t>(std::bit_width(unsigned{needed_components(inst)}));
    const auto modifiers = [&](Op op) {
        return Spec(op)
            .with(Mod::vecsize, kSizes[count - 1U])
            .with(Mod::regfmt, RegisterFormat::auto_);
    };
    uint32_t first = 0;
    if (place.handle.kind == OperandKind::None)
        first = l.b.emit_message(modifiers(Op::LD_TEX_IMM), {place.xy, place.zw},
                                 {.def_count = count, .imm = {place.number, kImageTable}})
                    .def;
    else
        first = l.b.emit_message(modifiers(Op::LD_TEX), {place.xy, place.zw, place.handle},
                                 {.def_count = count})
                    .def;
    Vec4 value{literal(0), literal(0), literal(0), literal(0)};
    for (unsigned c = 0; c < count; ++c)
        value[c] = ir::value_operand(first + c);
    store_loaded(l, inst, value);
}

void store_image(Lowering& l, const Instruction& inst) {
    const TexelAddress texel = texel_address(l, inst, true);
    Vec4 data{};
    for (unsigned c = 0; c < 4; ++c)
        data[c] = l.src(inst, 1, c);
    const Spec store = Spec(Op::ST_CVT)
                           .with(Mod::vecsize, VectorSize::v4)
                           .with(Mod::regfmt, RegisterFormat::auto_);
    l.b.emit_message(store, {l.b.pair(texel.address.low, texel.address.high), texel.conversion},
                     {.staging = data});
}

void query_image(Lowering& l, const Instruction& inst) {
    const tgsi::RegisterRef& reg = inst.src[0].reg;
    const auto value = [&](DriverValue v) {
        return unit_value(l, v, reg.file, reg.index, exec::kMaxImages);
    };
    const Target target = image_target(l, inst, reg);
    const Fields fields = fields_of(target);
    Vec4 out{value(DriverValue::ImageWidth), literal(0), literal(0),
             value(DriverValue::ImageSamples)};
    if (fields.sizes >= 2)
        out[1] = value(DriverValue::ImageHeight);
    if (fields.sizes == 3)
        out[2] = value(DriverValue::ImageDepth);
    if (fields.has_layers) {
        const Operand slices = value(DriverValue::ImageDepth);
        out[fields.sizes] = target == Target::CubeArray ? sixth(l.b, slices) : slices;
    }
    l.store(inst, out);
}

}  // namespace valkyr::valhall::lower
