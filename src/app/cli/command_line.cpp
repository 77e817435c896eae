// Command line: declares commands and their options, and reads what a user typed.
// SPDX-License-Identifier: MIT
#include "app/cli/command_line.hpp"

#include "app/cli/exit_codes.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>

namespace valkyr::app {

/// Options and commands lie in deques, whose elements do not move: handles point to them.
struct Option::State {
    CLI::Option* option;
    Command::State* command;
};

struct Command::State {
    State(CLI::App& parsed, CommandLine::State& whole)
        : app(&parsed)
        , line(&whole) {}

    Option keep(CLI::Option* option) {
        options.push_back({option, this});
        return Option(options.back());
    }

    CLI::App* app;
    CommandLine::State* line;
    std::deque<Option::State> options;
    std::vector<std::function<void()>> checks;  ///< of options that depend on each other
};

struct CommandLine::State {
    State(const std::string& description, const std::string& program)
        : app(description, program) {}

    CLI::App app;
    std::deque<Command::State> commands;  ///< the first one is the program itself
    Run work;
};

namespace {

/// Accepts finite numbers from `least` to `most`. CLI11's own range check also accepts a NaN.
CLI::Validator finite_range(double least, double most) {
    CLI::Validator range = CLI::Range(least, most);
    CLI::Validator finite(
        [](const std::string& text) -> std::string {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && std::isfinite(value)
                       ? std::string()
                       : "'" + text + "' is not a finite number";
        },
        "");
    return (range & finite).description(range.get_description());
}

std::string check_positive(const std::string& text) {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= 1)
        return {};
    return "'" + text + "' is not a whole number from 1 to " +
           std::to_string(std::numeric_limits<uint64_t>::max());
}

/// Refuses a value as CLI11 does. `names` are those of the option, the long one last.
void refuse_error(const std::string& names, const Result<void>& taken) {
    if (!taken.has_value())
        throw CLI::ValidationError(names.substr(names.rfind(',') + 1), taken.error().text);
}

/// An option whose two values are taken at once.
template <typename Value, typename Take>
CLI::Option* add_pair(CLI::App& app, const std::string& names, Take take, const std::string& help) {
    const std::function<void(const std::vector<Value>&)> take_both =
        [names, take = std::move(take)](const std::vector<Value>& values) {
            refuse_error(names, take(values[0], values[1]));
        };
    return app.add_option_function(names, take_both, help)->expected(2);
}

}  // namespace

Option Option::required() const {
    state_->option->required();
    return *this;
}

Option Option::required_unless(Option flag) const {
    state_->command->checks.emplace_back([mine = state_->option, flag = flag.state_->option] {
        const auto& given = mine->results();
        const bool has_text = !given.empty() && !given.front().empty();
        if (!has_text && !(flag->count() > 0 && flag->as<bool>()))
            throw CLI::RequiredError(mine->get_name());
    });
    return *this;
}

Option Option::excludes(Option other) const {
    state_->option->excludes(other.state_->option);
    return *this;
}

Option Option::needs(Option other) const {
    state_->option->needs(other.state_->option);
    return *this;
}

Option Option::range(int least, int most) const {
    state_->option->check(CLI::Range(least, most));
    return *this;
}

Option Option::range(double least, double most) const {
    state_->option->check(finite_range(least, most));
    return *this;
}

Option Option::positive(const std::string& shown) const {
    state_->option->check(CLI::Validator(check_positive, shown));
    return *this;
}

Option Option::ending(bool (*is_known)(std::string_view), const char* endings) const {
    const auto check = [=](const std::string& text) {
        return is_known(text) ? std::string() : "'" + text + "' does not end with " + endings;
    };
    state_->option->check(CLI::Validator(check, ""));
    return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
    state_->option->check(CLI::IsMember(words));
    return *this;
}

Option Option::one_of(std::initializer_list<int> numbers) const {
    state_->option->check(CLI::IsMember(std::vector<int>(numbers)));
    return *this;
}

Option Option::separated_by(char character) const {
    state_->option->delimiter(character);
    return *this;
}

Option Option::one_value_each() const {
    state_->option->allow_extra_args(false);
    return *this;
}

Option Option::value_name(const std::string& name) const {
    state_->option->type_name(name);
    return *this;
}

Option Option::hidden() const {
    state_->option->group("");
    return *this;
}

Option Option::shows_default() const {
    state_->option->capture_default_str();
    return *this;
}

Option Option::shows_default(const std::string& text) const {
    state_->option->default_str(text);
    return *this;
}

template <typename Value>
Option Command::variable(const std::string& names, Value& value, const std::string& help) const {
    return state_->keep(state_->app->add_option(names, value, help));
}

Option
Command::option(const std::string& names, std::string& value, const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names, uint32_t& value, const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names, uint64_t& value, const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names, double& value, const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names,
                       std::optional<uint32_t>& value,
                       const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names,
                       std::optional<uint64_t>& value,
                       const std::string& help) const {
    return variable(names, value, help);
}

Option Command::option(const std::string& names,
                       std::vector<std::string>& values,
                       const std::string& help) const {
    return variable(names, values, help);
}

Option Command::option(const std::string& names,
                       std::vector<uint32_t>& values,
                       const std::string& help) const {
    return variable(names, values, help);
}

Option Command::option(const std::string& names, TakeText take, const std::string& help) const {
    const std::function<void(const std::string&)> take_text =
        [names, take = std::move(take)](const std::string& text) {
            refuse_error(names, take(text));
        };
    return state_->keep(state_->app->add_option_function(names, take_text, help));
}

Option Command::option(const std::string& names, TakeTexts take, const std::string& help) const {
    return state_->keep(add_pair<std::string>(*state_->app, names, std::move(take), help));
}

Option Command::option(const std::string& names, TakeCounts take, const std::string& help) const {
    return state_->keep(add_pair<uint64_t>(*state_->app, names, std::move(take), help));
}

Option Command::option(const std::string& names, TakeNumber take, const std::string& help) const {
    const std::function<void(const double&)> take_number = std::move(take);
    return state_->keep(state_->app->add_option_function(names, take_number, help));
}

Option Command::choice_of(const std::string& names,
                          std::vector<std::string> words,
                          std::function<void(size_t row)> take,
                          const std::string& help,
                          Letters letters) const {
    CLI::Validator known =
        letters == Letters::AnyCase ? CLI::IsMember(words, CLI::ignore_case) : CLI::IsMember(words);
    const std::function<void(const std::string&)> take_word =
        [words = std::move(words), take = std::move(take)](const std::string& word) {
            take(static_cast<size_t>(std::find(words.begin(), words.end(), word) - words.begin()));
        };
    // A transformation replaces the user's spelling with the table's.
    return state_->keep(
        state_->app->add_option_function(names, take_word, help)->transform(known.description("")));
}

Option Command::flag(const std::string& names, bool& value, const std::string& help) const {
    return state_->keep(state_->app->add_flag(names, value, help));
}

Option
Command::flag(const std::string& names, std::function<void()> set, const std::string& help) const {
    return state_->keep(state_->app->add_flag_callback(names, std::move(set), help));
}

Command Command::hidden() const {
    state_->app->group("");
    return *this;
}

void Command::footer(const std::string& text) const {
    state_->app->footer(text);
}

void Command::positionals_at_end() const {
    state_->app->positionals_at_end();
}

void Command::runs(Run work) const {
    state_->app->callback([state = state_, work = std::move(work)] {
        for (const auto& check : state->checks)
            check();
        state->line->work = work;
    });
}

CommandLine::CommandLine(const std::string& description, const std::string& program)
    : state_(std::make_unique<State>(description, program)) {
    state_->commands.emplace_back(state_->app, *state_);
}

CommandLine::~CommandLine() = default;

Command CommandLine::program() {
    return Command(state_->commands.front());
}

Command CommandLine::subcommand(const std::string& name, const std::string& help) {
    state_->app.require_subcommand(1);
    return Command(state_->commands.emplace_back(*state_->app.add_subcommand(name, help), *state_));
}

void CommandLine::version(const std::string& text) {
    state_->app.set_version_flag("--version", text);
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
    try {
        state_->app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return state_->app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    return std::nullopt;
}

int CommandLine::run() const {
    return state_->work();
}

std::string parser_version() {
    return CLI11_VERSION;
}

}  // namespace valkyr::app
