// Arguments: takes the words of one statement one by one and collects errors.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/names.hpp"
#include "app/conform/words.hpp"

#include <array>
#include <string>
#include <vector>

namespace valkyr::conform {

/// Errors of one file, at most kMaxErrors of them.
class Diagnostics {
public:
    static constexpr size_t kMaxErrors = 20;
    void add(SourcePos pos, std::string text);
    [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }
    [[nodiscard]] bool full() const { return errors_.size() >= kMaxErrors; }

private:
    std::vector<Error> errors_;
};

/// "key=value" in one word.
struct KeyValue {
    Word key;
    Word value;
};

/// Reads the words of one statement. After its first error, all reads return 0 and record no error.
class Arguments {
public:
    /// `words` do not include the statement's name, which is at `start`.
    Arguments(std::vector<Word> words, SourcePos start, Diagnostics& diagnostics);

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool at_end() const { return next_ >= words_.size(); }
    /// The next word without taking it; empty at the end.
    [[nodiscard]] std::string_view peek() const;
    /// The next word; `what` names it in the error if there is none.
    Word take(std::string_view what);
    /// Takes the next word if it equals `text`.
    bool accept(std::string_view text);
    /// Takes the next word if it has the form key=value.
    std::optional<KeyValue> key_value();
    /// An error if words are left.
    void finish();
    void error(SourcePos pos, std::string text);
    /// The place of the next word, or of the statement if none is left.
    [[nodiscard]] SourcePos pos() const;

    float number(std::string_view what);
    uint32_t integer(std::string_view what, int64_t low, int64_t high);
    bool flag(std::string_view what);
    template <typename Enum>
    Enum choice(std::string_view what) {
        return choice_of<Enum>(take(what), what);
    }
    exec::Format format(std::string_view what);

    // These read a word that was already taken.
    float number_of(const Word& word, std::string_view what);
    int64_t integer_of(const Word& word, std::string_view what, int64_t low, int64_t high);
    bool flag_of(const Word& word, std::string_view what);
    exec::Format format_of(const Word& word, std::string_view what);
    /// Components of "rgba" as bits; "none" is 0.
    uint8_t mask_of(const Word& word, std::string_view what);
    /// Splits "1,2,3" into words with places.
    std::vector<Word> list_of(const Word& word);
    /// Exactly `count` integers in range, separated by commas.
    std::vector<int64_t>
    integers_of(const Word& word, std::string_view what, size_t count, int64_t low, int64_t high);
    template <typename Enum>
    Enum choice_of(const Word& word, std::string_view what) {
        const std::optional<Enum> value = from_name<Enum>(word.text);
        if (!value)
            error(word.pos, std::string(what) + " '" + std::string(word.text) + "' is none of " +
                                list_names(names_of<Enum>()));
        return value.value_or(Enum{});
    }

private:
    std::vector<Word> words_;
    SourcePos start_;
    Diagnostics& diagnostics_;
    size_t next_ = 0;
    bool ok_ = true;
};

}  // namespace valkyr::conform
