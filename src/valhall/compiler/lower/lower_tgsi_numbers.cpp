// Numbers: integer instructions whose sources are numbers while the text is lowered.
// SPDX-License-Identifier: MIT
//
// They are computed at once, so that unrolled loops know their counters and indexes. The pass
// fold_constants does the same for all others.
#include "valhall/compiler/lower/lower_tgsi_numbers.hpp"

#include <algorithm>
#include <iterator>

namespace valkyr::valhall::lower {
namespace {

constexpr uint32_t all_ones(bool holds) {
    return holds ? 0xFFFFFFFF : 0;
}
constexpr int32_t as_signed(uint32_t x) {
    return static_cast<int32_t>(x);
}

// clang-format off
constexpr NumberOp kNumberOps[] = {
    {Opcode::MOV,  1, [](uint32_t x, uint32_t)   { return x; }},
    {Opcode::UARL, 1, [](uint32_t x, uint32_t)   { return x; }},
    {Opcode::NOT,  1, [](uint32_t x, uint32_t)   { return ~x; }},
    {Opcode::INEG, 1, [](uint32_t x, uint32_t)   { return 0 - x; }},
    {Opcode::UADD, 2, [](uint32_t x, uint32_t y) { return x + y; }},
    {Opcode::UMUL, 2, [](uint32_t x, uint32_t y) { return x * y; }},
    {Opcode::AND,  2, [](uint32_t x, uint32_t y) { return x & y; }},
    {Opcode::OR,   2, [](uint32_t x, uint32_t y) { return x | y; }},
    {Opcode::XOR,  2, [](uint32_t x, uint32_t y) { return x ^ y; }},
    {Opcode::SHL,  2, [](uint32_t x, uint32_t y) { return x << (y & 31); }},
    {Opcode::USHR, 2, [](uint32_t x, uint32_t y) { return x >> (y & 31); }},
    {Opcode::ISHR, 2, [](uint32_t x, uint32_t y) { return static_cast<uint32_t>(as_signed(x) >> (y & 31)); }},
    {Opcode::UMIN, 2, [](uint32_t x, uint32_t y) { return std::min(x, y); }},
    {Opcode::UMAX, 2, [](uint32_t x, uint32_t y) { return std::max(x, y); }},
    {Opcode::IMIN, 2, [](uint32_t x, uint32_t y) { return as_signed(x) < as_signed(y) ? x : y; }},
    {Opcode::IMAX, 2, [](uint32_t x, uint32_t y) { return as_signed(x) < as_signed(y) ? y : x; }},
    {Opcode::ISGE, 2, [](uint32_t x, uint32_t y) { return all_ones(as_signed(x) >= as_signed(y)); }},
    {Opcode::ISLT, 2, [](uint32_t x, uint32_t y) { return all_ones(as_signed(x) < as_signed(y)); }},
    {Opcode::USGE, 2, [](uint32_t x, uint32_t y) { return all_ones(x >= y); }},
    {Opcode::USLT, 2, [](uint32_t x, uint32_t y) { return all_ones(x < y); }},
    {Opcode::USEQ, 2, [](uint32_t x, uint32_t y) { return all_ones(x == y); }},
    {Opcode::USNE, 2, [](uint32_t x, uint32_t y) { return all_ones(x != y); }},
};
// clang-format on

}  // namespace

const NumberOp* number_op(const Instruction& inst) {
    if (inst.dst_count != 1 || inst.saturate)
        return nullptr;
    for (unsigned i = 0; i < inst.src_count; ++i)
        if (inst.src[i].negate || inst.src[i].absolute)
            return nullptr;
    const auto* op = std::ranges::find(kNumberOps, inst.opcode, &NumberOp::opcode);
    return op == std::end(kNumberOps) ? nullptr : op;
}

std::optional<uint32_t> Lowering::known_number(const tgsi::Src& src, unsigned channel) const {
    const tgsi::RegisterRef& reg = src.reg;
    const auto index = static_cast<uint32_t>(reg.index.value);
    const unsigned component = src.swizzle[channel];
    if (reg.index.indirect)
        return std::nullopt;
    if (reg.file == tgsi::File::Immediate)
        return index < shader_.immediates.size()
                   ? std::optional(shader_.immediates[index].words[component])
                   : std::nullopt;
    if (reg.file != tgsi::File::Temporary || index >= temps_.count || array_of(reg.file, index))
        return std::nullopt;
    const Operand value = read_variable(temps_.base + index * 4 + component);
    return value.is_number() ? std::optional(value.value) : std::nullopt;
}

bool Lowering::store_numbers(const Instruction& inst) {
    const NumberOp* const op = number_op(inst);
    if (op == nullptr || inst.opcode == Opcode::MOV)
        return false;
    Vec4 values{};
    for (unsigned c = 0; c < 4; ++c) {
        if ((inst.dst[0].write_mask >> c & 1) == 0)
            continue;
        const auto x = known_number(inst.src[0], c);
        const auto y = op->sources == 2 ? known_number(inst.src[1], c) : x;
        if (!x || !y)
            return false;
        values[c] = literal(op->compute(*x, *y));
    }
    store(inst, values);
    return true;
}

}  // namespace valkyr::valhall::lower
