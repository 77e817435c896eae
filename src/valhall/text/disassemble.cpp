// Disassembler: prints instructions in their canonical form, by the generated tables.
// SPDX-License-Identifier: MIT
#include "valhall/text/disassemble.hpp"

#include "valhall/isa/decode.hpp"
#include "valhall/isa/source_byte.hpp"

#include <charconv>

namespace valkyr::valhall {
namespace {

void append_decimal(std::string& out, int64_t value) {
    char buffer[24];
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
    out.append(buffer, end);
}

void append_hex(std::string& out, uint64_t value) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    out += "0x";
    unsigned shift = 60;
    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    for (;; shift -= 4) {
        out += kDigits[value >> shift & 15];
        if (shift == 0)
            return;
    }
}

void append_modifiers(std::string& out, const OpInfo& info, const Instr& instr) {
    for (const ModInfo& mod : info.mods) {
        const uint8_t value = instr.mod(mod.mod);
        if (value == mod.default_value && !mod.required)
            continue;
        out += '.';
        out += mod.is_flag ? mod.name : enum_tokens(mod.values)[value];
    }
    if (instr.flow != Flow::none) {
        out += '.';
        out += enum_tokens(EnumId::Flow)[static_cast<size_t>(instr.flow)];
    }
}

void append_staging(std::string& out, const Staging& run) {
    out += '@';
    for (int i = 0; i < run.count; ++i) {
        out += i == 0 ? "r" : ":r";
        append_decimal(out, run.base + i);
    }
}

void append_destination(std::string& out, const Destination& dest) {
    out += 'r';
    append_decimal(out, dest.reg);
    if (dest.mask != 3)
        out += dest.mask == 1 ? ".h0" : ".h1";
}

void append_value(std::string& out, const Source& source) {
    switch (source.kind) {
    case SourceKind::Register:
        out += source.last_use ? "^r" : "r";
        append_decimal(out, source.index);
        return;
    case SourceKind::Uniform:
        out += 'u';
        append_decimal(out, source.index);
        return;
    case SourceKind::Constant: append_hex(out, immediate_table()[source.index]); return;
    case SourceKind::Special:
        out += special_name(source_page(source), source.index % kSpecialsPerPage);
        out += source.word == 0 ? ".w0" : ".w1";
        return;
    }
}

void append_source(std::string& out, const SourceInfo& info, const Source& source) {
    append_value(out, source);
    if (source.neg)
        out += ".neg";
    if (source.abs)
        out += ".abs";
    if (info.selector_bits.size != 0 &&
        (info.selector_required || source.selector != info.selector_default)) {
        out += '.';
        out += enum_tokens(info.selector_enum)[source.selector];
    }
    if (source.bit_not)
        out += ".not";
}

void append_immediate(std::string& out, const ImmediateInfo& info, int64_t value) {
    if (info.name.empty()) {
        out += '#';
    } else {
        out += info.name;
        out += ':';
    }
    if (info.is_signed)
        append_decimal(out, value);
    else
        append_hex(out, static_cast<uint64_t>(value));
}

}  // namespace

void append_text(std::string& out, const Instr& instr) {
    const OpInfo& info = op_info(instr.op);
    out += info.name;
    append_modifiers(out, info, instr);
    const char* separator = " ";
    const auto next = [&]() {
        out += separator;
        separator = ", ";
    };
    for (size_t i = 0; i < info.staging.size(); ++i) {
        next();
        append_staging(out, instr.staging[i]);
    }
    if (info.has_dest) {
        next();
        append_destination(out, instr.dest);
    }
    for (size_t i = 0; i < info.sources.size(); ++i) {
        next();
        append_source(out, info.sources[i], instr.src[i]);
    }
    for (size_t i = 0; i < info.immediates.size(); ++i) {
        next();
        append_immediate(out, info.immediates[i], instr.imm[i]);
    }
}

std::string disassemble(const Instr& instr) {
    std::string text;
    text.reserve(64);
    append_text(text, instr);
    return text;
}

Result<std::string> disassemble(uint64_t word) {
    VALKYR_TRY(instr, decode(word));
    return disassemble(instr);
}

}  // namespace valkyr::valhall
