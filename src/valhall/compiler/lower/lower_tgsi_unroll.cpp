// Lowering: loops with a known number of rounds, as copies of their body.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace valkyr::valhall::lower {
namespace {

/// Instructions of all rounds together.
constexpr uint64_t kMaxUnrolled = 320;
/// Instructions for which a load of a texel counts: its host code is long, but rounds that do not
/// wait for a branch overlap.
constexpr uint64_t kImageLoadLength = 16;
/// BGNLOOP, then "counter >= limit" or "limit < counter" and UIF, BRK, ENDIF.
constexpr uint32_t kHeadLength = 5;

bool is_scalar_dst(const Instruction& inst) {
    return inst.dst_count == 1 && !inst.saturate && inst.dst[0].reg.file == tgsi::File::Temporary &&
           !inst.dst[0].reg.index.indirect && std::has_single_bit(inst.dst[0].write_mask);
}

unsigned component_of(const tgsi::Dst& dst) {
    return static_cast<unsigned>(std::countr_zero(dst.write_mask));
}

/// Whether a source reads, for component c, what the scalar destination holds.
bool reads_scalar(const tgsi::Src& src, unsigned c, const tgsi::Dst& dst) {
    return src.reg == dst.reg && src.swizzle[c] == component_of(dst) && !src.negate &&
           !src.absolute;
}

bool is_plain_immediate(const tgsi::Src& src) {
    return src.reg.file == tgsi::File::Immediate && !src.reg.index.indirect && !src.negate &&
           !src.absolute;
}

/// Whether an instruction writes a register that has no place in memory; those that are written
/// with a computed index have one.
bool writes(const Instruction& inst, const tgsi::Dst& dst) {
    return std::any_of(
        inst.dst.begin(), inst.dst.begin() + inst.dst_count, [&](const tgsi::Dst& d) {
            return d.reg.file == dst.reg.file && !d.reg.index.indirect &&
                   d.reg.index.value == dst.reg.index.value && (d.write_mask & dst.write_mask) != 0;
        });
}

/// Jumps, other loops, and opcodes that become long host code are not copied.
bool may_be_copied(const Instruction& inst) {
    switch (inst.opcode) {
    case Opcode::BGNLOOP:
    case Opcode::BRK:
    case Opcode::CONT:
    case Opcode::SWITCH:
    case Opcode::CAL:
    case Opcode::RET:
    case Opcode::EMIT:
    case Opcode::ENDPRIM: return false;
    case Opcode::LOAD: return true;
    default: return !inst.has_target && inst.dst_count != 0;
    }
}

/// Instructions of the body, weighted by their host code.
uint64_t weighted_length(std::span<const Instruction> body) {
    uint64_t length = body.size();
    for (const Instruction& inst : body)
        if (inst.opcode == Opcode::LOAD && inst.has_target)
            length += kImageLoadLength - 1;
    return length;
}

bool opens_or_closes_if(Opcode opcode) {
    return opcode == Opcode::IF || opcode == Opcode::UIF || opcode == Opcode::ELSE ||
           opcode == Opcode::ENDIF;
}

/// The instructions that make a loop count.
struct CountedLoop {
    const Instruction* test = nullptr;  ///< counter >= limit, or limit < counter
    const Instruction* step = nullptr;

    /// A counter that is equal to the limit runs another round.
    [[nodiscard]] bool includes_limit() const { return test->opcode == Opcode::ISLT; }
    /// The source of the test that is the counter; the other one is the limit.
    [[nodiscard]] unsigned counter_source() const { return includes_limit() ? 1 : 0; }
    [[nodiscard]] unsigned limit_source() const { return 1 - counter_source(); }
};

/// Whether the loop [first, end] (`end`: ENDLOOP) counts to a limit; fills `loop`.
bool find_counter(const tgsi::Shader& shader, uint32_t first, uint32_t end, CountedLoop& loop) {
    const auto& code = shader.instructions;
    if (end >= code.size() || end < first + kHeadLength + 1)
        return false;
    loop.test = &code[first + 1];
    loop.step = &code[end - 1];
    const Instruction& branch = code[first + 2];
    const bool compares = loop.test->opcode == Opcode::ISGE || loop.test->opcode == Opcode::ISLT;
    if (!compares || !is_scalar_dst(*loop.test) || branch.opcode != Opcode::UIF ||
        !reads_scalar(branch.src[0], 0, loop.test->dst[0]) ||
        code[first + 3].opcode != Opcode::BRK || code[first + 4].opcode != Opcode::ENDIF ||
        loop.step->opcode != Opcode::UADD || !is_scalar_dst(*loop.step))
        return false;
    const tgsi::Dst& counter = loop.step->dst[0];
    const unsigned test_component = component_of(loop.test->dst[0]);
    if (!reads_scalar(loop.test->src[loop.counter_source()], test_component, counter) ||
        !is_plain_immediate(loop.test->src[loop.limit_source()]) || writes(*loop.test, counter) ||
        !reads_scalar(loop.step->src[0], component_of(counter), counter) ||
        !is_plain_immediate(loop.step->src[1]))
        return false;
    return std::none_of(code.begin() + first + kHeadLength, code.begin() + end - 1,
                        [&](const Instruction& inst) {
                            return writes(inst, counter) ||
                                   (!may_be_copied(inst) && !opens_or_closes_if(inst.opcode));
                        });
}

}  // namespace

bool Lowering::unroll(uint32_t first, uint32_t end) {
    CountedLoop loop;
    if (!find_counter(shader_, first, end, loop))
        return false;
    const tgsi::Dst& counter = loop.step->dst[0];
    const tgsi::Dst& leaves = loop.test->dst[0];
    const auto variable = [&](const tgsi::Dst& dst) {
        return temps_.base + static_cast<uint32_t>(dst.reg.index.value) * 4 + component_of(dst);
    };
    const auto number = [&](const tgsi::Dst& dst) {
        return static_cast<uint32_t>(dst.reg.index.value);
    };
    for (const tgsi::Dst* dst : {&counter, &leaves})
        if (number(*dst) >= temps_.count || array_of(tgsi::File::Temporary, number(*dst)))
            return false;
    const Operand start = flow.get(variable(counter));
    const Operand limit = src(*loop.test, loop.limit_source(), component_of(leaves));
    const Operand step = src(*loop.step, 1, component_of(counter));
    for (const Operand& operand : {start, limit, step})
        if (operand.kind != OperandKind::Literal)
            return false;
    const int64_t low = static_cast<int32_t>(start.value);
    const int64_t high =
        int64_t{static_cast<int32_t>(limit.value)} + (loop.includes_limit() ? 1 : 0);
    const int64_t by = static_cast<int32_t>(step.value);
    const uint32_t body = first + kHeadLength;
    if (by <= 0 || low >= high)
        return false;
    const auto rounds = static_cast<uint64_t>((high - low + by - 1) / by);
    const std::span all(shader_.instructions);
    const uint64_t length = weighted_length(all.subspan(body, end - body));
    if (rounds * length > kMaxUnrolled || low + static_cast<int64_t>(rounds) * by > INT32_MAX)
        return false;
    load_inputs_before(body, end);
    uint32_t count = start.value;
    for (uint64_t k = 0; k < rounds && !failed(); ++k) {
        flow.set(variable(counter), literal(count));
        flow.set(variable(leaves), literal(0));
        lower_range(body, end - 1);
        count += step.value;
    }
    flow.set(variable(counter), literal(count));
    flow.set(variable(leaves), literal(0xFFFFFFFF));
    position_ = end;
    return true;
}

}  // namespace valkyr::valhall::lower
