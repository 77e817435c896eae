// Hex form: writes and reads words as hexadecimal text and as bytes.
// SPDX-License-Identifier: MIT
#include "valhall/text/hex_form.hpp"

#include <algorithm>

namespace valkyr::valhall {
namespace {

constexpr unsigned kBytes = 8;

int nibble(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

Error bad_line(size_t column) {
    return {Errc::Syntax,
            {1, static_cast<uint32_t>(column + 1)},
            "expected eight bytes in hexadecimal, separated by single blanks"};
}

}  // namespace

std::string to_hex_form(uint64_t word) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < kBytes; ++i, word >>= 8) {
        if (i != 0)
            text += ' ';
        text += kDigits[word >> 4 & 15];
        text += kDigits[word & 15];
    }
    return text;
}

std::string to_hex_form(std::span<const uint64_t> words) {
    std::string text;
    for (const uint64_t word : words)
        text += to_hex_form(word) + '\n';
    return text;
}

Result<uint64_t> parse_hex_form(std::string_view line) {
    constexpr size_t kWidth = 3 * kBytes - 1;
    uint64_t word = 0;
    for (unsigned i = 0; i < kBytes; ++i) {
        const size_t at = 3 * size_t{i};
        if (at + 2 > line.size() || nibble(line[at]) < 0 || nibble(line[at + 1]) < 0)
            return bad_line(std::min(at, line.size()));
        if (i != 0 && line[at - 1] != ' ')
            return bad_line(at - 1);
        word |= static_cast<uint64_t>(nibble(line[at]) * 16 + nibble(line[at + 1])) << (8 * i);
    }
    const std::string_view rest = line.substr(kWidth);
    if (rest.find_first_not_of(" \t\r") != std::string_view::npos && rest.substr(0, 4) != "    ")
        return bad_line(kWidth);
    return word;
}

Result<std::vector<uint64_t>> parse_hex_file(std::string_view text) {
    std::vector<uint64_t> words;
    uint32_t number = 1;
    for (size_t at = 0; at < text.size(); ++number) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos || line[0] == '#')
            continue;
        auto word = parse_hex_form(line);
        if (!word.has_value()) {
            Error error = std::move(word).error();
            error.pos.line = number;
            return error;
        }
        words.push_back(*word);
    }
    return words;
}

std::string to_binary(std::span<const uint64_t> words) {
    std::string bytes;
    bytes.reserve(words.size() * kBytes);
    for (uint64_t word : words)
        for (unsigned i = 0; i < kBytes; ++i, word >>= 8)
            bytes += static_cast<char>(word & 0xFF);
    return bytes;
}

Result<std::vector<uint64_t>> from_binary(std::string_view bytes) {
    if (bytes.size() % kBytes != 0)
        return Error{Errc::Syntax, {}, "the size of a program must be a multiple of eight bytes"};
    std::vector<uint64_t> words(bytes.size() / kBytes);
    for (size_t i = 0; i < bytes.size(); ++i)
        words[i / kBytes] |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * (i % kBytes));
    return words;
}

}  // namespace valkyr::valhall
