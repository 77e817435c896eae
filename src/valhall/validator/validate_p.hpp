// Validator: holds the input of a rule, and collects its diagnostics.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/specials.hpp"
#include "valhall/isa/program_graph.hpp"
#include "valhall/isa/register_access.hpp"
#include "valhall/validator/validate.hpp"

#include <string>
#include <vector>

namespace valkyr::valhall {

/// A decoded program and its graph.
struct ValidatedProgram {
    const Program& program;
    std::span<const Instr> instrs;
    const ProgramGraph& graph;

    [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(instrs.size()); }
    [[nodiscard]] exec::Stage stage() const { return program.info.stage; }
};

/// Collects the diagnostics of one rule.
class RuleReport {
public:
    RuleReport(std::string_view rule, std::vector<Diagnostic>& out)
        : rule_(rule)
        , out_(out) {}
    void add(uint32_t word_index, std::string text) {
        out_.push_back({word_index, rule_, std::move(text)});
    }
    /// "MNEMONIC: text".
    void add(uint32_t word_index, const Instr& instr, std::string_view text) {
        add(word_index, std::string(op_info(instr.op).name) + ": " + std::string(text));
    }

private:
    std::string_view rule_;
    std::vector<Diagnostic>& out_;
};

using RuleFunction = void (*)(const ValidatedProgram&, RuleReport&);

// validate_structure.cpp
void check_ends(const ValidatedProgram& p, RuleReport& report);
void check_branch_targets(const ValidatedProgram& p, RuleReport& report);
void check_reconverge(const ValidatedProgram& p, RuleReport& report);
void check_reducible(const ValidatedProgram& p, RuleReport& report);
// validate_operands.cpp
void check_fau(const ValidatedProgram& p, RuleReport& report);
void check_register_mode(const ValidatedProgram& p, RuleReport& report);
void check_staging_counts(const ValidatedProgram& p, RuleReport& report);
void check_modifiers(const ValidatedProgram& p, RuleReport& report);
void check_last_uses(const ValidatedProgram& p, RuleReport& report);
// validate_messages.cpp
void check_slots(const ValidatedProgram& p, RuleReport& report);
void check_retrieve(const ValidatedProgram& p, RuleReport& report);
void check_uniform_operands(const ValidatedProgram& p, RuleReport& report);
// validate_pending.cpp
void check_pending(const ValidatedProgram& p, RuleReport& report);
// validate_stages.cpp
void check_stage(const ValidatedProgram& p, RuleReport& report);
void check_fragment_order(const ValidatedProgram& p, RuleReport& report);
void check_coverage(const ValidatedProgram& p, RuleReport& report);
void check_blend(const ValidatedProgram& p, RuleReport& report);

/// Whether the source is this FAU special, either half.
bool is_special(const Source& source, exec::Special special);

}  // namespace valkyr::valhall
