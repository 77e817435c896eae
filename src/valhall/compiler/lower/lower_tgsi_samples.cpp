// Lowering: positions and numbers of samples, framebuffer fetch.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/compiler/lower/lower_tgsi_texture.hpp"

namespace valkyr::valhall::lower {
namespace {

using exec::DriverValue;

constexpr uint32_t kSixteenth = 0x3D800000;
/// LD_TILE: row 255 and column 0 are the pixel itself.
constexpr uint32_t kThisPixel = 255U << 24;

/// The standard positions in sixteenths of a pixel, a byte a sample: x in the low four bits.
struct Positions {
    uint32_t samples;
    std::array<uint32_t, 4> words;
};
constexpr Positions kPositions[] = {
    {2, {0x000044CC, 0x00000000, 0x00000000, 0x00000000}},
    {4, {0xEAA26E26, 0x00000000, 0x00000000, 0x00000000}},
    {8, {0x359DB759, 0x1FFB71D3, 0x00000000, 0x00000000}},
    {16, {0x7CA55799, 0x3BBDDA63, 0xC22418E6, 0x01FE4F80}},
};

/// The byte of sample `number` of a texture or target with `samples` samples; 8, 8 if there is
/// none.
Operand position_byte(Builder& b, Operand samples, Operand number) {
    constexpr uint32_t kCentre = 0x88;
    const Operand which = b.shift_right(number, literal(2));
    const Operand shift = b.shift_left(b.bit_and(literal(3), number), literal(3));
    Operand word = literal(kCentre * 0x01010101U);
    for (const Positions& table : kPositions) {
        Operand chosen = literal(table.words[0]);
        for (uint32_t i = 1; i < (table.samples + 3) / 4; ++i)
            chosen = b.csel_u32(Condition::eq, which, literal(i), literal(table.words[i]), chosen);
        word = b.csel_u32(Condition::eq, samples, literal(table.samples), chosen, word);
    }
    const Operand byte = b.bit_and(literal(0xFF), b.shift_right(word, shift));
    return b.csel_u32(Condition::lt, number, samples, byte, literal(kCentre));
}

/// Number of samples of a view, or of the target for RASTERIZER.
Operand sample_count(Lowering& l, const Instruction& inst) {
    const tgsi::RegisterRef& reg = inst.src[0].reg;
    if (reg.file != tgsi::File::SamplerView)
        return l.driver_value(DriverValue::SampleCount);
    return l.unit_value(DriverValue::TextureSamples, texture_unit(l, inst, 0, 0).view);
}

void store_swizzled(Lowering& l, const Instruction& inst, const Vec4& value) {
    const std::array<uint8_t, 4>& swizzle = inst.src[0].swizzle;
    l.store(inst, {value[swizzle[0]], value[swizzle[1]], value[swizzle[2]], value[swizzle[3]]});
}

void lower_sample_position(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    const Operand byte = position_byte(b, sample_count(l, inst), l.src(inst, 1, 0));
    const auto coordinate = [&](Operand bits) {
        return b.fmul(b.unary(Op::U32_TO_F32, bits), literal(kSixteenth));
    };
    const Operand x = coordinate(b.bit_and(literal(15), byte));
    store_swizzled(l, inst,
                   {x, coordinate(b.shift_right(byte, literal(4))), literal(0), literal(0)});
}

void lower_sample_info(Lowering& l, const Instruction& inst, const Rule&) {
    store_swizzled(l, inst, {sample_count(l, inst), literal(0), literal(0), literal(0)});
}

/// FBFETCH: reads what older fragments have left in the target. Each sample has a value of its own,
/// so the shader runs once a sample.
void lower_framebuffer_fetch(Lowering& l, const Instruction& inst, const Rule&) {
    const tgsi::Declaration* output =
        l.declaration_of(tgsi::File::Output, static_cast<uint32_t>(inst.src[0].reg.index.value));
    if (output == nullptr || output->semantic != tgsi::Semantic::Color ||
        inst.src[0].reg.index.indirect) {
        l.unsupported("FBFETCH of anything but a colour output");
        return;
    }
    const uint32_t target =
        output->semantic_index + static_cast<uint32_t>(inst.src[0].reg.index.value) - output->first;
    l.info().reads_tile = true;
    const Operand place = l.b.bit_or(l.sample_id(), literal(kThisPixel | target << 8));
    const Spec spec = Spec(Op::LD_TILE)
                          .with(Mod::vecsize, VectorSize::v4)
                          .with(Mod::regfmt, RegisterFormat::auto_);
    const uint32_t first =
        l.b.emit_message(spec, {place, l.preload(exec::kCoverageRegister), literal(0)},
                         {.def_count = 4})
            .def;
    store_swizzled(l, inst,
                   {ir::value_operand(first), ir::value_operand(first + 1),
                    ir::value_operand(first + 2), ir::value_operand(first + 3)});
}

constexpr Rule kSamplesRules[] = {
    {Opcode::SAMPLE_POS, lower_sample_position},
    {Opcode::SAMPLE_INFO, lower_sample_info},
    {Opcode::FBFETCH, lower_framebuffer_fetch},
};

}  // namespace

std::span<const Rule> sample_rules() {
    return kSamplesRules;
}

}  // namespace valkyr::valhall::lower
