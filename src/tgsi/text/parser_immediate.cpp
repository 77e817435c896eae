// Parser: reads IMM statements.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/text/parser_p.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace valkyr::tgsi {

namespace {

bool is_wide_type(ImmediateType type) {
    return type == ImmediateType::Float64 || type == ImmediateType::Uint64 ||
           type == ImmediateType::Int64;
}

void store(Immediate& immediate, unsigned word, uint64_t bits) {
    immediate.words[word] = static_cast<uint32_t>(bits);
    if (is_wide_type(immediate.type))
        immediate.words[word + 1] = static_cast<uint32_t>(bits >> 32);
}

/// Bits of an integer with the given sign, or nullopt if the type cannot hold it.
std::optional<uint64_t> integer_bits(ImmediateType type, bool negative, uint64_t magnitude) {
    const bool wide = is_wide_type(type);
    const bool is_signed = type == ImmediateType::Int32 || type == ImmediateType::Int64;
    const uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
    // Signed types take the unsigned spelling, too: Mesa's reader wraps it.
    const uint64_t limit = negative ? (is_signed ? all / 2 + 1 : 0) : all;
    if (magnitude > limit)
        return std::nullopt;
    return negative ? ~magnitude + 1 : magnitude;
}

enum class RealText : uint8_t { Good, Bad, TooLarge };

/// One of: inf, nan, nan(0x...) with the bits of the whole number, or a decimal fraction.
template <typename Real, typename Bits>
RealText real_bits(std::string_view text, bool negative, Bits& bits) {
    if (same_word(text, "inf") || same_word(text, "infinity")) {
        bits = std::bit_cast<Bits>(std::numeric_limits<Real>::infinity());
    } else if (same_word(text, "nan")) {
        bits = std::bit_cast<Bits>(std::numeric_limits<Real>::quiet_NaN());
    } else if (text.size() > 7 && same_word(text.substr(0, 6), "nan(0x") && text.back() == ')') {
        const char* const last = text.data() + text.size() - 1;
        const auto [end, error] = std::from_chars(text.data() + 6, last, bits, 16);
        if (error != std::errc() || end != last || !std::isnan(std::bit_cast<Real>(bits)))
            return RealText::Bad;
    } else {
        Real value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool small =
            error == std::errc::result_out_of_range && text.find("e-") != std::string_view::npos;
        if (error == std::errc::result_out_of_range && !small)
            return RealText::TooLarge;
        if (error == std::errc::invalid_argument || end != text.data() + text.size())
            return RealText::Bad;
        bits = std::bit_cast<Bits>(small ? Real{0} : value);
    }
    if (negative)
        bits |= Bits{1} << (sizeof(Bits) * 8 - 1);
    return RealText::Good;
}

}  // namespace

bool Parser::immediate_real(Immediate& immediate, unsigned word, SourcePos pos) {
    const bool negative = scan_.accept('-');
    if (!negative)
        scan_.accept('+');
    const std::string_view text = scan_.real_text();
    RealText status = RealText::Bad;
    uint64_t bits = 0;
    if (text.size() <= kMaxNumberLength) {
        if (immediate.type == ImmediateType::Float64) {
            status = real_bits<double>(text, negative, bits);
        } else {
            uint32_t narrow = 0;
            status = real_bits<float>(text, negative, narrow);
            bits = narrow;
        }
    }
    if (status == RealText::TooLarge)
        return fail(Errc::OutOfRange, pos,
                    "number too large for " + std::string(name_of(immediate.type)));
    if (status == RealText::Bad)
        return fail(Errc::Syntax, pos, "expected a number");
    store(immediate, word, bits);
    return true;
}

bool Parser::immediate_integer(Immediate& immediate, unsigned word, SourcePos pos) {
    const bool negative = scan_.accept('-');
    uint64_t magnitude = 0;
    bool overflow = false;
    if (!scan_.digits(magnitude, overflow))
        return fail(Errc::Syntax, pos, "expected an integer");
    const auto bits = integer_bits(immediate.type, negative, magnitude);
    if (overflow || !bits)
        return fail(Errc::OutOfRange, pos,
                    "number too large for " + std::string(name_of(immediate.type)));
    store(immediate, word, *bits);
    return true;
}

bool Parser::immediate_value(Immediate& immediate, unsigned word) {
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    if (scan_.accept_hex_prefix()) {
        uint64_t bits = 0;
        bool overflow = false;
        if (!scan_.hex_digits(bits, overflow))
            return fail(Errc::Syntax, pos, "expected hexadecimal digits");
        if (overflow || (!is_wide_type(immediate.type) && bits > UINT32_MAX))
            return fail(Errc::OutOfRange, pos,
                        "more bits than " + std::string(name_of(immediate.type)) + " has");
        store(immediate, word, bits);
        return true;
    }
    const bool real =
        immediate.type == ImmediateType::Float32 || immediate.type == ImmediateType::Float64;
    return real ? immediate_real(immediate, word, pos) : immediate_integer(immediate, word, pos);
}

bool Parser::immediate() {
    Immediate value;
    const size_t index = result_.shader.immediates.size();
    if (!room_for(index, limits_.immediates, "immediates"))
        return false;
    scan_.skip_space();
    value.pos = scan_.pos();
    if (scan_.accept('[')) {
        uint32_t written = 0;
        const SourcePos pos = scan_.pos();
        if (!number(written, kMaxRegisterIndex, "immediate index") ||
            !expect(']', "after the index"))
            return false;
        if (written != index)
            return fail(Errc::Syntax, pos,
                        "immediates count from 0: expected index " + std::to_string(index));
    }
    scan_.skip_space();
    const SourcePos type_pos = scan_.pos();
    const auto type = find_keyword<ImmediateType>(scan_.word());
    if (!type)
        return fail(Errc::Syntax, type_pos,
                    "expected FLT32, UINT32, INT32, FLT64, UINT64 or INT64");
    value.type = *type;
    if (!expect('{', "before the values"))
        return false;
    const unsigned step = is_wide_type(*type) ? 2 : 1;
    for (unsigned word = 0; word < 4; word += step) {
        if (!immediate_value(value, word))
            return false;
        if (!scan_.accept(','))
            break;
        if (word + step == 4)
            return fail_here("more than " + std::to_string(4 / step) + " values");
    }
    if (!expect('}', "after the values"))
        return false;
    result_.shader.immediates.push_back(value);
    done(StatementKind::Immediate);
    return true;
}

}  // namespace valkyr::tgsi
