// Validator: checks the rules of legal Valhall programs, V1 to V22.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::valhall {

/// Part of the system that checks a rule.
enum class RuleKind : uint8_t {
    Static,    ///< validate(), on all paths where the rule speaks of paths
    Decoding,  ///< the strict decoder: a word that breaks it is reported under V2
    Dynamic,   ///< the interpreter in hazard mode, as a RunFault
};

struct RuleInfo {
    std::string_view id;  ///< "V1" .. "V22"
    RuleKind kind;
    std::string_view text;  ///< one line
};

/// All rules, in the order of their numbers.
VALKYR_API std::span<const RuleInfo> validation_rules();

/// One violation.
struct Diagnostic {
    uint32_t word_index = 0;
    std::string_view rule;  ///< id of the rule
    std::string text;       ///< one sentence without a final stop
};

/// Checks a program of the stage program.info.stage against all static rules. Returns the
/// violations in the order of the words, at most `max_diagnostics`; none: the program is legal. If
/// a word does not decode, only V2 is checked. Time is near linear in the length of the program.
/// source  docs/rules/isa-notes.md "Legal programs"
VALKYR_API std::vector<Diagnostic> validate(const Program& program, size_t max_diagnostics = 100);

/// "name:line: error: word 12: text [V13]", with the source line if the program knows it.
VALKYR_API std::string format_diagnostic(const Diagnostic& diagnostic, const Program& program);

}  // namespace valkyr::valhall
