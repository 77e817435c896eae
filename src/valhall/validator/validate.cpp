// Validator: holds the table of rules and applies it.
// SPDX-License-Identifier: MIT
#include "valhall/validator/validate.hpp"

#include "valhall/isa/decode.hpp"
#include "valhall/validator/validate_p.hpp"

#include <algorithm>
#include <array>

namespace valkyr::valhall {

namespace {

struct RuleRow {
    RuleInfo info;
    RuleFunction check;  ///< static rules only
};

constexpr std::string_view kDecodingRule = "V2";

constexpr std::array<RuleRow, 22> kRules = {{
    {{"V1", RuleKind::Static, "every path ends with .end, and nothing follows the last"},
     check_ends},
    {{kDecodingRule, RuleKind::Decoding, "every word decodes strictly"}, nullptr},
    {{"V3", RuleKind::Static, "branches go to instructions of the program"}, check_branch_targets},
    {{"V4", RuleKind::Static, ".reconverge where the running lanes may change"}, check_reconverge},
    {{"V5", RuleKind::Static, "loops are entered at their first instruction"}, check_reducible},
    {{"V6", RuleKind::Static, "uniforms, constants and specials stay within their limits"},
     check_fau},
    {{"V7", RuleKind::Static, "registers exist in the register mode"}, check_register_mode},
    {{"V8", RuleKind::Static, "staging counts agree with format, size, mask and modifiers"},
     check_staging_counts},
    {{"V9", RuleKind::Decoding, "64-bit results write a whole even pair"}, nullptr},
    {{"V10", RuleKind::Static, "modifiers have a meaning together"}, check_modifiers},
    {{"V11", RuleKind::Static, "a last-use mark stands on the last use"}, check_last_uses},
    {{"V12", RuleKind::Static, "messages use slots 0 to 2, BARRIER slot 7"}, check_slots},
    {{"V13", RuleKind::Static, "pending messages are waited for"}, check_pending},
    {{"V14", RuleKind::Static, "retrieve follows a store of the same sample mode"}, check_retrieve},
    {{"V15", RuleKind::Static, "resource indices are uniform"}, check_uniform_operands},
    {{"V16", RuleKind::Static, "instructions fit the stage"}, check_stage},
    {{"V17", RuleKind::Static, "one ATEST, then at most one ZS_EMIT, then the BLENDs"},
     check_fragment_order},
    {{"V18", RuleKind::Static, "coverage lives in r60; no side effects after BLEND"},
     check_coverage},
    {{"V19", RuleKind::Static, "BLEND reads four components from r0 and has its epilogue"},
     check_blend},
    {{"V20", RuleKind::Dynamic, "no undefined, pending or dead register is read"}, nullptr},
    {{"V21", RuleKind::Dynamic, "memory accesses are aligned"}, nullptr},
    {{"V22", RuleKind::Dynamic, "resource indices are in range and uniform"}, nullptr},
}};

constexpr auto kRuleInfos = [] {
    std::array<RuleInfo, kRules.size()> infos{};
    for (size_t k = 0; k < kRules.size(); ++k)
        infos[k] = kRules[k].info;
    return infos;
}();

/// Decodes all words but the zeros at the end; reports to `out` the words that do not decode.
std::vector<Instr> decode_all(const Program& program, std::vector<Diagnostic>& out) {
    size_t count = program.words.size();
    while (count > 0 && program.words[count - 1] == 0)
        --count;
    std::vector<Instr> instrs;
    instrs.reserve(count);
    for (uint32_t index = 0; index < count; ++index) {
        auto decoded = decode(program.words[index]);
        if (decoded)
            instrs.push_back(*decoded);
        else
            out.push_back({index, kDecodingRule, decoded.error().text});
    }
    return instrs;
}

void sort_and_limit(std::vector<Diagnostic>& out, size_t limit) {
    std::ranges::stable_sort(out, {}, &Diagnostic::word_index);
    if (out.size() > limit)
        out.resize(limit);
}

}  // namespace

std::span<const RuleInfo> validation_rules() {
    return kRuleInfos;
}

std::vector<Diagnostic> validate(const Program& program, size_t max_diagnostics) {
    std::vector<Diagnostic> out;
    const std::vector<Instr> instrs = decode_all(program, out);
    if (out.empty()) {
        const ProgramGraph graph(instrs);
        const ValidatedProgram validated{program, instrs, graph};
        for (const RuleRow& row : kRules) {
            RuleReport report(row.info.id, out);
            if (row.check)
                row.check(validated, report);
        }
    }
    sort_and_limit(out, max_diagnostics);
    return out;
}

std::string format_diagnostic(const Diagnostic& diagnostic, const Program& program) {
    std::string text = program.source_name.empty() ? "program" : program.source_name;
    const uint32_t line = diagnostic.word_index < program.source_lines.size()
                              ? program.source_lines[diagnostic.word_index]
                              : 0;
    if (line)
        text += ":" + std::to_string(line);
    text += ": error: word " + std::to_string(diagnostic.word_index) + ": " + diagnostic.text;
    return text + " [" + std::string(diagnostic.rule) + "]";
}

}  // namespace valkyr::valhall
