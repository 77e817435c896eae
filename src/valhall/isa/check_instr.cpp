// Instruction check: has one function a kind of operand.
// SPDX-License-Identifier: MIT
#include "valhall/isa/check_instr.hpp"

#include "base/bits.hpp"
#include "valhall/isa/source_byte.hpp"

#include <array>
#include <string_view>

namespace valkyr::valhall {
namespace {

constexpr std::array kRuleTexts = {
    std::string_view("nothing is wrong"),
    std::string_view("no such instruction"),
    std::string_view("flow value is reserved"),
    std::string_view("value is reserved"),
    std::string_view("register out of range, r0..r63"),
    std::string_view("write mask must be the low half, the high half or both"),
    std::string_view("a 64-bit result needs an even register and no half suffix"),
    std::string_view("number of staging registers out of range"),
    std::string_view("an empty run of staging registers must have base 0"),
    std::string_view("a run of two or more staging registers must start at an even one"),
    std::string_view("staging registers pass r63"),
    std::string_view("operand number out of range: r0..r63, u0..u255, 32 constants"),
    std::string_view("special value is reserved"),
    std::string_view("only a special has a word select, .w0 or .w1"),
    std::string_view("only a register can be marked as last use"),
    std::string_view("takes no .neg and no .abs"),
    std::string_view("takes no .not"),
    std::string_view("selector value is reserved"),
    std::string_view("a 64-bit read needs an even register or uniform, or .w0 of a special"),
    std::string_view("uniforms and specials must lie on one page of 64 words"),
    std::string_view("more than two different uniform words, specials and constants"),
    std::string_view("uniforms and specials lie in too many different 64-bit slots"),
    std::string_view("number out of range"),
};
static_assert(kRuleTexts.size() == static_cast<size_t>(Rule::ImmediateRange) + 1);

bool has_bit(uint16_t set, unsigned value) {
    return value < 16 && (set >> value & 1) != 0;
}

Rule check_destination(const OpInfo& info, const Destination& dest) {
    if (dest.reg >= kRegisterCount)
        return Rule::DestinationRange;
    if (dest.mask == 0 || dest.mask > 3)
        return Rule::DestinationMask;
    if (info.dest_is_pair && (dest.mask != 3 || dest.reg % 2 != 0))
        return Rule::DestinationPair;
    return Rule::None;
}

Rule check_staging(const StagingInfo& info, const Staging& run) {
    if (run.count == 0) {
        if (!info.may_be_empty)
            return Rule::StagingCount;
        return run.base == 0 ? Rule::None : Rule::StagingEmptyBase;
    }
    if (run.count > info.max_count)
        return Rule::StagingCount;
    if (run.base + run.count > static_cast<int>(kRegisterCount))
        return Rule::StagingRange;
    return run.count > 1 && run.base % 2 != 0 ? Rule::StagingOdd : Rule::None;
}

Rule check_source_number(const Source& source) {
    if (source.word > 1 || (source.word != 0 && source.kind != SourceKind::Special))
        return Rule::WordSelect;
    switch (source.kind) {
    case SourceKind::Register:
        return source.index < kRegisterCount ? Rule::None : Rule::SourceRange;
    case SourceKind::Uniform: return Rule::None;
    case SourceKind::Constant:
        return source.index < kConstantCount ? Rule::None : Rule::SourceRange;
    case SourceKind::Special:
        if (source.index >= kPageCount * kSpecialsPerPage)
            return Rule::SourceRange;
        return (kSpecialValues >> source.index & 1) != 0 ? Rule::None : Rule::ReservedSpecial;
    }
    return Rule::SourceRange;
}

Rule check_source(const SourceInfo& info, const Source& source) {
    if (const Rule rule = check_source_number(source); rule != Rule::None)
        return rule;
    if (source.last_use && is_fau(source))
        return Rule::LastUse;
    if ((source.neg && info.neg.size == 0) || (source.abs && info.abs.size == 0))
        return Rule::NoNegate;
    if (source.bit_not && info.bit_not.size == 0)
        return Rule::NoComplement;
    if (!has_bit(info.selector_values, source.selector))
        return Rule::ReservedSelector;
    // Constants are zero-extended by a 64-bit read and need no alignment.
    if (reads_pair(info, source)) {
        const bool odd = source.kind == SourceKind::Special    ? source.word != 0
                         : source.kind == SourceKind::Constant ? false
                                                               : source.index % 2 != 0;
        if (odd)
            return Rule::PairAlignment;
    }
    return Rule::None;
}

/// Counts the different values among at most four.
class SmallSet {
public:
    void insert(unsigned value) {
        for (unsigned i = 0; i < count_; ++i)
            if (values_[i] == value)
                return;
        values_[count_++] = static_cast<uint8_t>(value);
    }
    [[nodiscard]] unsigned size() const { return count_; }

private:
    std::array<uint8_t, 4> values_{};
    unsigned count_ = 0;
};

/// The limits of valhall.xml, element fau. They count distinct source bytes.
Rule check_fau(const OpInfo& info, const Instr& instr, unsigned& page) {
    SmallSet bytes;
    SmallSet slots;
    SmallSet pages;
    for (size_t i = 0; i < info.sources.size(); ++i) {
        const Source& source = instr.src[i];
        if (!is_fau(source))
            continue;
        const uint8_t byte = source_byte(source);
        bytes.insert(byte);
        if (source.kind == SourceKind::Constant)
            continue;
        slots.insert(byte >> 1u);
        page = source_page(source);
        pages.insert(page);
    }
    if (pages.size() > 1)
        return Rule::MixedPages;
    if (bytes.size() > kFauBytes)
        return Rule::TooManyFauWords;
    const unsigned slot_limit = is_alu(info.unit) ? kFauAluSlots : kFauMessageSlots;
    return slots.size() > slot_limit ? Rule::TooManyFauSlots : Rule::None;
}

Rule check_immediate(const ImmediateInfo& info, int64_t value) {
    const uint64_t raw = static_cast<uint64_t>(value) & bit_mask(0, info.bits.size);
    const int64_t back =
        info.is_signed ? sign_extend(raw, info.bits.size) : static_cast<int64_t>(raw);
    return back == value ? Rule::None : Rule::ImmediateRange;
}

/// The parts that stand in the text before the operands.
Fault check_head(const OpInfo& info, const Instr& instr) {
    if (!has_bit(kFlowValues, static_cast<unsigned>(instr.flow)))
        return {Rule::ReservedFlow, Part::Instruction, 0};
    for (size_t i = 0; i < info.mods.size(); ++i)
        if (!has_bit(info.mods[i].valid_values, instr.mod(info.mods[i].mod)))
            return {Rule::ReservedModifier, Part::Modifier, static_cast<uint8_t>(i)};
    return {};
}

std::string range_text(int64_t low, int64_t high) {
    return ", " + std::to_string(low) + ".." + std::to_string(high);
}

}  // namespace

Fault check_instr(const Instr& instr, unsigned& page) {
    page = 0;
    if (static_cast<unsigned>(instr.op) >= kOpCount)
        return {Rule::UnknownOp, Part::Instruction, 0};
    const OpInfo& info = op_info(instr.op);
    if (const Fault fault = check_head(info, instr))
        return fault;
    if (info.has_dest)
        if (const Rule rule = check_destination(info, instr.dest); rule != Rule::None)
            return {rule, Part::Destination, 0};
    for (size_t i = 0; i < info.staging.size(); ++i)
        if (const Rule rule = check_staging(info.staging[i], instr.staging[i]); rule != Rule::None)
            return {rule, Part::Staging, static_cast<uint8_t>(i)};
    bool any_fau = false;
    for (size_t i = 0; i < info.sources.size(); ++i) {
        if (const Rule rule = check_source(info.sources[i], instr.src[i]); rule != Rule::None)
            return {rule, Part::Source, static_cast<uint8_t>(i)};
        any_fau |= is_fau(instr.src[i]);
    }
    if (any_fau)
        if (const Rule rule = check_fau(info, instr, page); rule != Rule::None)
            return {rule, Part::Instruction, 0};
    for (size_t i = 0; i < info.immediates.size(); ++i)
        if (const Rule rule = check_immediate(info.immediates[i], instr.imm[i]); rule != Rule::None)
            return {rule, Part::Immediate, static_cast<uint8_t>(i)};
    return {};
}

std::string part_name(const OpInfo& info, Part part, unsigned index) {
    const auto numbered = [index](const char* what, std::string_view role) {
        const std::string name = std::string(what) + ' ' + std::to_string(index);
        return role.empty() ? name : name + " (" + std::string(role) + ')';
    };
    switch (part) {
    case Part::Instruction: return {};
    case Part::Modifier: return "modifier " + std::string(info.mods[index].name);
    case Part::Destination: return "destination";
    case Part::Staging: return numbered("staging run", info.staging[index].role);
    case Part::Source: return numbered("source", info.sources[index].role);
    case Part::Immediate: {
        const std::string_view name = info.immediates[index].name;
        return "immediate " + (name.empty() ? std::string("#") : std::string(name));
    }
    }
    return {};
}

std::string fault_text(const Instr& instr, const Fault& fault) {
    std::string text(kRuleTexts[static_cast<size_t>(fault.rule)]);
    if (fault.rule == Rule::StagingCount) {
        const StagingInfo& info = op_info(instr.op).staging[fault.index];
        text += range_text(info.may_be_empty ? 0 : 1, info.max_count);
    } else if (fault.rule == Rule::ImmediateRange) {
        const ImmediateInfo& info = op_info(instr.op).immediates[fault.index];
        const int64_t span = int64_t{1} << (info.is_signed ? info.bits.size - 1 : info.bits.size);
        text += range_text(info.is_signed ? -span : 0, span - 1);
    } else if (fault.rule == Rule::TooManyFauSlots) {
        text += is_alu(op_info(instr.op).unit) ? ", at most " + std::to_string(kFauAluSlots)
                                               : ", at most " + std::to_string(kFauMessageSlots);
    }
    return text;
}

Error fault_error(const Instr& instr, const Fault& fault) {
    if (fault.rule == Rule::UnknownOp)
        return {Errc::BadEncoding, {}, fault_text(instr, fault)};
    const OpInfo& info = op_info(instr.op);
    std::string text(info.name);
    if (const std::string part = part_name(info, fault.part, fault.index); !part.empty())
        text += ": " + part;
    return {Errc::BadEncoding, {}, text + ": " + fault_text(instr, fault)};
}

}  // namespace valkyr::valhall
