// IR printer: writes functions as text.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/ir_print.hpp"

#include "valhall/compiler/ir/spec.hpp"

#include <cstdio>

namespace valkyr::valhall::ir {
namespace {

std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%X", value);
    return text;
}

class Printer {
public:
    explicit Printer(const Function& f)
        : f_(f) {}

    std::string function();
    std::string instruction(const Inst& inst);

private:
    std::string operand(const Operand& x);
    std::string uniform(const Operand& x);
    void sources(const Inst& inst);
    void definitions(const Inst& inst);
    void modifiers(const Inst& inst);
    void separator() {
        text_ += first_ ? " " : ", ";
        first_ = false;
    }

    const Function& f_;
    std::string text_;
    bool first_ = true;
};

std::string Printer::uniform(const Operand& x) {
    if (x.value >= f_.uniforms.size())
        return "u" + std::to_string(x.value);
    const FauWord& word = f_.uniforms[x.value];
    switch (word.kind) {
    case FauKind::Immediate: return "u" + std::to_string(x.value) + "=" + hex(word.value);
    case FauKind::Constant:
        return "u" + std::to_string(x.value) + "=c" + std::to_string(word.buffer) + "[" +
               std::to_string(word.value / 4) + "]." + "xyzw"[word.value % 4];
    case FauKind::Driver:
        return "u" + std::to_string(x.value) + "=d" + std::to_string(word.value) + "(" +
               std::to_string(word.buffer) + ")";
    case FauKind::Prologue:
        return "u" + std::to_string(x.value) + "=p" + std::to_string(word.value);
    case FauKind::Unused: break;
    }
    return "u" + std::to_string(x.value);
}

std::string Printer::operand(const Operand& x) {
    std::string text;
    switch (x.kind) {
    case OperandKind::None: return "_";
    case OperandKind::Value: text = "%" + std::to_string(x.value); break;
    case OperandKind::Literal: text = "#" + hex(x.value); break;
    case OperandKind::Uniform: text = uniform(x); break;
    case OperandKind::Special:
        text =
            std::string(special_name(x.value / 16, x.value % 16)) + ".w" + std::to_string(x.word);
        break;
    case OperandKind::Pair:
        return "{" + operand(f_.pool[x.value]) + ", " + operand(f_.pool[x.value + 1]) + "}";
    case OperandKind::Constant: text = hex(immediate_table()[x.value]); break;
    case OperandKind::Register: text = "r" + std::to_string(x.value); break;
    }
    if ((x.flags & kLastUse) != 0)
        text = "^" + text;
    if ((x.flags & kNeg) != 0)
        text += ".neg";
    if ((x.flags & kAbs) != 0)
        text += ".abs";
    if ((x.flags & kNot) != 0)
        text += ".not";
    return text;
}

void Printer::definitions(const Inst& inst) {
    for (unsigned k = 0; k < inst.def_count; ++k) {
        text_ += k == 0 ? "" : ":";
        text_ += "%" + std::to_string(inst.def + k);
    }
    if (inst.def_count != 0)
        text_ += " = ";
}

void Printer::modifiers(const Inst& inst) {
    for (const ModInfo& mod : op_info(inst.op).mods) {
        const uint8_t value = get_mod(inst, mod.mod);
        if (value == mod.default_value && !mod.required)
            continue;
        const std::span<const std::string_view> tokens = enum_tokens(mod.values);
        text_ += '.';
        if (mod.is_flag)
            text_ += mod.name;
        else
            text_ += value < tokens.size() ? tokens[value] : "?";
    }
    if (inst.flow != Flow::none)
        text_ += "." + std::string(enum_tokens(EnumId::Flow)[static_cast<unsigned>(inst.flow)]);
}

void Printer::sources(const Inst& inst) {
    if (inst.staging_count != 0) {
        separator();
        text_ += '@';
        for (unsigned k = 0; k < inst.staging_count; ++k)
            text_ += (k == 0 ? "" : ":") + operand(f_.pool[inst.staging + k]);
    }
    for (unsigned i = 0; i < inst.src_count; ++i) {
        separator();
        text_ += operand(inst.src[i]);
        const bool selected = inst.src[i].selector != kDefaultSelector && !is_pseudo(inst.op);
        const std::span<const std::string_view> tokens =
            selected ? enum_tokens(source_info(inst.op, i).selector_enum)
                     : std::span<const std::string_view>{};
        if (inst.src[i].selector < tokens.size())
            text_ += "." + std::string(tokens[inst.src[i].selector]);
    }
}

std::string Printer::instruction(const Inst& inst) {
    text_.clear();
    first_ = true;
    definitions(inst);
    if (inst.op == kPhi) {
        text_ += "PHI";
        for (const Operand& input : f_.staging(inst)) {
            separator();
            text_ += operand(input);
        }
    } else if (inst.op == kPreload) {
        text_ += "PRELOAD r" + std::to_string(inst.fixed);
    } else if (inst.op == kDouble) {
        text_ += "DOUBLE." + std::string(double_op_info(double_op(inst)).name);
        for (const Operand& word : f_.staging(inst)) {
            separator();
            text_ += operand(word);
        }
    } else if (is_pseudo(inst.op)) {
        text_ += inst.op == kJump ? "jump" : inst.op == kBranch ? "branch" : "end";
        sources(inst);
    } else {
        const OpInfo& info = op_info(inst.op);
        text_ += info.name;
        modifiers(inst);
        sources(inst);
        for (unsigned i = 0; i < info.immediates.size(); ++i) {
            separator();
            const std::string_view name = info.immediates[i].name;
            text_ += name.empty() ? "#" : std::string(name) + ":";
            text_ += std::to_string(inst.imm[i]);
        }
        if (inst.fixed != kNotFixed)
            text_ += " [r" + std::to_string(inst.fixed) + "]";
    }
    return text_;
}

std::string Printer::function() {
    std::string out;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        const Block& block = f_.blocks[id];
        out += "b" + std::to_string(id) + ":";
        for (uint32_t p = 0; p < block.pred_count; ++p)
            out += (p == 0 ? " (from b" : ", b") + std::to_string(f_.preds[block.pred_first + p]);
        out += block.pred_count != 0 ? ")\n" : "\n";
        for (uint32_t i = block.first; i < block.end; ++i) {
            const Inst& inst = f_.insts[i];
            out += "    " + instruction(inst);
            for (const BlockId succ : block.succ) {
                if (is_terminator(inst.op) && succ != kNone)
                    out += (inst.op == kJump ? " b" : ", b") + std::to_string(succ);
            }
            if (inst.line != 0)
                out += "  ; " + std::to_string(inst.line);
            out += "\n";
        }
    }
    return out;
}

}  // namespace

std::string print(const Function& function) {
    return Printer(function).function();
}

std::string print(const Function& function, const Inst& inst) {
    return Printer(function).instruction(inst);
}

}  // namespace valkyr::valhall::ir
