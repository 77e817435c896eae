// Lowering: loops with a known number of rounds, as copies of their body.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace valkyr::valhall::lower {
namespace {

/// Instructions of all rounds together.
constexpr uint64_t kMaxUnrolled = 320;
/// Instructions for which a load of a texel counts: its host code is long, but rounds that do not
/// wait for a branch overlap.
constexpr uint64_t kImageLoadLength = 16;
/// Likewise for a texture message. Copies share what they compute of equal coordinates, as the rows
/// and columns of a filter of five by five taps.
constexpr uint64_t kTextureLength = 6;
/// BGNLOOP, then a comparison of the counter with the limit and UIF, BRK, ENDIF.
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

/// Whether a source is a component of a temporary, named by a number.
bool is_plain_temporary(const tgsi::Src& src) {
    return src.reg.file == tgsi::File::Temporary && !src.reg.index.indirect && !src.negate &&
           !src.absolute;
}

/// The component that a source reads for component c, as a destination.
tgsi::Dst scalar_of(const tgsi::Src& src, unsigned c) {
    tgsi::Dst dst;
    dst.reg = src.reg;
    dst.write_mask = static_cast<uint8_t>(1U << src.swizzle[c]);
    return dst;
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

bool is_texture_message(Opcode opcode) {
    const tgsi::OperandKind kind = tgsi::opcode_info(opcode).kind;
    return kind == tgsi::OperandKind::Texture || kind == tgsi::OperandKind::Sample;
}

/// Jumps, stores and atomics are not copied.
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
    default: return inst.dst_count != 0 && (!inst.has_target || is_texture_message(inst.opcode));
    }
}

/// For how many instructions one counts, by its host code.
uint64_t weight(const Instruction& inst) {
    if (inst.opcode == Opcode::LOAD)
        return inst.has_target ? kImageLoadLength : 1;
    return is_texture_message(inst.opcode) ? kTextureLength : 1;
}

bool opens_or_closes_if(Opcode opcode) {
    return opcode == Opcode::IF || opcode == Opcode::UIF || opcode == Opcode::ELSE ||
           opcode == Opcode::ENDIF;
}

/// The instructions that make a loop count.
struct CountedLoop {
    const Instruction* test = nullptr;  ///< compares counter and limit; true: the loop ends
    const Instruction* step = nullptr;
    unsigned counter_source = 0;  ///< the source of the test that is the counter

    [[nodiscard]] const tgsi::Src& limit() const { return test->src[1 - counter_source]; }
    /// The component that the test compares.
    [[nodiscard]] unsigned component() const { return component_of(test->dst[0]); }
};

bool compares_integers(Opcode opcode) {
    switch (opcode) {
    case Opcode::ISGE:
    case Opcode::ISLT:
    case Opcode::USGE:
    case Opcode::USLT:
    case Opcode::USEQ:
    case Opcode::USNE: return true;
    default: return false;
    }
}

/// The test with numbers; for opcodes of compares_integers().
bool holds(Opcode opcode, uint32_t x, uint32_t y) {
    switch (opcode) {
    case Opcode::ISGE: return static_cast<int32_t>(x) >= static_cast<int32_t>(y);
    case Opcode::ISLT: return static_cast<int32_t>(x) < static_cast<int32_t>(y);
    case Opcode::USGE: return x >= y;
    case Opcode::USLT: return x < y;
    case Opcode::USEQ: return x == y;
    default: return x != y;
    }
}

/// The only instruction of a body that writes the counter, outside of its branches; null if there
/// is none. Behind it the body reads the next round's number.
const Instruction*
find_step(std::span<const Instruction> body, const tgsi::Src& counter, unsigned c) {
    const Instruction* step = nullptr;
    unsigned depth = 0;
    for (const Instruction& inst : body) {
        if (inst.opcode == Opcode::IF || inst.opcode == Opcode::UIF ||
            inst.opcode == Opcode::BGNLOOP)
            ++depth;
        else if (inst.opcode == Opcode::ENDIF || inst.opcode == Opcode::ENDLOOP)
            --depth;
        const bool is_step = inst.opcode == Opcode::UADD && is_scalar_dst(inst) &&
                             reads_scalar(counter, c, inst.dst[0]);
        if (is_step && (step != nullptr || depth != 0))
            return nullptr;
        if (is_step)
            step = &inst;
    }
    return step;
}

/// Whether the loop [first, end] (`end`: ENDLOOP) counts to a limit; fills `loop`.
bool find_counter(const tgsi::Shader& shader, uint32_t first, uint32_t end, CountedLoop& loop) {
    const auto& code = shader.instructions;
    if (end >= code.size() || end < first + kHeadLength + 1 || end - first > kMaxUnrolled)
        return false;
    loop.test = &code[first + 1];
    const Instruction& branch = code[first + 2];
    if (!compares_integers(loop.test->opcode) || !is_scalar_dst(*loop.test) ||
        branch.opcode != Opcode::UIF || !reads_scalar(branch.src[0], 0, loop.test->dst[0]) ||
        code[first + 3].opcode != Opcode::BRK || code[first + 4].opcode != Opcode::ENDIF)
        return false;
    const unsigned test_component = component_of(loop.test->dst[0]);
    const std::span body(code.begin() + first + kHeadLength, code.begin() + end);
    for (loop.counter_source = 0; loop.counter_source < 2; ++loop.counter_source) {
        loop.step = find_step(body, loop.test->src[loop.counter_source], test_component);
        if (loop.step != nullptr)
            break;
    }
    if (loop.step == nullptr)
        return false;
    const tgsi::Dst& counter = loop.step->dst[0];
    const bool changes = is_plain_temporary(loop.limit());
    if (!(changes || is_plain_immediate(loop.limit())) || writes(*loop.test, counter) ||
        !reads_scalar(loop.step->src[0], component_of(counter), counter) ||
        !is_plain_immediate(loop.step->src[1]))
        return false;
    const tgsi::Dst limit = scalar_of(loop.limit(), test_component);
    if (changes && writes(*loop.test, limit))
        return false;
    return std::none_of(body.begin(), body.end(), [&](const Instruction& inst) {
        return (writes(inst, counter) && &inst != loop.step) || (changes && writes(inst, limit));
    });
}

/// The number of rounds; nothing if there are more than kMaxUnrolled.
std::optional<uint64_t>
count_rounds(const CountedLoop& loop, uint32_t counter, uint32_t limit, uint32_t step) {
    for (uint64_t rounds = 0; rounds <= kMaxUnrolled; ++rounds, counter += step) {
        const bool ends = loop.counter_source == 0 ? holds(loop.test->opcode, counter, limit)
                                                   : holds(loop.test->opcode, limit, counter);
        if (ends)
            return rounds;
    }
    return std::nullopt;
}

/// The counter of a loop in one of its rounds, and those of the loops around it.
struct Round {
    const tgsi::Dst* counter = nullptr;
    uint32_t value = 0;
    const Round* outer = nullptr;
};

/// The number that a source reads for component c: that of an immediate, or of a loop's counter.
std::optional<uint32_t>
known_number(const tgsi::Shader& shader, const tgsi::Src& src, unsigned c, const Round* round) {
    if (is_plain_immediate(src))
        return shader.immediates[static_cast<uint32_t>(src.reg.index.value)].words[src.swizzle[c]];
    for (; round != nullptr; round = round->outer)
        if (reads_scalar(src, c, *round->counter))
            return round->value;
    return std::nullopt;
}

uint64_t copied_length(
    const tgsi::Shader& shader, uint32_t first, uint32_t end, const Round* outer, unsigned depth);

/// The instructions of all rounds of a loop, whose body is [body, end).
uint64_t rounds_length(const tgsi::Shader& shader,
                       const CountedLoop& loop,
                       uint32_t body,
                       uint32_t end,
                       uint64_t rounds,
                       Round round,
                       unsigned depth) {
    const auto& code = shader.instructions;
    const bool alike = std::none_of(code.begin() + body, code.begin() + end, [](const auto& inst) {
        return inst.opcode == Opcode::BGNLOOP;
    });
    if (alike)
        return rounds * copied_length(shader, body, end, &round, depth);
    const uint32_t step =
        known_number(shader, loop.step->src[1], component_of(*round.counter), nullptr).value_or(0);
    uint64_t length = 0;
    for (uint64_t k = 0; k < rounds && length <= kMaxUnrolled; ++k, round.value += step)
        length += copied_length(shader, body, end, &round, depth);
    return length;
}

/// The instructions of a loop within another one, [first, end], whose counter starts right in front
/// of it; more than kMaxUnrolled if the number of its rounds is not known.
uint64_t inner_length(
    const tgsi::Shader& shader, uint32_t first, uint32_t end, const Round* outer, unsigned depth) {
    constexpr uint64_t too_long = kMaxUnrolled + 1;
    CountedLoop loop;
    if (!find_counter(shader, first, end, loop))
        return too_long;
    const Instruction& start = shader.instructions[first - 1];
    const tgsi::Dst& counter = loop.step->dst[0];
    const unsigned c = component_of(counter);
    const auto limit = known_number(shader, loop.limit(), loop.component(), outer);
    if (start.opcode != Opcode::MOV || !is_scalar_dst(start) || start.dst[0] != counter || !limit)
        return too_long;
    const auto from = known_number(shader, start.src[0], c, outer);
    const auto step = known_number(shader, loop.step->src[1], c, nullptr);
    if (!from || !step)
        return too_long;
    const std::optional<uint64_t> rounds = count_rounds(loop, *from, *limit, *step);
    return rounds ? rounds_length(shader, loop, first + kHeadLength, end, *rounds,
                                  {&counter, *from, outer}, depth + 1)
                  : too_long;
}

/// The instructions of [first, end) with all rounds of loops in there, weighted; more than
/// kMaxUnrolled if one of them is not copied.
uint64_t copied_length(
    const tgsi::Shader& shader, uint32_t first, uint32_t end, const Round* outer, unsigned depth) {
    constexpr uint64_t too_long = kMaxUnrolled + 1;
    constexpr unsigned max_depth = 3;
    uint64_t length = 0;
    for (uint32_t i = first; i < end && length <= kMaxUnrolled; ++i) {
        const Instruction& inst = shader.instructions[i];
        if (inst.opcode == Opcode::BGNLOOP) {
            if (depth == max_depth)
                return too_long;
            const uint32_t last = matching_end(shader, i, Opcode::BGNLOOP, Opcode::ENDLOOP);
            length += inner_length(shader, i, last, outer, depth);
            i = last;
        } else if (may_be_copied(inst)) {
            length += weight(inst);
        } else if (opens_or_closes_if(inst.opcode)) {
            ++length;
        } else {
            return too_long;
        }
    }
    return length;
}

}  // namespace

bool Lowering::may_be_indexed(uint32_t temporary, uint32_t first, uint32_t end) const {
    for (uint32_t i = first; i < end; ++i) {
        const Instruction& inst = shader_.instructions[i];
        for (unsigned d = 0; d < inst.dst_count; ++d) {
            const tgsi::RegisterRef& reg = inst.dst[d].reg;
            if (reg.file != tgsi::File::Temporary || !stays_in_registers(reg))
                continue;
            const RegisterRange range = indexed_range(reg);
            if (range.first <= temporary && temporary <= range.last)
                return true;
        }
    }
    return false;
}

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
    const tgsi::Dst limit_place = scalar_of(loop.limit(), loop.component());
    const bool limit_changes = is_plain_temporary(loop.limit());
    for (const tgsi::Dst* dst : {&counter, &leaves, limit_changes ? &limit_place : &leaves})
        if (number(*dst) >= temps_.count || array_of(tgsi::File::Temporary, number(*dst)) ||
            may_be_indexed(number(*dst), first, end))
            return false;
    const Operand start = flow.get(variable(counter));
    const Operand limit = limit_changes
                              ? flow.get(variable(limit_place))
                              : src(*loop.test, 1 - loop.counter_source, loop.component());
    const Operand step = src(*loop.step, 1, component_of(counter));
    for (const Operand& operand : {start, limit, step})
        if (operand.kind != OperandKind::Literal)
            return false;
    const uint32_t body = first + kHeadLength;
    const auto at_step = static_cast<uint32_t>(loop.step - shader_.instructions.data());
    const auto rounds = count_rounds(loop, start.value, limit.value, step.value);
    if (!rounds || rounds_length(shader_, loop, body, end, *rounds,
                                 {&counter, start.value, nullptr}, 0) > kMaxUnrolled)
        return false;
    if (*rounds != 0)
        load_inputs_before(body, end);
    uint32_t count = start.value;
    for (uint64_t k = 0; k < *rounds && !failed(); ++k) {
        flow.set(variable(counter), literal(count));
        flow.set(variable(leaves), literal(0));
        lower_range(body, at_step);
        count += step.value;
        flow.set(variable(counter), literal(count));
        lower_range(at_step + 1, end);
    }
    flow.set(variable(leaves), literal(0xFFFFFFFF));
    position_ = end;
    return true;
}

}  // namespace valkyr::valhall::lower
