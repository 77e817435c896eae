// ISA fields: lists the bit fields of an instruction for the reference pages.
// SPDX-License-Identifier: MIT
#include "app/isa/isa_fields.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::app {

using namespace valhall;

namespace {

/// "source 1" with its role in parentheses.
std::string operand_name(const char* kind, size_t index, size_t count, std::string_view role) {
    std::string name = kind;
    if (count > 1)
        name += ' ' + std::to_string(index);
    if (!role.empty())
        name += " (" + std::string(role) + ')';
    return name;
}

std::vector<FieldValue> values_of(EnumId id, uint16_t legal, int default_value) {
    const EnumInfo& info = enum_info(id);
    std::vector<FieldValue> values;
    for (unsigned v = 0; v < info.tokens.size(); ++v)
        if ((legal >> v & 1) != 0)
            values.push_back({v, std::string(info.tokens[v] == "none" ? "" : info.tokens[v]),
                              std::string(info.notes[v]), static_cast<int>(v) == default_value});
    return values;
}

class FieldList {
public:
    explicit FieldList(const OpInfo& info) {
        add_common(info);
        for (size_t i = 0; i < info.staging.size(); ++i)
            add_staging(info, i);
        for (size_t i = 0; i < info.sources.size(); ++i)
            add_source(info, i);
        for (const ImmediateInfo& imm : info.immediates) {
            const std::string name(imm.name.empty() ? "#" : imm.name);
            add(imm.bits, "immediate " + name + (imm.is_signed ? ", signed" : ""), name, imm.role);
        }
        for (const ModInfo& mod : info.mods)
            add_modifier(mod);
        std::sort(fields_.begin(), fields_.end(),
                  [](const Field& a, const Field& b) { return a.bits.start < b.bits.start; });
    }
    std::vector<Field> take() { return std::move(fields_); }

private:
    Field& add(BitField bits, std::string name, std::string label, std::string_view note = {}) {
        fields_.push_back(
            {bits, std::move(name), std::move(label), std::string(note), false, 0, {}});
        return fields_.back();
    }

    void add_flag(BitField bits, std::string name, std::string label, std::string_view token) {
        if (bits.size == 0)
            return;
        Field& field = add(bits, std::move(name), std::move(label));
        field.values = {{0, "", "", true}, {1, std::string(token), "", false}};
    }

    /// Adds a field for each run of constant bits outside of the primary opcode.
    void add_constants(const OpInfo& info) {
        uint64_t left = info.fixed_mask & ~bit_mask(kOpcodeStart, kOpcodeSize);
        while (left != 0) {
            const auto start = static_cast<uint8_t>(std::countr_zero(left));
            const auto size = static_cast<uint8_t>(std::countr_one(left >> start));
            const bool is_flags = start >= 46;
            Field& field = add({start, size}, is_flags ? "constant" : "secondary opcode",
                               is_flags ? "" : "op2");
            field.is_constant = true;
            field.constant = extract_bits(info.fixed_value, start, size);
            left &= ~bit_mask(start, size);
        }
    }

    void add_common(const OpInfo& info) {
        Field& opcode = add({kOpcodeStart, kOpcodeSize}, "primary opcode", "opcode");
        opcode.is_constant = true;
        opcode.constant = info.opcode;
        add_constants(info);
        add({kPageStart, kPageSize}, "FAU page", "page",
            "of the uniforms and specials; 0 without them");
        add({kFlowStart, kFlowSize}, "flow", "flow").values =
            values_of(EnumId::Flow, kFlowValues, static_cast<int>(Flow::none));
        if (!info.has_dest)
            return;
        add(info.dest_reg,
            info.dest_is_pair ? "destination register, even" : "destination register", "dest");
        Field& mask = add(info.dest_mask, "halves written", "half");
        if (info.dest_is_pair)
            mask.values = {{3, "", "the pair", true}};
        else
            mask.values = {
                {1, "h0", "low half", false}, {2, "h1", "high half", false}, {3, "", "both", true}};
    }

    void add_staging(const OpInfo& info, size_t i) {
        const StagingInfo& run = info.staging[i];
        const char* const kind = run.write ? "staging registers written" : "staging registers read";
        const std::string name = operand_name(kind, 0, 1, run.role);
        add(run.base, name + ": first", run.write ? "@wr" : "@rd");
        add(run.count, name + (run.count_minus_one ? ": number - 1" : ": number"),
            run.write ? "@wr n" : "@rd n", run.may_be_empty ? "0 is the empty run @" : "");
    }

    void add_source(const OpInfo& info, size_t i) {
        const SourceInfo& src = info.sources[i];
        const std::string name = operand_name("source", i, info.sources.size(), src.role);
        const std::string n = std::to_string(i);
        add({static_cast<uint8_t>(8 * src.byte), 8}, name, "src" + n,
            src.size == 64 ? "64 bits: an even register or uniform" : "");
        add_flag(src.neg, "negation of source " + n, "n" + n, "neg");
        add_flag(src.abs, "magnitude of source " + n, "a" + n, "abs");
        add_flag(src.bit_not, "complement of source " + n, "~" + n, "not");
        if (src.selector_bits.size != 0)
            add(src.selector_bits, "selector of source " + n, "sel" + n).values =
                values_of(src.selector_enum, src.selector_values,
                          src.selector_required ? -1 : src.selector_default);
    }

    void add_modifier(const ModInfo& mod) {
        const std::string name(mod.name);
        if (mod.is_flag) {
            add_flag(mod.bits, "modifier " + name, name, mod.name);
            fields_.back().values[1].note = mod.note;
            return;
        }
        add(mod.bits, "modifier " + name, name, enum_info(mod.values).description).values =
            values_of(mod.values, mod.valid_values, mod.required ? -1 : mod.default_value);
    }

    std::vector<Field> fields_;
};

/// A name for a source in the syntax line: the first word of its role.
std::string short_role(std::string_view role, size_t index) {
    const std::string_view word = role.substr(0, role.find_first_of(" ,;:"));
    return word.empty() ? "src" + std::to_string(index) : std::string(word);
}

/// The name of what a condition looks at, and the enumeration of its values (None: flag or number).
struct TestedValue {
    std::string name;
    EnumId values = EnumId::None;
    bool is_flag = false;
};

TestedValue tested_value(const OpInfo& info, const TestInfo& test) {
    if (test.subject == TestSubject::Immediate)
        return {std::string(info.immediates[test.index].name)};
    if (test.subject == TestSubject::Selector)
        return {"selector of source " + std::to_string(test.index),
                info.sources[test.index].selector_enum};
    const auto mod = std::ranges::find(info.mods, static_cast<Mod>(test.index), &ModInfo::mod);
    return {std::string(mod->name), mod->values, mod->is_flag};
}

std::string test_text(const OpInfo& info, const TestInfo& test) {
    const TestedValue tested = tested_value(info, test);
    std::string text = tested.name + (test.inside ? "" : " not");
    const char* separator = " ";
    for (unsigned v = 0; v < 16; ++v) {
        if ((test.values >> v & 1) == 0)
            continue;
        text += separator;
        if (tested.is_flag)
            text += v != 0 ? "yes" : "no";
        else if (tested.values == EnumId::None)
            text += std::to_string(v);
        else
            text += enum_tokens(tested.values)[v];
        separator = " or ";
    }
    return text;
}

}  // namespace

std::string rejection_condition(const OpInfo& info, const RejectionInfo& rejection) {
    std::string text;
    for (const TestInfo& test : rejection.tests)
        text += (text.empty() ? "" : ", ") + test_text(info, test);
    return text.empty() ? "always" : text;
}

std::vector<EffectInfo> effects_of(const OpInfo& info) {
    std::vector<EffectInfo> effects;
    for (unsigned bit = 0; bit < kEffectCount; ++bit)
        if (info.effects.has_bit(bit))
            effects.push_back(effect_info(bit));
    return effects;
}

std::vector<std::string_view> stages_of(const OpInfo& info) {
    std::vector<std::string_view> names;
    for (unsigned stage = 0; stage < std::size(kStageNames); ++stage)
        if ((info.stages >> stage & 1) != 0)
            names.push_back(kStageNames[stage]);
    return names;
}

std::string bits_text(BitField bits) {
    const std::string first = std::to_string(bits.start);
    return bits.size == 1 ? first : first + '-' + std::to_string(bits.start + bits.size - 1);
}

std::vector<Field> fields_of(const OpInfo& info) {
    return FieldList(info).take();
}

std::string syntax_of(const OpInfo& info) {
    std::string text(info.name);
    for (const ModInfo& mod : info.mods)
        text += (mod.required ? "." : "[.") + std::string(mod.name) + (mod.required ? "" : "]");
    text += "[.flow]";
    const char* separator = " ";
    const auto add = [&](const std::string& operand) {
        text += separator + operand;
        separator = ", ";
    };
    for (const StagingInfo& run : info.staging)
        add(run.write ? "@written" : "@read");
    if (info.has_dest)
        add("dest");
    for (size_t i = 0; i < info.sources.size(); ++i)
        add(short_role(info.sources[i].role, i));
    for (const ImmediateInfo& imm : info.immediates)
        add(imm.name.empty() ? "#number" : std::string(imm.name) + ":number");
    return text;
}

Instr example_of(const OpInfo& info) {
    Instr instr = make_instr(info.op);
    for (const ModInfo& mod : info.mods)
        if (mod.required)
            instr.set_mod(mod.mod, static_cast<uint8_t>(std::countr_zero(mod.valid_values)));
    uint8_t reg = 0;
    const auto next_register = [&reg](unsigned count) {
        const uint8_t first = reg;
        reg = static_cast<uint8_t>(align_up(reg + count, 2u));
        return first;
    };
    for (size_t i = 0; i < info.staging.size(); ++i)
        instr.staging[i] = {next_register(1), 1};
    if (info.has_dest)
        instr.dest.reg = next_register(2);
    for (size_t i = 0; i < info.sources.size(); ++i) {
        instr.src[i].index = next_register(info.sources[i].size == 64 ? 2 : 1);
        if (info.sources[i].selector_required)
            instr.src[i].selector =
                static_cast<uint8_t>(std::countr_zero(info.sources[i].selector_values));
    }
    for (size_t i = 0; i < info.immediates.size(); ++i)
        instr.imm[i] = 1;
    return instr;
}

}  // namespace valkyr::app
