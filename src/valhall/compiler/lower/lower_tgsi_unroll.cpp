// Lowering: loops with a known number of rounds, as copies of their body.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi_numbers.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace valkyr::valhall::lower {
namespace {

/// Instructions of all rounds together, without those that will be folded.
constexpr uint64_t kMaxUnrolled = 450;
/// Instructions of all rounds together, with those: each is lowered before it is folded.
constexpr uint64_t kMaxLowered = 4096;
/// Instructions for which a load of a texel counts: its host code is long, but rounds that do not
/// wait for a branch overlap.
constexpr uint64_t kImageLoadLength = 16;
/// Likewise for a texture message. Copies share what they compute of equal coordinates, as the rows
/// and columns of a filter of five by five taps.
constexpr uint64_t kTextureLength = 6;
/// Likewise for EMIT, which stores a whole record. A strip of few vertices has few rounds, in which
/// indexes become numbers; many rounds are better a loop, because their code would not fit in the
/// processor's caches of instructions.
constexpr uint64_t kEmitLength = 16;
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

bool is_texture_message(Opcode opcode) {
    const tgsi::OperandKind kind = tgsi::opcode_info(opcode).kind;
    return kind == tgsi::OperandKind::Texture || kind == tgsi::OperandKind::Sample;
}

/// Jumps, stores and atomics are not copied, but emissions are.
bool may_be_copied(const Instruction& inst) {
    switch (inst.opcode) {
    case Opcode::BGNLOOP:
    case Opcode::BRK:
    case Opcode::CONT:
    case Opcode::SWITCH:
    case Opcode::CAL:
    case Opcode::RET: return false;
    case Opcode::EMIT:
    case Opcode::ENDPRIM:
    case Opcode::LOAD: return true;
    default: return inst.dst_count != 0 && (!inst.has_target || is_texture_message(inst.opcode));
    }
}

/// For how many instructions one counts, by its host code.
uint64_t weight(const Instruction& inst) {
    if (inst.opcode == Opcode::LOAD)
        return inst.has_target ? kImageLoadLength : 1;
    if (inst.opcode == Opcode::EMIT)
        return kEmitLength;
    return is_texture_message(inst.opcode) ? kTextureLength : 1;
}

/// Whether a loop begins with a test that leaves it.
bool has_test_first(const tgsi::Shader& shader, uint32_t first, uint32_t end) {
    const auto& code = shader.instructions;
    if (end >= code.size() || end < first + kHeadLength + 1 || end - first > kMaxUnrolled)
        return false;
    const Instruction& test = code[first + 1];
    const Instruction& branch = code[first + 2];
    return is_scalar_dst(test) && branch.opcode == Opcode::UIF &&
           reads_scalar(branch.src[0], 0, test.dst[0]) && code[first + 3].opcode == Opcode::BRK &&
           code[first + 4].opcode == Opcode::ENDIF;
}

/// The ENDIF of an IF or UIF.
uint32_t end_of_if(const tgsi::Shader& shader, uint32_t first) {
    unsigned depth = 0;
    for (uint32_t i = first; i < shader.instructions.size(); ++i) {
        const Opcode opcode = shader.instructions[i].opcode;
        if (opcode == Opcode::IF || opcode == Opcode::UIF)
            ++depth;
        else if (opcode == Opcode::ENDIF && --depth == 0)
            return i;
    }
    return static_cast<uint32_t>(shader.instructions.size()) - 1;
}

}  // namespace

/// Goes through the rounds of a loop, with the numbers that are known before it, without lowering
/// anything: counts the rounds and weighs their instructions. Instructions that only depend on
/// constants weigh nothing, because they will be folded.
class LoopRounds {
public:
    explicit LoopRounds(const Lowering& l)
        : l_(l)
        , shader_(l.shader_) {}

    /// The number of rounds of the loop [first, end] (`end`: ENDLOOP); nothing if it is not known
    /// or all rounds together are too long.
    std::optional<uint64_t> count(uint32_t first, uint32_t end) {
        if (!has_test_first(shader_, first, end))
            return std::nullopt;
        read_numbers();
        uint64_t rounds = 0;
        return loop(first, end, 0, rounds) ? std::optional(rounds) : std::nullopt;
    }

private:
    /// A component of a temporary.
    struct Known {
        bool constant = false;  ///< depends on constants alone
        std::optional<uint32_t> value;
    };

    void read_numbers() {
        known_.resize(4 * size_t{l_.temps_.count});
        for (size_t i = 0; i < known_.size(); ++i) {
            const Operand value = l_.read_variable(l_.temps_.base + static_cast<VarId>(i));
            if (value.is_number())
                known_[i] = {true, value.value};
        }
    }

    bool loop(uint32_t first, uint32_t end, unsigned depth, uint64_t& rounds) {
        constexpr unsigned max_depth = 4;
        if (depth == max_depth || !has_test_first(shader_, first, end))
            return false;
        const Instruction& test = shader_.instructions[first + 1];
        for (rounds = 0; ++lowered_ <= kMaxLowered; ++rounds) {
            execute(test);
            const auto leaves = known(test.dst[0].reg, component_of(test.dst[0])).value;
            if (!leaves)
                return false;
            if (*leaves != 0)
                return true;
            if (!walk(first + kHeadLength, end, depth + 1))
                return false;
        }
        return false;
    }

    bool walk(uint32_t first, uint32_t end, unsigned depth) {
        for (uint32_t i = first; i < end; ++i) {
            const Instruction& inst = shader_.instructions[i];
            if (inst.opcode == Opcode::BGNLOOP) {
                const uint32_t last = matching_end(shader_, i, Opcode::BGNLOOP, Opcode::ENDLOOP);
                uint64_t rounds = 0;
                if (!loop(i, last, depth, rounds))
                    return false;
                i = last;
            } else if (inst.opcode == Opcode::IF || inst.opcode == Opcode::UIF) {
                const uint32_t last = end_of_if(shader_, i);
                if (!walk_if(i, last, depth))
                    return false;
                i = last;
            } else if (!may_be_copied(inst)) {
                return false;
            } else if (!execute(inst) && !is_copy(inst)) {
                length_ += weight(inst);
            }
            if (length_ > kMaxUnrolled || ++lowered_ > kMaxLowered)
                return false;
        }
        return true;
    }

    /// Both sides of a branch; afterwards what they write is not known.
    bool walk_if(uint32_t first, uint32_t last, unsigned depth) {
        constexpr uint64_t branch_length = 3;
        length_ += branch_length;
        uint32_t from = first + 1;
        for (uint32_t i = from; i <= last; ++i) {
            const Opcode opcode = shader_.instructions[i].opcode;
            if (opcode == Opcode::IF || opcode == Opcode::UIF) {
                i = end_of_if(shader_, i);
            } else if (opcode == Opcode::ELSE || i == last) {
                if (!walk(from, i, depth))
                    return false;
                forget(first, last);
                from = i + 1;
            }
        }
        return true;
    }

    /// Forgets what the instructions write.
    void forget(uint32_t first, uint32_t end) {
        for (uint32_t i = first; i < end; ++i) {
            const Instruction& inst = shader_.instructions[i];
            for (unsigned d = 0; d < inst.dst_count; ++d)
                set(inst.dst[d], false, {});
        }
    }

    /// Whether an instruction only says that a register has the value of another one, as those
    /// from and to an array do whose element is known.
    [[nodiscard]] bool is_copy(const Instruction& inst) const {
        return inst.opcode == Opcode::MOV && number_op(inst) != nullptr &&
               is_known_temporary(inst.dst[0].reg) && is_known_temporary(inst.src[0].reg);
    }
    [[nodiscard]] bool is_known_temporary(const tgsi::RegisterRef& reg) const {
        const tgsi::RegisterIndex& index = reg.index;
        return reg.file == tgsi::File::Temporary &&
               (!index.indirect || (index.by.file == tgsi::File::Address &&
                                    known_addresses_.contains(address(index.by))));
    }
    static uint32_t address(const tgsi::IndirectIndex& by) {
        return static_cast<uint32_t>(by.index) * 4 + by.component;
    }

    /// Notes what an instruction writes; returns whether it will be folded.
    bool execute(const Instruction& inst) {
        const bool constant = inst.dst_count != 0 && !inst.has_target &&
                              !is_texture_message(inst.opcode) && inst.opcode != Opcode::LOAD &&
                              reads_constants(inst);
        std::array<std::optional<uint32_t>, 4> values;
        const NumberOp* const op = constant ? number_op(inst) : nullptr;
        for (unsigned c = 0; op != nullptr && c < 4; ++c) {
            const auto x = known(inst.src[0].reg, inst.src[0].swizzle[c]).value;
            const auto y =
                op->sources == 2 ? known(inst.src[1].reg, inst.src[1].swizzle[c]).value : x;
            if (x && y)
                values[c] = op->compute(*x, *y);
        }
        for (unsigned d = 0; d < inst.dst_count; ++d)
            set(inst.dst[d], constant, values);
        return constant;
    }

    [[nodiscard]] bool reads_constants(const Instruction& inst) const {
        for (unsigned i = 0; i < inst.src_count; ++i) {
            const unsigned components = Lowering::read_components(inst, i);
            for (unsigned c = 0; c < 4; ++c)
                if ((components >> c & 1) != 0 && !known(inst.src[i].reg, c).constant)
                    return false;
        }
        return true;
    }

    [[nodiscard]] Known known(const tgsi::RegisterRef& reg, unsigned component) const {
        const auto index = static_cast<uint32_t>(reg.index.value);
        if (reg.index.indirect)
            return {};
        if (reg.file == tgsi::File::Immediate && index < shader_.immediates.size())
            return {true, shader_.immediates[index].words[component]};
        if (reg.file != tgsi::File::Temporary || index >= l_.temps_.count ||
            l_.array_of(reg.file, index))
            return {};
        return known_[index * 4 + component];
    }

    void
    set(const tgsi::Dst& dst, bool constant, const std::array<std::optional<uint32_t>, 4>& values) {
        if (dst.reg.file == tgsi::File::Address)
            return set_address(dst, values);
        if (dst.reg.file != tgsi::File::Temporary)
            return;
        auto first = static_cast<uint32_t>(dst.reg.index.value);
        uint32_t last = first;
        if (dst.reg.index.indirect) {
            const Lowering::RegisterRange range = l_.indexed_range(dst.reg);
            first = range.first;
            last = range.last;
            constant = false;
        }
        for (uint32_t index = first; index <= last && index < l_.temps_.count; ++index)
            for (unsigned c = 0; c < 4; ++c)
                if ((dst.write_mask >> c & 1) != 0)
                    known_[index * 4 + c] = {constant, constant ? values[c] : std::nullopt};
    }

    void set_address(const tgsi::Dst& dst, const std::array<std::optional<uint32_t>, 4>& values) {
        for (uint32_t c = 0; c < 4; ++c) {
            if ((dst.write_mask >> c & 1) == 0)
                continue;
            const uint32_t place = static_cast<uint32_t>(dst.reg.index.value) * 4 + c;
            if (values[c])
                known_addresses_.insert(place);
            else
                known_addresses_.erase(place);
        }
    }

    const Lowering& l_;
    const tgsi::Shader& shader_;
    std::vector<Known> known_;
    std::set<uint32_t> known_addresses_;  ///< components of ADDR whose numbers are known
    uint64_t length_ = 0;                 ///< of all rounds so far, weighted
    uint64_t lowered_ = 0;                ///< instructions and tests of all rounds so far
};

bool Lowering::unroll(uint32_t first, uint32_t end) {
    const std::optional<uint64_t> rounds = LoopRounds(*this).count(first, end);
    if (!rounds)
        return false;
    const tgsi::Dst& leaves = shader_.instructions[first + 1].dst[0];
    const VarId variable =
        temps_.base + static_cast<uint32_t>(leaves.reg.index.value) * 4 + component_of(leaves);
    const uint32_t body = first + kHeadLength;
    if (*rounds != 0)
        load_inputs_before(body, end);
    for (uint64_t k = 0; k < *rounds && !failed(); ++k) {
        flow.set(variable, literal(0));
        lower_range(body, end);
    }
    flow.set(variable, literal(0xFFFFFFFF));
    position_ = end;
    return true;
}

}  // namespace valkyr::valhall::lower
