// Operand rules: check V6, V7, V8, V10 and V11.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/isa/executable.hpp"
#include "valhall/isa/staging_count.hpp"
#include "valhall/validator/validate_p.hpp"

#include <algorithm>
#include <array>

namespace valkyr::valhall {

namespace {

constexpr unsigned kMaxFauWords = 2;

bool reads_64_bits(const Instr& instr, size_t k) {
    const SourceInfo& info = op_info(instr.op).sources[k];
    return info.size == 64 &&
           (info.selector == SelectorKind::None || instr.src[k].selector == info.selector_default);
}

/// A few different numbers.
class SmallSet {
public:
    void insert(unsigned value) {
        if (std::find(values_.begin(), values_.begin() + count_, value) == values_.begin() + count_)
            values_[count_++] = value;
    }
    [[nodiscard]] unsigned size() const { return count_; }

private:
    std::array<unsigned, 8> values_{};  // four sources of two words each
    unsigned count_ = 0;
};

/// Operands of one instruction that are not registers.
struct FauUse {
    SmallSet words;  ///< uniform words and table constants
    SmallSet specials;
    unsigned uniform_end = 0;  ///< highest uniform word plus one
};

FauUse fau_use(const Instr& instr) {
    constexpr unsigned kConstantBase = 256;
    FauUse use;
    for (size_t k = 0; k < op_info(instr.op).sources.size(); ++k) {
        const Source& source = instr.src[k];
        const unsigned count = reads_64_bits(instr, k) ? 2 : 1;
        if (source.kind == SourceKind::Constant)
            use.words.insert(kConstantBase + source.index);
        if (source.kind == SourceKind::Special)
            use.specials.insert(source.index);
        for (unsigned w = 0; source.kind == SourceKind::Uniform && w < count; ++w) {
            use.words.insert(source.index + w);
            use.uniform_end = std::max(use.uniform_end, source.index + w + 1);
        }
    }
    return use;
}

/// Live halves of all registers: bit r.
struct Live {
    uint64_t half[2] = {0, 0};

    bool join(const Live& other) {
        const Live before = *this;
        half[0] |= other.half[0];
        half[1] |= other.half[1];
        return half[0] != before.half[0] || half[1] != before.half[1];
    }
    [[nodiscard]] bool any(unsigned reg) const { return (half[0] | half[1]) >> reg & 1; }
};

void apply(Live& live, const RegisterAccess& access) {
    for (unsigned h = 0; h < 2; ++h) {
        if (!(access.halves >> h & 1))
            continue;
        const uint64_t bit = uint64_t{1} << access.reg;
        live.half[h] = access.is_write() ? live.half[h] & ~bit : live.half[h] | bit;
    }
}

/// Turns liveness behind an instruction into liveness before it.
void step_back(Live& live, const Instr& instr) {
    const RegisterAccesses accesses(instr);
    for (const RegisterAccess& access : accesses)
        if (access.is_write())
            apply(live, access);
    for (const RegisterAccess& access : accesses)
        if (!access.is_write())
            apply(live, access);
    if (instr.op == Op::BRANCHZI)  // a blend shader may read coverage and sample
        for (const unsigned reg : {exec::kCoverageRegister, exec::kSampleRegister})
            apply(live, {static_cast<uint8_t>(reg), 3, AccessKind::Source, false});
}

/// Liveness at the end of every block.
std::vector<Live> live_out(const ValidatedProgram& p) {
    const auto& blocks = p.graph.blocks();
    std::vector<Live> at_end(blocks.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t number = blocks.size(); number-- > 0;) {
            Live live = at_end[number];
            for (uint32_t word = blocks[number].last + 1; word-- > blocks[number].first;)
                step_back(live, p.instrs[word]);
            for (const uint32_t before : blocks[number].predecessors)
                changed = at_end[before].join(live) || changed;
        }
    }
    return at_end;
}

/// Checks the marks of one instruction; `live` is the liveness behind it.
void check_marks(const Instr& instr, uint32_t word, const Live& live, RuleReport& report) {
    const RegisterAccesses accesses(instr);
    Live untouched = live;
    for (const RegisterAccess& access : accesses)
        if (access.is_write())
            apply(untouched, access);
    for (const RegisterAccess& access : accesses) {
        if (!access.last_use)
            continue;
        const std::string name = "^r" + std::to_string(access.reg);
        const bool staged = std::ranges::any_of(accesses, [&](const RegisterAccess& other) {
            return other.kind == AccessKind::StagingRead && other.reg == access.reg;
        });
        if (untouched.any(access.reg))
            report.add(word, instr, name + " is read again");
        else if (staged)
            report.add(word, instr, name + " is also a staging operand");
    }
}

}  // namespace

void check_fau(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const FauUse use = fau_use(p.instrs[word]);
        if (use.words.size() > kMaxFauWords)
            report.add(word, p.instrs[word], "reads more than 64 bits of uniforms and constants");
        if (use.specials.size() > 1)
            report.add(word, p.instrs[word], "reads more than one special");
        if (use.uniform_end > p.program.fau.size())
            report.add(word, p.instrs[word],
                       "u" + std::to_string(use.uniform_end - 1) + " is outside of the " +
                           std::to_string(p.program.fau.size()) + " FAU words of the program");
    }
}

void check_register_mode(const ValidatedProgram& p, RuleReport& report) {
    if (p.stage() != exec::Stage::Blend)  // the only stage with 32 registers: r0-r15 and r48-r63
        return;
    for (uint32_t word = 0; word < p.size(); ++word)
        for (const RegisterAccess& access : RegisterAccesses(p.instrs[word]))
            if (access.reg >= exec::kLowRegisterEnd && access.reg < exec::kHighRegister)
                report.add(word, p.instrs[word],
                           "r" + std::to_string(access.reg) +
                               " does not exist in the 32-register mode of blend shaders");
}

void check_staging_counts(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        for (unsigned run = 0; run < op_info(instr.op).staging.size(); ++run) {
            const unsigned count = staging_count(instr, run);
            if (count != instr.staging[run].count)
                report.add(word, instr,
                           "needs " + std::to_string(count) + " staging registers, has " +
                               std::to_string(instr.staging[run].count));
        }
    }
}

void check_modifiers(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const std::string_view reason = reject_reason(p.instrs[word]);
        if (!reason.empty())
            report.add(word, p.instrs[word], reason);
    }
}

void check_last_uses(const ValidatedProgram& p, RuleReport& report) {
    const std::vector<Live> at_end = live_out(p);
    const auto& blocks = p.graph.blocks();
    for (size_t number = 0; number < blocks.size(); ++number) {
        Live live = at_end[number];
        for (uint32_t word = blocks[number].last + 1; word-- > blocks[number].first;) {
            check_marks(p.instrs[word], word, live, report);
            step_back(live, p.instrs[word]);
        }
    }
}

}  // namespace valkyr::valhall
