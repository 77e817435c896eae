// Assembler: reads staging runs, destinations, sources and immediates.
// SPDX-License-Identifier: MIT
#include "valhall/isa/source_byte.hpp"
#include "valhall/text/assemble_p.hpp"

#include <algorithm>

namespace valkyr::valhall {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

int hex_digit(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Larger numbers are read as this one, which is beyond every range.
constexpr uint64_t kHuge = uint64_t{1} << 62;

/// Decimal without leading zeros; kHuge if it is larger. Nothing if it is no number.
std::optional<uint64_t> read_decimal(std::string_view text) {
    if (!all_digits(text) || (text.size() > 1 && text[0] == '0'))
        return std::nullopt;
    uint64_t value = 0;
    for (const char c : text)
        value = std::min(value * 10 + static_cast<uint64_t>(c - '0'), kHuge);
    return value;
}

/// Hexadecimal digits after "0x"; kHuge if it is larger.
std::optional<uint64_t> read_hex(std::string_view text) {
    if (text.size() < 3 || text.substr(0, 2) != "0x")
        return std::nullopt;
    uint64_t value = 0;
    for (const char c : text.substr(2)) {
        const int digit = hex_digit(c);
        if (digit < 0)
            return std::nullopt;
        value = value >= kHuge / 16 ? kHuge : value * 16 + static_cast<uint64_t>(digit);
    }
    return value;
}

std::optional<int64_t> read_number(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    if (negative)
        text.remove_prefix(1);
    const auto magnitude = text.substr(0, 2) == "0x" ? read_hex(text) : read_decimal(text);
    if (!magnitude)
        return std::nullopt;
    const auto value = static_cast<int64_t>(*magnitude);
    return negative ? -value : value;
}

/// "r5" or "u5": the letter, then a decimal below `limit`.
Result<uint8_t> parse_numbered(Piece piece, const char* what, char letter, unsigned limit) {
    if (piece.text.size() < 2 || piece.text[0] != letter || !all_digits(piece.text.substr(1)))
        return error_at(piece, Errc::Syntax,
                        std::string("expected a ") + what + ", got " + quote(piece.text));
    const auto number = read_decimal(piece.text.substr(1));
    if (!number)
        return error_at(piece, Errc::Syntax, quote(piece.text) + ": numbers have no leading zeros");
    if (*number >= limit)
        return error_at(piece, Errc::OutOfRange,
                        std::string(what) + ' ' + quote(piece.text) + " out of range, " + letter +
                            "0.." + letter + std::to_string(limit - 1));
    return static_cast<uint8_t>(*number);
}

Result<uint8_t> parse_register(Piece piece) {
    return parse_numbered(piece, "register", 'r', kRegisterCount);
}

Result<uint8_t> parse_constant(Piece piece) {
    const auto value = read_hex(piece.text);
    if (!value)
        return error_at(piece, Errc::Syntax, quote(piece.text) + " is not a hexadecimal number");
    const auto table = immediate_table();
    const auto at = std::find(table.begin(), table.end(), *value);
    if (at == table.end())
        return error_at(piece, Errc::Semantic,
                        quote(piece.text) +
                            " is not one of the 32 small constants; use a uniform or an "
                            "instruction with an immediate");
    return static_cast<uint8_t>(at - table.begin());
}

/// Reads the part before the first suffix. The word select of a special is read later.
Result<Source> parse_value(Piece piece) {
    Source source;
    const std::string_view text = piece.text;
    const bool last_use = !text.empty() && text[0] == '^';
    if (last_use || (text.size() > 1 && text[0] == 'r' && all_digits(text.substr(1)))) {
        VALKYR_TRY(index, parse_register(sub_piece(piece, last_use ? 1 : 0)));
        source.last_use = last_use;
        source.index = index;
    } else if (text.size() > 1 && text[0] == 'u' && all_digits(text.substr(1))) {
        VALKYR_TRY(index, parse_numbered(piece, "uniform", 'u', kPageCount * kUniformsPerPage));
        source.kind = SourceKind::Uniform;
        source.index = index;
    } else if (text.substr(0, 2) == "0x") {
        VALKYR_TRY(index, parse_constant(piece));
        source.kind = SourceKind::Constant;
        source.index = index;
    } else {
        const auto special = find_special(text);
        if (!special)
            return error_at(piece, Errc::Syntax,
                            "expected a register, uniform, constant or special, got " +
                                quote(text));
        source.kind = SourceKind::Special;
        source.index = static_cast<uint8_t>(*special);
    }
    return source;
}

Result<void> set_flag(Piece suffix, BitField bits, bool& flag) {
    if (bits.size == 0)
        return error_at(suffix, Errc::Semantic, "takes no ." + std::string(suffix.text));
    if (flag)
        return error_at(suffix, Errc::Semantic, '.' + std::string(suffix.text) + " is given twice");
    flag = true;
    return {};
}

std::string selector_list(const SourceInfo& info) {
    std::string text;
    const auto tokens = enum_tokens(info.selector_enum);
    for (size_t value = 0; value < tokens.size(); ++value) {
        if ((info.selector_values >> value & 1) == 0 || tokens[value] == "none")
            continue;
        text += text.empty() ? "." : ", .";
        text += tokens[value];
    }
    return text;
}

Result<void> set_selector(Piece suffix, const SourceInfo& info, bool& given, uint8_t& selector) {
    const auto tokens = enum_tokens(info.selector_enum);
    for (size_t value = 0; value < tokens.size(); ++value) {
        if ((info.selector_values >> value & 1) == 0 || tokens[value] != suffix.text ||
            suffix.text == "none")
            continue;
        if (given)
            return error_at(suffix, Errc::Semantic, "a second selector " + quote(suffix.text));
        given = true;
        selector = static_cast<uint8_t>(value);
        return {};
    }
    const std::string takes = info.selector_bits.size == 0
                                  ? std::string("takes no selector")
                                  : "takes one of the selectors " + selector_list(info);
    return error_at(suffix, Errc::Semantic, takes + ", got " + quote(suffix.text));
}

Result<void> parse_suffix(Piece suffix, const SourceInfo& info, bool& selected, Source& source) {
    if (suffix.text.empty())
        return error_at(suffix, Errc::Syntax, "a suffix is missing after the dot");
    if (suffix.text == "neg")
        return set_flag(suffix, info.neg, source.neg);
    if (suffix.text == "abs")
        return set_flag(suffix, info.abs, source.abs);
    if (suffix.text == "not")
        return set_flag(suffix, info.bit_not, source.bit_not);
    return set_selector(suffix, info, selected, source.selector);
}

/// The first suffix of a special: w0 or w1.
Result<void> parse_word_select(Piece value, Piece& rest, bool& more, Source& source) {
    const Piece suffix = more ? take_until(rest, '.', more) : Piece{};
    if (suffix.text != "w0" && suffix.text != "w1")
        return error_at(value, Errc::Syntax, quote(value.text) + " needs .w0 or .w1 first");
    source.word = suffix.text == "w1" ? 1 : 0;
    return {};
}

bool is_label_start(std::string_view text) {
    return !text.empty() && (text[0] == '_' || (text[0] >= 'a' && text[0] <= 'z') ||
                             (text[0] >= 'A' && text[0] <= 'Z'));
}

Result<int64_t> resolve_label(Piece name, LabelScope scope) {
    const auto at = scope.labels->find(name.text);
    if (at == scope.labels->end())
        return error_at(name, Errc::Semantic, "there is no label " + quote(name.text));
    return static_cast<int64_t>(at->second) - static_cast<int64_t>(scope.index) - 1;
}

}  // namespace

Result<Staging> parse_staging(Piece piece) {
    if (piece.text.empty() || piece.text[0] != '@')
        return error_at(piece, Errc::Syntax,
                        "expected staging registers, e.g. @r0:r1, got " + quote(piece.text));
    Staging run;
    Piece rest = sub_piece(piece, 1);
    for (bool more = !rest.text.empty(); more;) {
        const Piece name = take_until(rest, ':', more);
        VALKYR_TRY(index, parse_register(name));
        if (run.count == 0)
            run.base = index;
        else if (index != run.base + run.count)
            return error_at(name, Errc::Semantic,
                            quote(name.text) +
                                " breaks the run: registers must be consecutive and ascending");
        ++run.count;
    }
    return run;
}

Result<Destination> parse_destination(Piece piece) {
    bool more = false;
    Piece rest = piece;
    const Piece name = take_until(rest, '.', more);
    Destination dest;
    VALKYR_TRY(index, parse_register(name));
    dest.reg = index;
    if (!more)
        return dest;
    if (rest.text != "h0" && rest.text != "h1")
        return error_at(rest, Errc::Semantic,
                        "only .h0 or .h1 may follow, got " + quote(rest.text));
    dest.mask = rest.text == "h0" ? 1 : 2;
    return dest;
}

Result<Source> parse_source(Piece piece, const SourceInfo& info) {
    bool more = false;
    bool selected = false;
    Piece rest = piece;
    const Piece value = take_until(rest, '.', more);
    VALKYR_TRY(source, parse_value(value));
    source.selector = info.selector_default;
    if (source.kind == SourceKind::Special)
        VALKYR_TRY_VOID(parse_word_select(value, rest, more, source));
    while (more)
        VALKYR_TRY_VOID(parse_suffix(take_until(rest, '.', more), info, selected, source));
    if (info.selector_required && !selected)
        return error_at(piece, Errc::Semantic, "needs one of the selectors " + selector_list(info));
    return source;
}

Result<int64_t> parse_immediate(Piece piece, const ImmediateInfo& info, LabelScope scope) {
    const std::string prefix = info.name.empty() ? "#" : std::string(info.name) + ':';
    if (piece.text.substr(0, prefix.size()) != prefix)
        return error_at(piece, Errc::Syntax,
                        "expected " + prefix + "<number>, got " + quote(piece.text));
    const Piece number = sub_piece(piece, prefix.size());
    if (info.is_label && scope.labels != nullptr && is_label_start(number.text))
        return resolve_label(number, scope);
    const auto value = read_number(number.text);
    if (!value)
        return error_at(number, Errc::Syntax,
                        "expected a decimal or 0x number after " + prefix + ", got " +
                            quote(number.text));
    return *value;
}

}  // namespace valkyr::valhall
