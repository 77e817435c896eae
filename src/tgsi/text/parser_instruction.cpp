// Parser: reads instructions: mnemonic, registers, and what follows them.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/text/parser_p.hpp"

namespace valkyr::tgsi {

std::string_view Parser::format_name(std::string_view word) {
    constexpr std::string_view kPrefix = "PIPE_FORMAT_";
    if (word.size() <= kPrefix.size() || word.size() > kMaxWordLength ||
        !same_word(word.substr(0, kPrefix.size()), kPrefix))
        return {};
    return word.substr(kPrefix.size());
}

namespace {

constexpr std::array<uint8_t, 256> make_components() {
    std::array<uint8_t, 256> table{};
    table.fill(4);
    for (unsigned c = 0; c < 4; ++c)
        table[static_cast<uint8_t>("xyzw"[c])] = table[static_cast<uint8_t>("XYZW"[c])] =
            static_cast<uint8_t>(c);
    return table;
}

/// The component of a letter x, y, z, w of either case, or 4.
constexpr std::array<uint8_t, 256> kComponents = make_components();

unsigned component_of(char letter) {
    return kComponents[static_cast<uint8_t>(letter)];
}

bool is_number(std::string_view word) {
    for (const char c : word)
        if (c < '0' || c > '9')
            return false;
    return !word.empty();
}

/// Takes `suffix` off the end of the word if it is there.
bool drop_suffix(std::string_view& word, std::string_view suffix) {
    if (word.size() <= suffix.size() ||
        !same_word(word.substr(word.size() - suffix.size()), suffix))
        return false;
    word.remove_suffix(suffix.size());
    return true;
}

}  // namespace

bool Parser::mnemonic(Instruction& instr, std::string_view word, SourcePos pos) {
    std::string_view name = word;
    auto opcode = name.size() <= kMaxWordLength ? find_opcode(name) : std::nullopt;
    if (!opcode) {
        instr.precise = drop_suffix(name, "_PRECISE");
        instr.saturate = drop_suffix(name, "_SAT");
        if (name.size() <= kMaxWordLength)
            opcode = find_opcode(name);
    }
    if (!opcode)
        return fail(Errc::Syntax, pos,
                    word.empty() ? "expected DCL, IMM, PROPERTY or an instruction"
                                 : "unknown opcode " + quoted(word));
    instr.opcode = *opcode;
    instr.pos = pos;
    return true;
}

bool Parser::components(uint8_t* out, unsigned count) {
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    const std::string_view letters = scan_.word();
    if (letters.size() == count) {
        unsigned all = 0;
        for (unsigned i = 0; i < count; ++i) {
            const unsigned c = component_of(letters[i]);
            all |= c;
            out[i] = static_cast<uint8_t>(c & 3);
        }
        if (all < 4)
            return true;
    }
    return fail(Errc::Syntax, pos,
                "expected " + std::to_string(count) + " of the letters x, y, z, w");
}

bool Parser::write_mask(uint8_t& mask) {
    if (!scan_.accept('.'))
        return true;
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    const std::string_view letters = scan_.word();
    uint8_t bits = 0;
    bool good = !letters.empty();
    for (const char letter : letters) {
        const unsigned c = component_of(letter);
        // Each letter once, in order.
        good = good && c < 4 && bits >> c == 0;
        if (!good)
            break;
        bits = static_cast<uint8_t>(bits | 1U << c);
    }
    mask = bits;
    return good || fail(Errc::Syntax, pos, "expected a write mask: letters of xyzw in order");
}

bool Parser::indirect(RegisterIndex& index, File by) {
    index.indirect = true;
    index.by.file = by;
    uint32_t number_in_file = 0;
    if (!expect('[', "after the index register's file") ||
        !number(number_in_file, kMaxRegisterIndex, "register index") ||
        !expect(']', "after the index register"))
        return false;
    index.by.index = static_cast<uint16_t>(number_in_file);
    if (scan_.accept('.') && !components(&index.by.component, 1))
        return false;
    const bool minus = scan_.accept('-');
    if (!minus && !scan_.accept('+'))
        return true;
    uint32_t offset = 0;
    if (!number(offset, kMaxRegisterIndex, "register offset"))
        return false;
    index.value = minus ? -static_cast<int32_t>(offset) : static_cast<int32_t>(offset);
    return true;
}

bool Parser::bracket(RegisterIndex& index, uint16_t& array_id) {
    if (!expect('[', "before a register index"))
        return false;
    scan_.skip_space();
    const char first = scan_.peek();
    if (first == '-' || (first >= '0' && first <= '9')) {
        const bool minus = scan_.accept('-');
        uint32_t value = 0;
        if (!number(value, kMaxRegisterIndex, "register index"))
            return false;
        index.value = minus ? -static_cast<int32_t>(value) : static_cast<int32_t>(value);
    } else {
        const SourcePos pos = scan_.pos();
        const auto by = file(scan_.word(), pos);
        if (!by || !indirect(index, *by))
            return false;
    }
    if (!expect(']', "after a register index"))
        return false;
    if (!scan_.accept('('))
        return true;
    uint32_t id = 0;
    if (!number(id, kMaxArrayId, "array id"))
        return false;
    array_id = static_cast<uint16_t>(id);
    return expect(')', "after the array id");
}

bool Parser::reference(RegisterRef& ref) {
    const Scanner::PlainRegister plain = scan_.plain_register();
    const auto name = plain.length != 0 ? find_file(plain.key) : std::nullopt;
    if (!name || plain.index > kMaxRegisterIndex)
        return full_reference(ref);
    scan_.take(plain.length);
    ref.file = *name;
    ref.index.value = static_cast<int32_t>(plain.index);
    return true;
}

bool Parser::full_reference(RegisterRef& ref) {
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    const auto found = file(scan_.word(), pos);
    if (!found)
        return false;
    ref.file = *found;
    if (!bracket(ref.index, ref.array_id))
        return false;
    if (!scan_.opens_bracket())
        return true;
    ref.has_outer = true;
    ref.outer = ref.index;
    ref.outer_array_id = ref.array_id;
    ref.index = {};
    ref.array_id = 0;
    return bracket(ref.index, ref.array_id);
}

bool Parser::destination(Dst& dst) {
    return reference(dst.reg) && write_mask(dst.write_mask);
}

bool Parser::source(Src& src) {
    scan_.skip_space();
    src.negate = scan_.accept('-');
    src.absolute = scan_.accept('|');
    if (!reference(src.reg))
        return false;
    if (scan_.accept('.') && !scan_.plain_swizzle(src.swizzle.data()) &&
        !components(src.swizzle.data(), 4))
        return false;
    return !src.absolute || expect('|', "after an absolute value");
}

bool Parser::separator(unsigned index, const OpcodeInfo& info) {
    if (index == 0 || scan_.accept(','))
        return true;
    return fail_here(std::string(info.name) + " takes " + std::to_string(info.dst_count) +
                     " destination and " + std::to_string(info.src_count) + " source operands");
}

bool Parser::registers(Instruction& instr, const OpcodeInfo& info) {
    unsigned operand = 0;
    for (unsigned i = 0; i < info.dst_count; ++i, ++operand)
        if (!separator(operand, info) || !destination(instr.dst[i]))
            return false;
    instr.dst_count = info.dst_count;
    for (unsigned i = 0; i < info.src_count; ++i, ++operand) {
        if (i >= info.min_src_count) {
            scan_.skip_space();
            if (scan_.peek() != ',')
                break;
        }
        if (!separator(operand, info) || !source(instr.src[i]))
            return false;
        instr.src_count = static_cast<uint8_t>(i + 1);
    }
    return true;
}

bool Parser::texel_offset(Instruction& instr) {
    if (instr.offset_count == Instruction::kMaxOffsets)
        return fail_here("more than " + std::to_string(Instruction::kMaxOffsets) +
                         " texel offsets");
    TexelOffset& offset = instr.offsets[instr.offset_count];
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    const auto found = file(scan_.word(), pos);
    if (!found || !expect('[', "before a register index"))
        return false;
    offset.file = *found;
    const bool minus = scan_.accept('-');
    uint32_t value = 0;
    if (!number(value, kMaxRegisterIndex, "register index") ||
        !expect(']', "after a register index") || !expect('.', "before three components") ||
        !components(offset.swizzle.data(), 3))
        return false;
    offset.index = minus ? -static_cast<int32_t>(value) : static_cast<int32_t>(value);
    ++instr.offset_count;
    return true;
}

bool Parser::texture_suffix(Instruction& instr, const OpcodeInfo& info) {
    if (info.kind == OperandKind::Texture) {
        if (!expect(',', "before the texture target"))
            return false;
        scan_.skip_space();
        const SourcePos pos = scan_.pos();
        const std::string_view word = scan_.word();
        const auto target = find_keyword<Target>(word);
        if (!target)
            return fail(Errc::Syntax, pos, "expected a texture target");
        instr.has_target = true;
        instr.target = *target;
    }
    while (scan_.accept(','))
        if (!texel_offset(instr))
            return false;
    return true;
}

bool Parser::memory_word(Instruction& instr, std::string_view word, SourcePos pos) {
    // In this order: qualifiers, target, format.
    if (const auto qualifier = find_qualifier(word);
        qualifier && !instr.has_target && instr.format.empty()) {
        instr.qualifiers |= *qualifier;
        return true;
    }
    if (const auto target = find_keyword<Target>(word);
        target && !instr.has_target && instr.format.empty()) {
        instr.has_target = true;
        instr.target = *target;
        return true;
    }
    const std::string_view format = format_name(word);
    if (format.empty() || !instr.format.empty())
        return fail(Errc::Syntax, pos, "expected memory qualifiers, a target, a format, in order");
    instr.format.resize(format.size());
    for (size_t i = 0; i < format.size(); ++i)
        instr.format[i] = upper(format[i]);
    return true;
}

bool Parser::memory_suffix(Instruction& instr) {
    while (scan_.accept(',')) {
        scan_.skip_space();
        const SourcePos pos = scan_.pos();
        if (!memory_word(instr, scan_.word(), pos))
            return false;
    }
    return true;
}

bool Parser::label(Instruction& instr) {
    if (!scan_.accept(':'))
        return true;
    instr.has_label = true;
    return number(instr.label, UINT32_MAX, "label");
}

bool Parser::fits_nesting(SourcePos pos) {
    if (nesting_ <= limits_.nesting)
        return true;
    stop_ = true;
    return fail(Errc::OutOfRange, pos, "nesting deeper than " + std::to_string(limits_.nesting));
}

bool Parser::instruction(std::string_view word, SourcePos pos) {
    // "12:" in front of the opcode: Mesa's number of the instruction, which is not needed.
    if (is_number(word)) {
        if (!expect(':', "after the instruction number"))
            return false;
        scan_.skip_space();
        pos = scan_.pos();
        word = scan_.word();
    }
    if (!room_for(result_.shader.instructions.size(), limits_.instructions, "instructions"))
        return false;
    Instruction& instr = result_.shader.instructions.emplace_back(blank_);
    bool good = mnemonic(instr, word, pos);
    if (good) {
        const OpcodeInfo& info = opcode_info(instr.opcode);
        nesting_ -= nesting_ < info.dedent ? nesting_ : info.dedent;
        nesting_ += info.indent;
        good = fits_nesting(pos) && registers(instr, info);
        if (good && info.kind == OperandKind::Memory)
            good = memory_suffix(instr);
        else if (good && info.kind != OperandKind::Plain)
            good = texture_suffix(instr, info);
        good = good && label(instr);
    }
    if (!good) {
        result_.shader.instructions.pop_back();
        return false;
    }
    done(StatementKind::Instruction);
    return true;
}

}  // namespace valkyr::tgsi
