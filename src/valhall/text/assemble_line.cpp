// Assembler: reads one line: mnemonic, modifiers, flow, operands.
// SPDX-License-Identifier: MIT
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/assemble_p.hpp"

#include <algorithm>
#include <array>

namespace valkyr::valhall {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSilent = "none";  // a token that is never written

/// Modifiers that the line has named so far: bit i for row i of the instruction, and the flow.
struct Given {
    uint32_t mods = 0;
    bool flow = false;
};

/// Meaning of a token of the head.
enum class Match { No, Taken, Twice };

/// Operands of one instruction: staging runs, destination, sources and immediates.
constexpr size_t kMaxOperands = 9;

std::optional<uint8_t> find_value(const ModInfo& mod, std::string_view token) {
    if (mod.is_flag)
        return token == mod.name ? std::optional<uint8_t>(1) : std::nullopt;
    const auto tokens = enum_tokens(mod.values);
    for (size_t value = 0; value < tokens.size(); ++value)
        if ((mod.valid_values >> value & 1) != 0 && tokens[value] == token && token != kSilent)
            return static_cast<uint8_t>(value);
    return std::nullopt;
}

/// Gives the token to the flow, or to the first modifier that accepts it and has no value yet.
Match match_token(std::string_view token, const OpInfo& info, Instr& instr, Given& given) {
    const auto flows = enum_tokens(EnumId::Flow);
    const auto flow = std::find(flows.begin(), flows.end(), token);
    if (flow != flows.end() && token != kSilent && !token.empty()) {
        if (given.flow)
            return Match::Twice;
        given.flow = true;
        instr.flow = static_cast<Flow>(flow - flows.begin());
        return Match::Taken;
    }
    Match result = Match::No;
    for (size_t i = 0; i < info.mods.size(); ++i) {
        const auto value = find_value(info.mods[i], token);
        if (!value)
            continue;
        if ((given.mods >> i & 1) != 0) {
            result = Match::Twice;
            continue;
        }
        given.mods |= 1u << i;
        instr.set_mod(info.mods[i].mod, *value);
        return Match::Taken;
    }
    return result;
}

/// Whether any instruction has a modifier of this name; chooses the text of the error.
bool is_known_modifier(std::string_view token) {
    if (token == kSilent || token.empty())
        return false;
    for (const OpInfo& info : all_ops())
        for (const ModInfo& mod : info.mods)
            if (find_value(mod, token))
                return true;
    return false;
}

Error modifier_error(Piece token, const OpInfo& info, Match match) {
    const std::string name(info.name);
    if (match == Match::Twice)
        return error_at(token, Errc::Semantic,
                        name + ": " + quote(token.text) +
                            " is given twice, or something like it before");
    if (token.text.empty())
        return error_at(token, Errc::Syntax, name + ": a modifier is missing after the dot");
    if (token.text == kSilent)
        return error_at(token, Errc::Semantic, name + ": 'none' is never written");
    if (is_known_modifier(token.text))
        return error_at(token, Errc::Semantic, name + " has no modifier " + quote(token.text));
    return error_at(token, Errc::Semantic, name + ": unknown modifier " + quote(token.text));
}

/// All that follows the mnemonic's dot. Tokens with a dot inside (16.32) are tried first.
Result<void> parse_modifiers(Piece rest, const OpInfo& info, Instr& instr, Given& given) {
    for (bool more = true; more;) {
        const Piece whole = rest;
        const Piece token = take_until(rest, '.', more);
        if (more) {
            Piece after = rest;
            bool more_after = false;
            const Piece second = take_until(after, '.', more_after);
            const Piece both = sub_piece(whole, 0, token.text.size() + 1 + second.text.size());
            if (match_token(both.text, info, instr, given) == Match::Taken) {
                rest = after;
                more = more_after;
                continue;
            }
        }
        const Match match = match_token(token.text, info, instr, given);
        if (match != Match::Taken)
            return modifier_error(token, info, match);
    }
    return {};
}

Result<void> check_required(Piece head, const OpInfo& info, const Given& given) {
    for (size_t i = 0; i < info.mods.size(); ++i) {
        const ModInfo& mod = info.mods[i];
        if (!mod.required || (given.mods >> i & 1) != 0)
            continue;
        std::string text =
            std::string(info.name) + ": modifier " + std::string(mod.name) + " is missing, one of";
        for (const std::string_view token : enum_tokens(mod.values))
            if (!token.empty())
                text += " ." + std::string(token);
        return error_at(head, Errc::Semantic, std::move(text));
    }
    return {};
}

/// The instruction whose name begins the head, and what follows the name's dot.
Result<Op> parse_mnemonic(Piece head, Piece& modifiers, bool& has_modifiers) {
    Piece rest = head;
    const Piece first = take_until(rest, '.', has_modifiers);
    if (has_modifiers) {
        Piece after = rest;
        bool more = false;
        const Piece second = take_until(after, '.', more);
        const size_t length = first.text.size() + 1 + second.text.size();
        if (const auto op = find_op(head.text.substr(0, length))) {
            modifiers = after;
            has_modifiers = more;
            return *op;
        }
    }
    modifiers = rest;
    if (const auto op = find_op(first.text))
        return *op;
    return error_at(head, Errc::Syntax, "unknown instruction " + quote(head.text));
}

/// One operand's place in the instruction.
struct Slot {
    Part part = Part::Instruction;
    unsigned index = 0;
};

/// The operands an instruction has, in the order of the text.
class Operands {
public:
    explicit Operands(const OpInfo& info) {
        add(Part::Staging, info.staging.size());
        add(Part::Destination, info.has_dest ? 1 : 0);
        add(Part::Source, info.sources.size());
        add(Part::Immediate, info.immediates.size());
    }
    [[nodiscard]] size_t size() const { return count_; }
    [[nodiscard]] Slot operator[](size_t i) const { return slots_[i]; }
    Piece& piece(size_t i) { return pieces_[i]; }
    /// The text of the operand that a fault is about; `fallback` for the instruction as a whole.
    [[nodiscard]] Piece find(const Fault& fault, Piece fallback) const {
        for (size_t i = 0; i < count_; ++i)
            if (slots_[i].part == fault.part && slots_[i].index == fault.index)
                return pieces_[i];
        return fallback;
    }
    [[nodiscard]] std::string list(const OpInfo& info) const {
        std::string text;
        for (size_t i = 0; i < count_; ++i)
            text += (i == 0 ? "" : ", ") + part_name(info, slots_[i].part, slots_[i].index);
        return text;
    }

private:
    void add(Part part, size_t count) {
        for (size_t i = 0; i < count; ++i)
            slots_[count_++] = {part, static_cast<unsigned>(i)};
    }
    std::array<Slot, kMaxOperands> slots_{};
    std::array<Piece, kMaxOperands> pieces_{};
    size_t count_ = 0;
};

Result<void> split_operands(Piece text, const OpInfo& info, Operands& operands) {
    Piece rest = trim(text);
    size_t count = 0;
    for (bool more = !rest.text.empty(); more; ++count) {
        const Piece piece = trim(take_until(rest, ',', more));
        if (count < operands.size())
            operands.piece(count) = piece;
        if (piece.text.empty())
            return error_at(piece, Errc::Syntax, std::string(info.name) + ": an operand is empty");
    }
    if (count == operands.size())
        return {};
    std::string text_of =
        std::string(info.name) + " takes " + std::to_string(operands.size()) + " operands";
    if (operands.size() != 0)
        text_of += " (" + operands.list(info) + ')';
    return error_at(trim(text), Errc::Syntax, text_of + ", got " + std::to_string(count));
}

template <typename T>
Result<void> store(Result<T> from, T& to) {
    if (!from.has_value())
        return std::move(from).error();
    to = *from;
    return {};
}

Result<void>
parse_operand(Piece piece, Slot slot, const OpInfo& info, LabelScope scope, Instr& instr) {
    const unsigned i = slot.index;
    switch (slot.part) {
    case Part::Instruction:
    case Part::Modifier: break;
    case Part::Staging: return store(parse_staging(piece), instr.staging[i]);
    case Part::Destination: return store(parse_destination(piece), instr.dest);
    case Part::Source: return store(parse_source(piece, info.sources[i]), instr.src[i]);
    case Part::Immediate:
        return store(parse_immediate(piece, info.immediates[i], scope), instr.imm[i]);
    }
    return {};
}

Result<void>
parse_operands(Piece text, const OpInfo& info, LabelScope scope, Operands& operands, Instr& instr) {
    VALKYR_TRY_VOID(split_operands(text, info, operands));
    for (size_t i = 0; i < operands.size(); ++i) {
        auto result = parse_operand(operands.piece(i), operands[i], info, scope, instr);
        if (result.has_value())
            continue;
        Error error = std::move(result).error();
        error.text = std::string(info.name) + ": " +
                     part_name(info, operands[i].part, operands[i].index) + ": " + error.text;
        return error;
    }
    return {};
}

}  // namespace

Piece trim(Piece piece) {
    const size_t first = std::min(piece.text.find_first_not_of(kBlanks), piece.text.size());
    piece = sub_piece(piece, first);
    piece.text = piece.text.substr(0, piece.text.find_last_not_of(kBlanks) + 1);
    return piece;
}

Piece take_until(Piece& rest, char separator, bool& found) {
    const size_t at = rest.text.find(separator);
    found = at != std::string_view::npos;
    const Piece piece = sub_piece(rest, 0, at);
    rest = sub_piece(rest, found ? at + 1 : rest.text.size());
    return piece;
}

Error error_at(Piece piece, Errc code, std::string text) {
    return {code, {1, piece.column}, std::move(text)};
}

std::string quote(std::string_view text) {
    constexpr size_t kLongest = 40;
    std::string result = "'";
    for (const char c : text.substr(0, kLongest))
        result += c >= ' ' && c <= '~' ? c : '?';
    return result + (text.size() > kLongest ? "...'" : "'");
}

Result<Instr> parse_instr(Piece line, LabelScope scope) {
    const Piece text = trim(line);
    const Piece head = sub_piece(text, 0, text.text.find_first_of(kBlanks));
    if (head.text.empty())
        return error_at(text, Errc::Syntax, "there is no instruction");
    Piece modifiers;
    bool has_modifiers = false;
    VALKYR_TRY(op, parse_mnemonic(head, modifiers, has_modifiers));
    const OpInfo& info = op_info(op);
    Instr instr = make_instr(op);
    Given given;
    if (has_modifiers)
        VALKYR_TRY_VOID(parse_modifiers(modifiers, info, instr, given));
    VALKYR_TRY_VOID(check_required(head, info, given));
    Operands operands(info);
    VALKYR_TRY_VOID(
        parse_operands(sub_piece(text, head.text.size()), info, scope, operands, instr));
    unsigned page = 0;
    if (const Fault fault = check_instr(instr, page)) {
        Error error = fault_error(instr, fault);
        error.pos = {1, operands.find(fault, head).column};
        return error;
    }
    return instr;
}

Result<Instr> parse_instr(std::string_view text) {
    return parse_instr(Piece{text, 1}, LabelScope{});
}

Result<uint64_t> assemble_line(std::string_view text) {
    VALKYR_TRY(instr, parse_instr(text));
    return encode(instr);
}

}  // namespace valkyr::valhall
