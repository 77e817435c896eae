// Arguments: takes the words of one statement one by one and collects errors.
// SPDX-License-Identifier: MIT
#include "app/conform/arguments.hpp"

namespace valkyr::conform {
namespace {

std::string quoted(std::string_view what, const Word& word, std::string_view rest) {
    return std::string(what) + " '" + std::string(word.text) + "' " + std::string(rest);
}

}  // namespace

void Diagnostics::add(SourcePos pos, std::string text) {
    if (!full())
        errors_.push_back({Errc::Syntax, pos, std::move(text)});
}

Arguments::Arguments(std::vector<Word> words, SourcePos start, Diagnostics& diagnostics)
    : words_(std::move(words))
    , start_(start)
    , diagnostics_(diagnostics) {}

std::string_view Arguments::peek() const {
    return at_end() ? std::string_view() : words_[next_].text;
}

SourcePos Arguments::pos() const {
    return at_end() ? start_ : words_[next_].pos;
}

Word Arguments::take(std::string_view what) {
    if (!at_end())
        return words_[next_++];
    error(start_, std::string(what) + " is missing");
    return {"", start_};
}

bool Arguments::accept(std::string_view text) {
    if (peek() != text || at_end())
        return false;
    next_++;
    return true;
}

std::optional<KeyValue> Arguments::key_value() {
    if (at_end())
        return std::nullopt;
    const Word& word = words_[next_];
    const size_t sign = word.text.find('=');
    if (sign == std::string_view::npos)
        return std::nullopt;
    next_++;
    Word value{word.text.substr(sign + 1), word.pos};
    value.pos.column += static_cast<uint32_t>(sign) + 1;
    return KeyValue{{word.text.substr(0, sign), word.pos}, value};
}

void Arguments::finish() {
    if (!at_end())
        error(pos(), quoted("unexpected", words_[next_], "at the end of the statement"));
}

void Arguments::error(SourcePos pos, std::string text) {
    if (ok_)
        diagnostics_.add(pos, std::move(text));
    ok_ = false;
}

float Arguments::number(std::string_view what) {
    return number_of(take(what), what);
}

uint32_t Arguments::integer(std::string_view what, int64_t low, int64_t high) {
    return static_cast<uint32_t>(integer_of(take(what), what, low, high));
}

bool Arguments::flag(std::string_view what) {
    return flag_of(take(what), what);
}

exec::Format Arguments::format(std::string_view what) {
    return format_of(take(what), what);
}

float Arguments::number_of(const Word& word, std::string_view what) {
    const std::optional<float> value = to_float(word.text);
    if (!value)
        error(word.pos, quoted(what, word, "is no number"));
    return value.value_or(0);
}

int64_t Arguments::integer_of(const Word& word, std::string_view what, int64_t low, int64_t high) {
    const std::optional<int64_t> value = to_integer(word.text);
    if (!value || *value < low || *value > high) {
        error(word.pos,
              quoted(what, word,
                     "is no integer from " + std::to_string(low) + " to " + std::to_string(high)));
        return low;
    }
    return *value;
}

bool Arguments::flag_of(const Word& word, std::string_view what) {
    if (word.text != "on" && word.text != "off")
        error(word.pos, quoted(what, word, "is neither on nor off"));
    return word.text == "on";
}

exec::Format Arguments::format_of(const Word& word, std::string_view what) {
    const std::optional<exec::Format> format = format_from_name(word.text);
    if (!format)
        error(word.pos, quoted(what, word, "is no format"));
    return format.value_or(exec::Format::None);
}

uint8_t Arguments::mask_of(const Word& word, std::string_view what) {
    uint8_t mask = 0;
    if (word.text == "none")
        return 0;
    for (const char c : word.text) {
        const size_t component = std::string_view("rgba").find(c);
        if (component == std::string_view::npos)
            error(word.pos, quoted(what, word, "is neither none nor letters of rgba"));
        else
            mask = static_cast<uint8_t>(mask | 1U << component);
    }
    return mask;
}

std::vector<Word> Arguments::list_of(const Word& word) {
    std::vector<Word> list;
    size_t at = 0;
    while (true) {
        const size_t end = std::min(word.text.find(',', at), word.text.size());
        list.push_back({word.text.substr(at, end - at),
                        {word.pos.line, word.pos.column + static_cast<uint32_t>(at)}});
        if (end == word.text.size())
            return list;
        at = end + 1;
    }
}

std::vector<int64_t> Arguments::integers_of(
    const Word& word, std::string_view what, size_t count, int64_t low, int64_t high) {
    std::vector<int64_t> values;
    for (const Word& part : list_of(word))
        values.push_back(integer_of(part, what, low, high));
    if (values.size() != count)
        error(word.pos, quoted(what, word, "must be " + std::to_string(count) + " integers"));
    values.resize(count);
    return values;
}

}  // namespace valkyr::conform
