// Pack lowering: packs and unpacks small floats and normalised integers (PK*, UP*).
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

constexpr uint32_t k65535 = 0x477FFF00;
constexpr uint32_t k255 = 0x437F0000;
constexpr uint32_t k127 = 0x42FE0000;
constexpr uint32_t kInverse65535 = 0x37800080;
constexpr uint32_t kInverse255 = 0x3B808081;
constexpr uint32_t kInverse127 = 0x3C010204;
using float_bits::kMinusOne;

/// The integer of a normalised value: clamped, scaled, rounded to nearest even.
Operand encode(Builder& b, Operand x, Clamp clamp, uint32_t scale) {
    const Operand scaled = b.fmul(b.fclamp(x, clamp), literal(scale));
    return clamp == Clamp::clamp_0_1 ? b.f32_to_u32(scaled, RoundMode::rte)
                                     : b.f32_to_s32(scaled, RoundMode::rte);
}

void lower_pk2h(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand x = l.src_float(inst, 0, 0);
    l.store_all(inst, l.b.emit(Spec(Op::V2F32_TO_V2F16), {x, l.src_float(inst, 0, 1)}));
}

void lower_pk2us(Lowering& l, const Instruction& inst, const Rule&) {
    const auto half = [&](unsigned c) {
        return select(encode(l.b, l.src_float(inst, 0, c), Clamp::clamp_0_1, k65535),
                      raw(Swizzles16Bit::h00));
    };
    const Operand low = half(0);
    l.store_all(inst, l.b.emit(Spec(Op::MKVEC_V2I16), {low, half(1)}));
}

/// PK4UB, and PK4B with rule.a.
void lower_pk4(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    Vec4 bytes{};
    for (unsigned c = 0; c < 4; ++c) {
        const Operand x = l.src_float(inst, 0, c);
        const Operand byte = rule.a != 0 ? encode(b, x, Clamp::clamp_m1_1, k127)
                                         : encode(b, x, Clamp::clamp_0_1, k255);
        bytes[c] = select(byte, raw(Lane8Bit::b0));
    }
    const Operand high = b.emit(Spec(Op::MKVEC_V2I8), {bytes[2], bytes[3], literal(0)});
    l.store_all(inst, b.emit(Spec(Op::MKVEC_V2I8), {bytes[0], bytes[1], high}));
}

void lower_up2h(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand word = l.src(inst, 0, 0);
    by_component(l, inst, [&](unsigned c) {
        const Lane16Bit half = (c & 1) == 0 ? Lane16Bit::h0 : Lane16Bit::h1;
        return l.b.emit(Spec(Op::F16_TO_F32), {select(word, raw(half))});
    });
}

void lower_up2us(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand word = l.src(inst, 0, 0);
    by_component(l, inst, [&](unsigned c) {
        const Swizzles16Bit half = (c & 1) == 0 ? Swizzles16Bit::h00 : Swizzles16Bit::h10;
        const Operand number = l.b.emit(Spec(Op::U16_TO_F32), {select(word, raw(half))});
        return l.b.fmul(number, literal(kInverse65535));
    });
}

/// UP4UB, and UP4B with rule.a.
void lower_up4(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    const Operand word = l.src(inst, 0, 0);
    by_component(l, inst, [&](unsigned c) {
        const Operand number = b.emit(Spec(rule.op), {select(word, static_cast<uint8_t>(c))});
        if (rule.a == 0)
            return b.fmul(number, literal(kInverse255));
        return b.fmax(b.fmul(number, literal(kInverse127)), literal(kMinusOne));
    });
}

constexpr Rule kPackRules[] = {
    {Opcode::PK2H, lower_pk2h},
    {Opcode::PK2US, lower_pk2us},
    {Opcode::PK4UB, lower_pk4, Op{}, 0},
    {Opcode::PK4B, lower_pk4, Op{}, 1},
    {Opcode::UP2H, lower_up2h},
    {Opcode::UP2US, lower_up2us},
    {Opcode::UP4UB, lower_up4, Op::U8_TO_F32, 0},
    {Opcode::UP4B, lower_up4, Op::S8_TO_F32, 1},
};

}  // namespace

std::span<const Rule> pack_rules() {
    return kPackRules;
}

}  // namespace valkyr::valhall::lower
