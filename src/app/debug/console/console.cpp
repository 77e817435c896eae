// The terminal front end: the table of commands, moving, breakpoints.
// SPDX-License-Identifier: MIT
#include "app/debug/console/console.hpp"

#include "app/debug/console/picture.hpp"

#include <algorithm>
#include <charconv>

namespace valkyr::debug {

namespace {

std::string_view trim(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Error syntax(std::string text) {
    return {Errc::Syntax, {}, std::move(text)};
}

/// Reads a repeat count; 1 if the text is empty.
Result<uint64_t> count_of(std::string_view arguments) {
    if (arguments.empty())
        return uint64_t{1};
    const auto count = parse_count(arguments);
    if (!count || *count == 0)
        return syntax("'" + std::string(arguments) + "' is no number of times");
    return uint64_t{*count};
}

/// "12" is a line, "word 12" or "w12" a word.
Result<CodePlace> place_of(std::string_view text) {
    CodePlace place;
    for (const std::string_view prefix : {"word ", "line ", "w", "l"}) {
        if (!text.starts_with(prefix))
            continue;
        place.on_line = prefix[0] == 'l';
        text.remove_prefix(prefix.size());
        break;
    }
    const auto number = parse_count(trim(text));
    if (!number)
        return syntax("expected LINE or word WORD, not '" + std::string(text) + "'");
    place.number = *number;
    return place;
}

}  // namespace

/// A friend of Console, so that the table may name its private member functions.
struct CommandTable {
    static constexpr ConsoleCommand kCommands[] = {
        {"step", "s", "[N]", "execute the next N instructions", &Console::step},
        {"reverse-step", "rs", "[N]", "go back N instructions", &Console::reverse_step},
        {"stepline", "sl", "[N]", "go on to the next line of the text", &Console::line_step},
        {"next", "n", "", "execute the rest of the basic block", &Console::next},
        {"reverse-next", "rn", "", "go back to the block before", &Console::reverse_next},
        {"until", "u", "LINE | word N", "go on to a line of the text or a word", &Console::until},
        {"continue", "c", "", "go on to the next breakpoint or the end", &Console::go_on},
        {"reverse-continue", "rc", "", "go back to the last breakpoint or the start",
         &Console::reverse_go_on},
        {"next-divergence", "nd", "", "go on until other lanes run", &Console::divergence},
        {"goto", "g", "STEP | start | end", "go to a step by its number", &Console::go_to},
        {"break", "b", "LINE | word N | glsl LINE [if COND] | barrier",
         "stop there; COND is like TEMP[0].x > 0.5 and holds if it does in a lane that runs; "
         "barrier: "
         "where all warps of the work-group have reached one",
         &Console::add_break},
        {"delete", "d", "[N]", "take away breakpoint N, or all of them", &Console::remove_break},
        {"watch", "w", "NAME[/fdx] | off [N]", "show a value after each stop", &Console::add_watch},
        {"print", "p", "NAME[/fdxa]",
         "values by lane: TEMP[0].xy, IN[1], OUT[0], CONST[3], IMM[0], r12, u3, a variable of the "
         "GLSL; /f float, /d signed, /x hexadecimal, /a lanes that do not run, too",
         &Console::print},
        {"info", "i", "WHAT",
         "registers, lanes, mask, uniforms, textures, coverage, memory, messages, breakpoints, "
         "hits (warps that have the pixel), warps, races, glsl (source and names of registers)",
         &Console::info},
        {"warp", "", "[N]", "show warp N of the work-group; without N, where all of them are",
         &Console::choose_warp},
        {"memory", "m", "[N] [at BYTE [COUNT]][/fdx]",
         "words of shared memory, or of BUFFER[N]; * marks those that changed since the last stop",
         &Console::memory},
        {"list", "l", "[glsl] [LINE]", "lines of the text, or of the GLSL", &Console::list},
        {"disassemble", "dis", "[WORD]", "Valhall words", &Console::words},
        {"host", "", "[WORD]", "host instructions of a word", &Console::host},
        {"view", "v", "[on | off]", "the listings side by side; after each stop or not",
         &Console::view},
        {"check", "", "", "run the same warp by recompiled code and compare all results",
         &Console::check_host},
        {"lockstep", "trace", "",
         "run recompiled code in step and compare registers after each word, up to the first "
         "difference",
         &Console::lockstep_host},
        {"export", "", "FILE", "write all steps to a text file", &Console::export_steps},
        {"help", "h", "[COMMAND]", "this list", &Console::help},
        {"quit", "q", "", "leave", &Console::quit},
    };
};

std::optional<uint32_t> parse_count(std::string_view text) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::span<const ConsoleCommand> Console::commands() {
    return CommandTable::kCommands;
}

Result<std::string> Console::execute(std::string_view line) {
    line = trim(line);
    if (line.empty() || line[0] == '#')
        return std::string();
    // "p/x r3" is "p r3/x".
    const size_t end = line.find_first_of(" \t/");
    const std::string_view name = line.substr(0, end);
    std::string arguments(end == std::string_view::npos ? "" : trim(line.substr(end)));
    if (arguments.starts_with('/')) {
        const size_t blank = arguments.find(' ');
        const std::string format = arguments.substr(0, blank);
        arguments = (blank == std::string::npos ? "" : arguments.substr(blank + 1)) + format;
    }
    const ConsoleCommand* found = nullptr;
    for (const ConsoleCommand& command : commands()) {
        if (command.name == name || command.alias == name) {
            found = &command;
            break;
        }
        if (!command.name.starts_with(name))
            continue;
        if (found != nullptr)
            return syntax("'" + std::string(name) + "' may be " + std::string(found->name) +
                          " or " + std::string(command.name));
        found = &command;
    }
    if (found == nullptr)
        return syntax("no command '" + std::string(name) + "' (help lists them)");
    if (found->arguments.empty() && !arguments.empty())
        return syntax(std::string(found->name) + " takes no arguments");
    return (this->*found->run)(trim(arguments));
}

std::string Console::greeting() {
    std::string text = debugger_.session().title + "\n";
    const size_t steps = debugger_.recording().steps().size();
    for (const std::string& hit : debugger_.session().hits)
        text += "  " + hit + "\n";
    text += std::to_string(steps) + " steps recorded; help lists the commands\n";
    return text + report({StopReason::Place, 0});
}

std::vector<std::string> Console::complete(std::string_view line) const {
    std::vector<std::string> found;
    const size_t blank = line.find_last_of(" \t");
    const std::string_view word = blank == std::string_view::npos ? line : line.substr(blank + 1);
    const auto offer = [&](std::string candidate) {
        if (std::string_view(candidate).starts_with(word))
            found.push_back(std::move(candidate));
    };
    if (blank == std::string_view::npos) {
        for (const ConsoleCommand& command : commands())
            offer(std::string(command.name));
        return found;
    }
    if (line.starts_with("i")) {
        for (const char* what :
             {"registers", "lanes", "mask", "uniforms", "textures", "coverage", "memory",
              "messages", "breakpoints", "hits", "warps", "races", "glsl"})
            offer(what);
        return found;
    }
    for (const auto& [reg, name] : debugger_.session().listing.glsl.names)
        offer(name);
    for (const char* file :
         {"TEMP[", "IN[", "OUT[", "CONST[", "IMM[", "ADDR[", "SV[", "word ", "barrier"})
        offer(file);
    return found;
}

/// ": all warps have reached the barrier of line 12" of a breakpoint at barriers.
std::string Console::barrier_note(const Stop& stop) const {
    for (const Breakpoint& breakpoint : debugger_.breakpoints())
        if (breakpoint.number == stop.breakpoint && breakpoint.kind == Breakpoint::Kind::Barrier)
            return ": all warps have reached " + barriers_text(debugger_.passed_barriers());
    return {};
}

/// Shows why execution stopped, the listings and the watched values.
std::string Console::report(const Stop& stop) {
    std::string text;
    if (stop.reason == StopReason::Breakpoint)
        text += "breakpoint " + std::to_string(stop.breakpoint) + barrier_note(stop) + "\n";
    else if (stop.reason == StopReason::Start)
        text += "at the start\n";
    else if (stop.reason == StopReason::Divergence)
        text += "other lanes run\n" + mask_picture(debugger_);
    if (options_.show_listing && stop.reason != StopReason::End)
        text += side_by_side(debugger_, options_.layout);
    return text + place_line(debugger_) + watch_lines();
}

Result<std::string> Console::step(std::string_view arguments) {
    VALKYR_TRY(count, count_of(arguments));
    return report(debugger_.step(count));
}

Result<std::string> Console::reverse_step(std::string_view arguments) {
    VALKYR_TRY(count, count_of(arguments));
    return report(debugger_.step(count, true));
}

Result<std::string> Console::line_step(std::string_view arguments) {
    VALKYR_TRY(count, count_of(arguments));
    return report(debugger_.step_line(count));
}

Result<std::string> Console::next(std::string_view) {
    return report(debugger_.step_block());
}

Result<std::string> Console::reverse_next(std::string_view) {
    return report(debugger_.step_block(true));
}

Result<std::string> Console::until(std::string_view arguments) {
    VALKYR_TRY(place, place_of(arguments));
    if (place.on_line && debugger_.words_of(place.number).empty())
        return syntax("no instruction was made from line " + std::to_string(place.number) +
                      " alone");
    if (!place.on_line && place.number >= debugger_.session().listing.words.size())
        return syntax("there is no word " + std::to_string(place.number));
    return report(place.on_line ? debugger_.run_to_line(place.number)
                                : debugger_.run_to_word(place.number));
}

Result<std::string> Console::go_on(std::string_view) {
    return report(debugger_.resume());
}

Result<std::string> Console::reverse_go_on(std::string_view) {
    return report(debugger_.resume(true));
}

Result<std::string> Console::divergence(std::string_view) {
    return report(debugger_.next_divergence());
}

Result<std::string> Console::go_to(std::string_view arguments) {
    if (arguments == "start")
        return report(debugger_.move_to(0));
    const size_t steps = debugger_.recording().steps().size();
    if (arguments == "end")
        return report(debugger_.move_to(steps));
    const auto step = parse_count(arguments);
    if (!step || *step > steps)
        return syntax("expected a step from 0 to " + std::to_string(steps) + ", start or end");
    return report(debugger_.move_to(*step));
}

/// The first line of the text that comes from a line of GLSL.
Result<CodePlace> Console::place_in_glsl(std::string_view text) const {
    const GlslListing& glsl = debugger_.session().listing.glsl;
    if (!glsl.is_known())
        return syntax("the GLSL of this shader is not known");
    const auto number = parse_count(text);
    for (const uint32_t line : glsl.lines_from(number.value_or(0)))
        if (!debugger_.words_of(line).empty())
            return CodePlace{true, line};
    return syntax("nothing was found that comes from line '" + std::string(text) + "' of the GLSL");
}

Result<std::string> Console::add_break(std::string_view arguments) {
    if (arguments == "barrier") {
        VALKYR_TRY(added, debugger_.add_barrier_breakpoint());
        return "breakpoint " + std::to_string(added) + " at barriers\n";
    }
    const size_t at = arguments.find(" if ");
    const std::string_view where = trim(arguments.substr(0, at));
    constexpr std::string_view kGlsl = "glsl ";
    VALKYR_TRY(place, where.starts_with(kGlsl) ? place_in_glsl(trim(where.substr(kGlsl.size())))
                                               : place_of(where));
    std::optional<Condition> condition;
    std::string text;
    if (at != std::string_view::npos) {
        text = trim(arguments.substr(at + 4));
        VALKYR_TRY(parsed, parse_condition(text, *debugger_.session().shader));
        condition = std::move(parsed);
    }
    VALKYR_TRY(number,
               debugger_.add_breakpoint(place.on_line, place.number, std::move(condition), text));
    return "breakpoint " + std::to_string(number) + " at " + (place.on_line ? "line " : "word ") +
           std::to_string(place.number) + (text.empty() ? "" : " if " + text) + "\n";
}

Result<std::string> Console::remove_break(std::string_view arguments) {
    if (arguments.empty()) {
        while (!debugger_.breakpoints().empty())
            debugger_.remove_breakpoint(debugger_.breakpoints().front().number);
        return std::string();
    }
    const auto number = parse_count(arguments);
    if (!number || !debugger_.remove_breakpoint(*number))
        return syntax("no breakpoint " + std::string(arguments));
    return std::string();
}

Result<std::string> Console::help(std::string_view arguments) {
    std::string text;
    for (const ConsoleCommand& command : commands()) {
        if (!arguments.empty() && command.name != arguments && command.alias != arguments)
            continue;
        std::string head(command.name);
        if (!command.alias.empty())
            head += ", " + std::string(command.alias);
        if (!command.arguments.empty())
            head += " " + std::string(command.arguments);
        text += "  " + head + std::string(head.size() < 34 ? 34 - head.size() : 1, ' ') +
                std::string(command.help) + "\n";
    }
    if (text.empty())
        return syntax("no command '" + std::string(arguments) + "'");
    return text;
}

Result<std::string> Console::quit(std::string_view) {
    done_ = true;
    return std::string();
}

}  // namespace valkyr::debug
