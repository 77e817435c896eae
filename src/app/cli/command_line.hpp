// Command line: declares commands and their options, and reads what a user typed.
// SPDX-License-Identifier: MIT
//
// The parser behind it (CLI11) is one large header: command_line.cpp alone includes it.
// Handles are small and copied freely; the CommandLine that they came from must outlive them, and
// values that options store into must outlive CommandLine::parse().
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace valkyr::app {

/// The work of a parsed command; returns the exit code.
using Run = std::function<int()>;

/// A row in the table of an option's choices.
template <typename Value>
struct Choice {
    std::string_view name;
    Value value;
};

/// Whether the letters of a choice may be capital ones.
enum class Letters : uint8_t { AsWritten, AnyCase };

/// Takes the text of an option. If it returns an error, the command line is refused.
using TakeText = std::function<Result<void>(const std::string& text)>;
using TakeTexts = std::function<Result<void>(const std::string& first, const std::string& second)>;
using TakeCounts = std::function<Result<void>(uint64_t first, uint64_t second)>;
using TakeNumber = std::function<void(double number)>;

/// An option, a flag or a positional argument. Every setter returns the option itself.
class Option {
public:
    Option required() const;
    /// Required, and not empty, unless the flag is set.
    Option required_unless(Option flag) const;
    /// Refuses a command line that has both options.
    Option excludes(Option other) const;
    /// Refuses a command line that has this option without the other one.
    Option needs(Option other) const;

    /// Refuses numbers outside of least..most.
    Option range(int least, int most) const;
    /// Refuses numbers outside of least..most, infinities and NaN.
    Option range(double least, double most) const;
    /// Accepts only decimal whole numbers from 1 to 2^64 - 1. Without this check, CLI11 wraps
    /// larger and negative numbers.
    /// shown  the constraint that --help prints
    Option positive(const std::string& shown = "") const;
    /// Accepts only texts whose ending `is_known`; `endings` lists them for the message.
    Option ending(bool (*is_known)(std::string_view), const char* endings) const;
    Option one_of(const std::vector<std::string>& words) const;
    Option one_of(std::initializer_list<int> numbers) const;

    /// Lists: a word may hold several values with this character between them.
    Option separated_by(char character) const;
    /// Lists: one value behind each name, so that the next word is not taken for a second value.
    Option one_value_each() const;

    /// The placeholder of the value in --help.
    Option value_name(const std::string& name) const;
    /// --help does not list the option.
    Option hidden() const;
    /// --help shows the value that the variable has now.
    Option shows_default() const;
    Option shows_default(const std::string& text) const;

private:
    friend class Command;
    struct State;
    explicit Option(State& state)
        : state_(&state) {}

    State* state_;
};

/// A subcommand, or the program itself.
///
/// Names of options are "-o,--output"; a word without hyphens makes a positional argument.
class Command {
public:
    Option option(const std::string& names, std::string& value, const std::string& help) const;
    Option option(const std::string& names, uint32_t& value, const std::string& help) const;
    Option option(const std::string& names, uint64_t& value, const std::string& help) const;
    Option option(const std::string& names, double& value, const std::string& help) const;
    Option
    option(const std::string& names, std::optional<uint32_t>& value, const std::string& help) const;
    Option
    option(const std::string& names, std::optional<uint64_t>& value, const std::string& help) const;
    Option option(const std::string& names,
                  std::vector<std::string>& values,
                  const std::string& help) const;
    Option
    option(const std::string& names, std::vector<uint32_t>& values, const std::string& help) const;

    Option option(const std::string& names, TakeText take, const std::string& help) const;
    Option option(const std::string& names, TakeTexts take, const std::string& help) const;
    Option option(const std::string& names, TakeCounts take, const std::string& help) const;
    Option option(const std::string& names, TakeNumber take, const std::string& help) const;

    /// One of a table's names; --help shows the one that `value` has now. The table must outlive
    /// the parsing.
    template <typename Value>
    Option choice(const std::string& names,
                  Value& value,
                  std::type_identity_t<std::span<const Choice<Value>>> table,
                  const std::string& help,
                  Letters letters = Letters::AsWritten) const {
        std::vector<std::string> words;
        std::string shown;
        for (const Choice<Value>& row : table) {
            words.emplace_back(row.name);
            if (row.value == value)
                shown = row.name;
        }
        const auto take = [&value, table](size_t row) { value = table[row].value; };
        return choice_of(names, std::move(words), take, help, letters).shows_default(shown);
    }

    Option flag(const std::string& names, bool& value, const std::string& help) const;
    /// Calls the function if the flag is given.
    Option flag(const std::string& names, std::function<void()> set, const std::string& help) const;

    /// --help of the program does not list the subcommand.
    Command hidden() const;
    /// Text behind the options of --help.
    void footer(const std::string& text) const;
    /// From the first positional argument on, all words are positional, even those with hyphens.
    void positionals_at_end() const;
    /// CommandLine::run() does this if the subcommand was chosen.
    void runs(Run work) const;

private:
    friend class CommandLine;
    friend class Option;
    struct State;
    explicit Command(State& state)
        : state_(&state) {}

    Option choice_of(const std::string& names,
                     std::vector<std::string> words,
                     std::function<void(size_t row)> take,
                     const std::string& help,
                     Letters letters) const;
    template <typename Value>
    Option variable(const std::string& names, Value& value, const std::string& help) const;

    State* state_;
};

/// A program's command line.
class CommandLine {
public:
    CommandLine(const std::string& description, const std::string& program);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    /// The program itself, for options without a subcommand.
    [[nodiscard]] Command program();
    /// Adds a subcommand. A program with subcommands requires exactly one of them.
    Command subcommand(const std::string& name, const std::string& help);
    /// Adds --version, which prints the text.
    void version(const std::string& text);

    /// Reads the words and stores the values.
    /// returns  nothing if the words are accepted; else the exit code, after help or an error was
    ///          printed
    [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv);
    /// The work of the chosen subcommand.
    [[nodiscard]] int run() const;

private:
    friend class Command;
    struct State;
    std::unique_ptr<State> state_;
};

/// The version of the parser.
[[nodiscard]] std::string parser_version();

}  // namespace valkyr::app
