// Instruction check: knows every rule that a single word can break.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

#include <string>

namespace valkyr::valhall {

/// The rules, each as its breach in the part of the instruction that a Fault points at.
enum class Rule : uint8_t {
    None,              ///< nothing is wrong
    UnknownOp,         ///< no such instruction
    ReservedFlow,      ///< flow value is reserved
    ReservedModifier,  ///< modifier value is reserved or does not fit
    DestinationRange,  ///< register above r63
    DestinationMask,   ///< no half is written, or more than two
    DestinationPair,   ///< a 64-bit result needs an even register and both halves
    StagingCount,      ///< count not encodable
    StagingEmptyBase,  ///< an empty run must have base 0
    StagingOdd,        ///< a run of two or more must start at an even register
    StagingRange,      ///< run passes r63
    SourceRange,       ///< register, uniform, constant or special number does not exist
    ReservedSpecial,   ///< no special has this number
    WordSelect,        ///< half of a special other than 0 or 1, or half of something else
    LastUse,           ///< last-use mark on something that is not a register
    NoNegate,          ///< neg or abs on a source that takes none
    NoComplement,      ///< not on a source that takes none
    ReservedSelector,  ///< selector value reserved, or the source takes no selector
    PairAlignment,     ///< a 64-bit read needs an even register or uniform, or .w0
    MixedPages,        ///< uniforms and specials on more than one page
    TooManyFauWords,   ///< more than two different FAU operands
    TooManyFauSlots,   ///< uniforms and specials in too many 64-bit slots
    ImmediateRange,    ///< number does not fit its field
};

/// The part of an instruction that breaks a rule.
enum class Part : uint8_t { Instruction, Modifier, Destination, Staging, Source, Immediate };

struct Fault {
    Rule rule = Rule::None;
    Part part = Part::Instruction;
    uint8_t index =
        0;  ///< which modifier, staging run, source or immediate, in the order of OpInfo
    explicit operator bool() const { return rule != Rule::None; }
};

/// Checks all members of `instr` that its instruction uses; others are ignored. On success `page`
/// is the FAU page that the word must name: that of its uniforms and specials, 0 if it has none.
Fault check_instr(const Instr& instr, unsigned& page);

/// The fault as an error: "FMA.f32: source 2 (B): <rule>". Code BadEncoding, no place.
Error fault_error(const Instr& instr, const Fault& fault);
/// The rule alone, in words.
std::string fault_text(const Instr& instr, const Fault& fault);
/// The part in words: "source 2 (C)"; empty for the instruction as a whole.
std::string part_name(const OpInfo& info, Part part, unsigned index);

}  // namespace valkyr::valhall
