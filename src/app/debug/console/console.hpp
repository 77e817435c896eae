// Console: executes gdb-like commands on a Debugger, one line in, text out.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/console/layout.hpp"

#include <span>

namespace valkyr::debug {

struct ConsoleOptions {
    LayoutOptions layout;
    /// Shows the listings after each stop.
    bool show_listing = true;
};

/// A line of the text, or a word.
struct CodePlace {
    bool on_line = true;
    uint32_t number = 0;
};

class Console;

/// One command. `run` gets the trimmed text behind its name.
struct ConsoleCommand {
    std::string_view name;
    std::string_view alias;      ///< short form or old name, or empty
    std::string_view arguments;  ///< as the help shows them
    std::string_view help;
    Result<std::string> (Console::*run)(std::string_view arguments);
};

class Console {
public:
    Console(Debugger& debugger, ConsoleOptions options)
        : debugger_(debugger)
        , options_(options) {}

    /// Executes one line; blank lines and comments (#) do nothing. Any unambiguous beginning of a
    /// command's name is accepted.
    /// errors  Syntax: no such command, bad arguments; errors of the command
    Result<std::string> execute(std::string_view line);
    /// The text shown before the first command.
    std::string greeting();
    /// Whether "quit" was given.
    [[nodiscard]] bool done() const { return done_; }
    /// Completions of an unfinished line: commands first, then names of registers.
    [[nodiscard]] std::vector<std::string> complete(std::string_view line) const;

    static std::span<const ConsoleCommand> commands();

private:
    friend struct CommandTable;
    // console.cpp: moving and breakpoints
    Result<std::string> step(std::string_view arguments);
    Result<std::string> reverse_step(std::string_view arguments);
    Result<std::string> line_step(std::string_view arguments);
    Result<std::string> next(std::string_view arguments);
    Result<std::string> reverse_next(std::string_view arguments);
    Result<std::string> until(std::string_view arguments);
    Result<std::string> go_on(std::string_view arguments);
    Result<std::string> reverse_go_on(std::string_view arguments);
    Result<std::string> divergence(std::string_view arguments);
    Result<std::string> go_to(std::string_view arguments);
    Result<std::string> add_break(std::string_view arguments);
    Result<std::string> remove_break(std::string_view arguments);
    Result<std::string> add_watch(std::string_view arguments);
    Result<std::string> help(std::string_view arguments);
    Result<std::string> quit(std::string_view arguments);
    // console_print.cpp: looking
    Result<std::string> print(std::string_view arguments);
    Result<std::string> info(std::string_view arguments);
    Result<std::string> list(std::string_view arguments);
    Result<std::string> words(std::string_view arguments);
    Result<std::string> host(std::string_view arguments);
    Result<std::string> view(std::string_view arguments);
    // console_groups.cpp: work-groups
    Result<std::string> choose_warp(std::string_view arguments);
    Result<std::string> memory(std::string_view arguments);
    // console_print.cpp
    Result<std::string> check_host(std::string_view arguments);
    Result<std::string> lockstep_host(std::string_view arguments);
    Result<std::string> export_steps(std::string_view arguments);

    [[nodiscard]] Result<CodePlace> place_in_glsl(std::string_view text) const;
    /// The registers that a name means: one that it spells, or those of a variable of the GLSL.
    [[nodiscard]] Result<std::vector<Watch>> find_watches(const std::string& name) const;
    std::string report(const Stop& stop);
    [[nodiscard]] std::string barrier_note(const Stop& stop) const;
    std::string print_watch(const Watch& watch, NumberFormat format, bool all);
    std::string watch_lines();

    struct Shown {
        uint32_t number;
        Watch watch;
        NumberFormat format;
    };
    Debugger& debugger_;
    ConsoleOptions options_;
    std::vector<Shown> watches_;
    uint32_t next_watch_ = 1;
    bool done_ = false;
};

/// Reads a whole number; nothing if the text is not one.
std::optional<uint32_t> parse_count(std::string_view text);

/// The parts of the `info` command; they show the state at the cursor.
std::string info_registers(const Debugger& debugger);
std::string info_uniforms(const Debugger& debugger);
std::string info_messages(const Debugger& debugger, std::span<const MessageKind> kinds);
/// Races of the work-group on shared memory.
std::string info_races(const Debugger& debugger);
/// A line for each warp of the work-group.
std::string info_warps(const Debugger& debugger);
/// Rows of four words of a region of the work-group's memory; those that changed since the last
/// stop have a '*'.
struct MemoryRows {
    NumberFormat format = NumberFormat::Hex;
    uint32_t first = 0;             ///< byte
    std::optional<uint32_t> words;  ///< none: rows in which some word is not 0 or has changed
};
std::string memory_text(const Debugger& debugger, uint32_t region, const MemoryRows& rows);
std::string describe_message(const Debugger& debugger, const Message& message);
/// Every step with its word, lanes and the registers it changed.
std::string export_text(const Debugger& debugger);

}  // namespace valkyr::debug
