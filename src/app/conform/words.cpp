// Words: splits the lines of a scene file into words with places, and reads numbers.
// SPDX-License-Identifier: MIT
#include "app/conform/words.hpp"

#include <bit>
#include <charconv>

namespace valkyr::conform {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::vector<Word> words_of(std::string_view line, uint32_t number) {
    std::vector<Word> words;
    line = line.substr(0, line.find('#'));
    for (size_t at = line.find_first_not_of(kSpace); at != std::string_view::npos;) {
        const size_t end = std::min(line.find_first_of(kSpace, at), line.size());
        words.push_back({line.substr(at, end - at), {number, static_cast<uint32_t>(at) + 1}});
        at = line.find_first_not_of(kSpace, end);
    }
    return words;
}

template <typename T>
std::optional<T> parse_all(std::string_view text, T& value, std::from_chars_result result) {
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

}  // namespace

std::string_view LineReader::take_line() {
    const size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    line_++;
    return line;
}

std::vector<Word> LineReader::next_line() {
    while (!rest_.empty()) {
        const uint32_t number = line_;
        std::vector<Word> words = words_of(take_line(), number);
        if (!words.empty())
            return words;
    }
    return {};
}

std::optional<std::string_view> LineReader::block() {
    const std::string_view start = rest_;
    while (!rest_.empty()) {
        const char* line_start = rest_.data();
        const std::string_view line = take_line();
        const size_t first = line.find_first_not_of(kSpace);
        if (first != std::string_view::npos && line[first] == '}' &&
            line.find_first_not_of(kSpace, first + 1) == std::string_view::npos)
            return start.substr(0, static_cast<size_t>(line_start - start.data()));
    }
    return std::nullopt;
}

std::vector<Word> split_words(std::string_view text, uint32_t first_line) {
    std::vector<Word> words;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        for (const Word& word : words_of(text.substr(0, end), first_line))
            words.push_back(word);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        first_line++;
    }
    return words;
}

std::optional<float> to_float(std::string_view text) {
    if (text.starts_with("0x")) {
        uint32_t bits = 0;
        const std::string_view digits = text.substr(2);
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
        if (!parse_all(digits, bits, result))
            return std::nullopt;
        return std::bit_cast<float>(bits);
    }
    if (text.starts_with('+'))
        text.remove_prefix(1);
    float value = 0;
    return parse_all(text, value, std::from_chars(text.data(), text.data() + text.size(), value));
}

std::optional<int64_t> to_integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16)
        text.remove_prefix(2);
    uint64_t value = 0;
    if (!parse_all(text, value,
                   std::from_chars(text.data(), text.data() + text.size(), value, base)) ||
        value > uint64_t{1} << 62)
        return std::nullopt;
    return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

}  // namespace valkyr::conform
