// Scanner: has the slower paths; the fast ones are inline in the header.
// SPDX-License-Identifier: MIT
#include "tgsi/text/scanner.hpp"

#include <bit>
#include <cstring>

namespace valkyr::tgsi {

constexpr std::array<uint8_t, 256> Scanner::make_classes() {
    std::array<uint8_t, 256> classes{};
    for (const char c : {' ', '\t', '\n', '\r', '\f', '\v'})
        classes[static_cast<uint8_t>(c)] |= kSpace;
    for (int c = 0; c < 256; ++c) {
        const bool alnum =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (alnum || c == '_')
            classes[static_cast<size_t>(c)] |= kWord;
        if (alnum || c == '.' || c == '+' || c == '-' || c == '(' || c == ')')
            classes[static_cast<size_t>(c)] |= kReal;
    }
    return classes;
}

constexpr std::array<uint8_t, 256> Scanner::kClasses = Scanner::make_classes();

namespace {

/// The value of a hexadecimal digit, or 16.
unsigned hex_value(char c) {
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f')
        return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

}  // namespace

Scanner::Scanner(std::string_view text)
    : begin_(text.data())
    , next_(text.data())
    , end_(text.data() + text.size())
    , line_start_(text.data()) {
    if (!text.empty())
        if (const void* zero = std::memchr(text.data(), 0, text.size()))
            end_ = static_cast<const char*>(zero);
}

bool Scanner::skip_spaces() {
    while (next_ != end_ && is(*next_, kSpace)) {
        if (*next_++ == '\n') {
            ++line_;
            line_start_ = next_;
        }
    }
    return true;
}

void Scanner::skip_line() {
    while (next_ != end_ && *next_ != '\n')
        ++next_;
}

bool Scanner::after_space() const {
    return next_ != begin_ && is(next_[-1], kSpace);
}

bool Scanner::accept_after_space(char c) {
    const char* ahead = next_;
    while (ahead != end_ && is(*ahead, kSpace))
        ++ahead;
    if (ahead == end_ || *ahead != c)
        return false;
    skip_spaces();
    ++next_;
    return true;
}

bool Scanner::accept_hex_prefix() {
    if (end_ - next_ < 2 || next_[0] != '0' || (next_[1] != 'x' && next_[1] != 'X'))
        return false;
    next_ += 2;
    return true;
}

bool Scanner::accept_range() {
    skip_space();
    if (end_ - next_ < 2 || next_[0] != '.' || next_[1] != '.')
        return false;
    next_ += 2;
    return true;
}

bool Scanner::opens_bracket(const char* at) const {
    while (at != end_ && is(*at, kSpace))
        ++at;
    return at != end_ && (*at == '[' || *at == '(');
}

Scanner::PlainRegister Scanner::plain_register() {
    skip_space();
    // Enough for a word, '[', five digits, ']' and the character that tells whether it ends there.
    if (end_ - next_ < 16)
        return {};
    uint64_t text = 0;
    std::memcpy(&text, next_, sizeof text);
    constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
    const uint64_t brackets = text ^ kOnes * '[';
    const uint64_t zero_bytes = (brackets - kOnes) & ~brackets & kOnes * 0x80;
    const int length = std::countr_zero(zero_bytes) / 8;
    if (length == 0 || length > 7)
        return {};
    const char* p = next_ + length + 1;
    uint32_t index = static_cast<uint8_t>(*p++ - '0');
    if (index > 9)
        return {};
    for (int count = 1; *p != ']'; ++p, ++count) {
        const uint32_t digit = static_cast<uint8_t>(*p - '0');
        if (digit > 9 || count == 5)
            return {};
        index = index * 10 + digit;
    }
    ++p;
    if (*p != '.' && *p != ',' && opens_bracket(p))
        return {};
    const uint64_t key = text & ~(UINT64_MAX << 8 * length) & kOnes * 0xDF;
    return {key, index, static_cast<uint32_t>(p - next_)};
}

bool Scanner::plain_swizzle(uint8_t* components) {
    if (end_ - next_ < 5 || is(next_[4], kWord))
        return false;
    uint32_t letters = 0;
    std::memcpy(&letters, next_, sizeof letters);
    // w, x, y, z follow one another. A byte below 'w' gives a large distance; it also borrows from
    // the next byte, which does no harm.
    constexpr uint32_t kOnes = 0x0101'0101;
    const uint32_t distances = (letters | kOnes * 0x20) - kOnes * 'w';
    if ((distances & kOnes * 0xFC) != 0)
        return false;
    const uint32_t numbers = (distances + kOnes * 3) & kOnes * 3;
    std::memcpy(components, &numbers, sizeof numbers);
    next_ += 4;
    return true;
}

bool Scanner::hex_digits(uint64_t& value, bool& overflow) {
    const char* const start = next_;
    value = 0;
    overflow = false;
    for (; next_ != end_ && hex_value(*next_) < 16; ++next_) {
        overflow |= value >> 60 != 0;
        value = value << 4 | hex_value(*next_);
    }
    return next_ != start;
}

std::string_view Scanner::real_text() {
    const char* const start = next_;
    while (next_ != end_ && is(*next_, kReal))
        ++next_;
    return {start, static_cast<size_t>(next_ - start)};
}

}  // namespace valkyr::tgsi
