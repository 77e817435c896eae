// Sign changes: finds exclusive ORs that change at most the sign of a word.
// SPDX-License-Identifier: MIT
#include "jit/guest/sign_changes.hpp"

#include "base/float_bits.hpp"
#include "jit/guest/known_words.hpp"

namespace valkyr::jit {

using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

namespace {

/// LSHIFT_AND and LSHIFT_XOR shift the first source and combine it with the third one.
constexpr unsigned kShifted = 0;
constexpr unsigned kShift = 1;
constexpr unsigned kOther = 2;

bool is_plain(const valhall::Instr& instr) {
    return instr.dest.mask == 3 && has_default_modifiers(instr);
}
bool is_plain(const Source& source) {
    return source.selector == 0 && is_unmodified(source);
}

/// Follows the registers that are 0 but for the sign through a block.
class SignWords {
public:
    explicit SignWords(const GuestProgram& program)
        : known_(program) {}

    void begin_block(uint32_t block) {
        known_.begin_block(block);
        signs_ = {};
    }

    /// The source that the step carries to its result; kChangesMore: none.
    [[nodiscard]] uint8_t carried(const Step& step) const {
        const valhall::Instr& instr = step.instr;
        if (instr.op != Op::LSHIFT_XOR_I32 || !is_plain(instr) || known_.word(step, kShift) != 0U)
            return kChangesMore;
        for (const unsigned source : {kShifted, kOther})
            if (is_plain(instr.src[source]) && is_sign(instr.src[kOther - source]))
                return static_cast<uint8_t>(source);
        return kChangesMore;
    }

    void pass(const Step& step) {
        const bool sign = makes_sign(step);
        signs_ = signs_ - step.access.writes;
        if (sign)
            signs_ |= RegSet::one(step.instr.dest.reg);
        known_.pass(step);
    }

private:
    [[nodiscard]] bool is_sign(const Source& source) const {
        return is_plain(source) && source.kind == SourceKind::Register && signs_.has(source.index);
    }
    [[nodiscard]] bool makes_sign(const Step& step) const {
        const valhall::Instr& instr = step.instr;
        if (instr.op != Op::LSHIFT_AND_I32 || !is_plain(instr) || !is_plain(instr.src[kOther]))
            return false;
        const std::optional<uint32_t> mask = known_.word(step, kOther);
        return mask && (*mask & ~float_bits::kSign) == 0;
    }

    KnownWords known_;
    RegSet signs_;
};

}  // namespace

std::vector<uint8_t> find_sign_changes(const GuestProgram& program, Cancellation cancellation) {
    std::vector<uint8_t> carried(program.steps.size(), kChangesMore);
    SignWords signs(program);
    for (uint32_t b = 0; b < program.blocks.size() && !cancellation.requested(); ++b) {
        const Block& block = program.blocks[b];
        signs.begin_block(b);
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            carried[k] = signs.carried(program.steps[k]);
            signs.pass(program.steps[k]);
        }
    }
    return carried;
}

}  // namespace valkyr::jit
