// ISA fields: lists the bit fields of an instruction for the reference pages.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A value of a field and its token in assembly text.
struct FieldValue {
    unsigned number = 0;
    std::string token;  ///< empty: nothing is written
    std::string note;
    bool is_default = false;
};

/// One field of the word.
struct Field {
    valhall::BitField bits;
    std::string name;   ///< "source 0", "modifier clamp"
    std::string label;  ///< at most a few letters, for the picture
    std::string note;
    bool is_constant = false;
    uint64_t constant = 0;
    std::vector<FieldValue> values;  ///< empty: a number
};

/// All fields of the word, from bit 0 up. Bits of no field must be 0.
std::vector<Field> fields_of(const valhall::OpInfo& info);

/// "FMA.f32[.clamp][.flow] dest, A, B, C": the syntax of the instruction.
std::string syntax_of(const valhall::OpInfo& info);

/// A legal instruction with plain operands, as an example of the syntax.
valhall::Instr example_of(const valhall::OpInfo& info);

/// The effects of the instruction besides its results.
std::vector<valhall::EffectInfo> effects_of(const valhall::OpInfo& info);

/// The names of the stages whose programs may use it, in the order of exec::Stage.
std::vector<std::string_view> stages_of(const valhall::OpInfo& info);

/// "and yes, seq yes": when a rejection of the instruction applies; "always" without a condition.
std::string rejection_condition(const valhall::OpInfo& info,
                                const valhall::RejectionInfo& rejection);

/// "40" or "40-45".
std::string bits_text(valhall::BitField bits);

}  // namespace valkyr::app
