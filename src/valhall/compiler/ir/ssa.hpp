// SSA helpers: find definitions, uses and dominators of values, and replace values.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <vector>

namespace valkyr::valhall::ir {

/// The defining instruction of each value, and how often it is read.
struct ValueInfo {
    explicit ValueInfo(const Function& function);
    std::vector<uint32_t> def;   ///< index of the instruction; kNone
    std::vector<uint32_t> uses;  ///< operands that read it
};

/// The definitions alone.
std::vector<uint32_t> find_definitions(const Function& function);

/// Maps values to the operands that replace them. A replacement keeps the flags and the selector of
/// the operand that it goes into; it must be a value itself unless every use can take it.
class Replacements {
public:
    explicit Replacements(const Function& function)
        : by_value_(function.value_count) {}

    void set(ValueId value, Operand with) {
        by_value_[value] = with;
        any_ = true;
    }
    [[nodiscard]] bool any() const { return any_; }
    /// Follows chains of replacements.
    void apply(Operand& operand) const {
        while (operand.is_value() && operand.value < by_value_.size() &&
               by_value_[operand.value].kind != OperandKind::None) {
            const Operand& with = by_value_[operand.value];
            operand.kind = with.kind;
            operand.value = with.value;
            operand.word = with.word;
        }
        // The table of constants is searched by value: no modifiers may be left on a literal.
        if (operand.kind == OperandKind::Literal)
            operand = fold_flags(operand);
    }
    /// Rewrites every operand of the function.
    void apply(Function& function) const;

private:
    std::vector<Operand> by_value_;
    bool any_ = false;
};

/// Dominance of blocks, for functions in which only loops jump back.
class Dominators {
public:
    explicit Dominators(const Function& function);
    [[nodiscard]] bool dominates(BlockId a, BlockId b) const {
        return first_[a] <= first_[b] && first_[b] < first_[a] + size_[a];
    }
    /// The immediate dominator; the entry block is its own.
    [[nodiscard]] BlockId parent(BlockId block) const { return parent_[block]; }

private:
    std::vector<BlockId> parent_;
    std::vector<uint32_t> first_;  ///< position in a walk of the tree
    std::vector<uint32_t> size_;   ///< of the subtree
};

}  // namespace valkyr::valhall::ir
