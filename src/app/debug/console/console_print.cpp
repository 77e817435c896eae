// The terminal front end: commands that show something.
// SPDX-License-Identifier: MIT
#include "app/debug/console/console.hpp"
#include "app/debug/console/picture.hpp"

#include <algorithm>
#include <fstream>

namespace valkyr::debug {

namespace {

constexpr std::string_view kComponents = "xyzw";

Error syntax(std::string text) {
    return {Errc::Syntax, {}, std::move(text)};
}

std::string component_name(const Watch& watch, size_t i) {
    if (watch.kind != Watch::Kind::Tgsi)
        return watch.text;
    return watch.text.substr(0, watch.text.find('.')) + "." + kComponents[watch.components[i]];
}

std::string padded(const std::string& text, size_t width) {
    return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

constexpr MessageKind kTextures[] = {MessageKind::Texture, MessageKind::ImageLoad};
constexpr MessageKind kCoverage[] = {MessageKind::EarlyZs, MessageKind::Atest, MessageKind::ZsEmit,
                                     MessageKind::Blend};
constexpr MessageKind kMemory[] = {MessageKind::Store, MessageKind::ImageStore,
                                   MessageKind::TileStore};

std::string info_breakpoints(const Debugger& debugger) {
    std::string text;
    for (const Breakpoint& b : debugger.breakpoints())
        text += "  " + std::to_string(b.number) + "  " + place_text(b) +
                (b.condition_text.empty() ? "" : " if " + b.condition_text) + ", hit " +
                std::to_string(b.hits) + " times\n";
    return text.empty() ? "no breakpoints\n" : text;
}

/// The lanes that run next; all if the warp has ended, those that wait if it is at a barrier.
uint16_t shown_lanes(const Debugger& debugger) {
    const valhall::WarpState& state = debugger.state();
    if (debugger.cursor().at_end() || state.alive == 0)
        return 0xFFFF;
    return state.running != 0 ? state.running : state.alive;
}

std::string info_hits(const Debugger& debugger) {
    std::string text;
    for (const std::string& hit : debugger.session().hits)
        text += "  " + hit + "\n";
    return text.empty() ? "this is no scene\n" : text;
}

/// The source, how well its lines match, and the variables that registers hold.
std::string info_glsl(const Debugger& debugger) {
    const GlslListing& glsl = debugger.session().listing.glsl;
    if (!glsl.is_known())
        return "the GLSL of this shader is not known\n";
    size_t certain = 0;
    size_t about = 0;
    for (const GlslLine& each : glsl.lines)
        (each.certain ? certain : about) += each.line != 0 ? 1 : 0;
    std::string text = glsl.title + ", " + std::to_string(glsl.source.size()) + " lines; of " +
                       std::to_string(certain + about) + " lines of the text, " +
                       std::to_string(certain) +
                       " have a name, constant or function of a single line\n";
    for (const auto& [reg, name] : glsl.names)
        text += "  " + padded(reg, 14) + name + "\n";
    return text;
}

/// Lines of the GLSL from `first` on, or around the current one.
Result<std::string> list_glsl(const Debugger& debugger, std::string_view first, uint32_t count) {
    const GlslListing& glsl = debugger.session().listing.glsl;
    if (!glsl.is_known())
        return syntax("the GLSL of this shader is not known");
    first.remove_prefix(std::min(first.find_first_not_of(' '), first.size()));
    const uint32_t line = debugger.glsl_line().line;
    const auto number =
        first.empty() ? std::optional(line > count / 2 ? line - count / 2 : 1) : parse_count(first);
    if (!number || *number == 0 || *number > glsl.source.size())
        return syntax("the GLSL has lines 1 to " + std::to_string(glsl.source.size()));
    return glsl_lines(debugger, *number, count);
}

}  // namespace

std::string Console::print_watch(const Watch& watch, NumberFormat format, bool all) {
    const uint16_t shown = all ? uint16_t{0xFFFF} : shown_lanes(debugger_);
    std::vector<WatchValue> values;
    size_t width = 20;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane)
        width = std::max(width, lane_name(debugger_, lane).size() + 1);
    std::string head = padded("", width);
    std::string places = padded("", width);
    bool known = false;
    for (size_t i = 0; i < watch.components.size(); ++i) {
        values.push_back(read_watch(debugger_.view(), watch, watch.components[i]));
        head += padded(component_name(watch, i), 14);
        places += padded(values.back().place, 14);
        known |= values.back().known != 0;
    }
    head.erase(head.find_last_not_of(' ') + 1);
    places.erase(places.find_last_not_of(' ') + 1);
    std::string text = head + "\n" + places + "\n";
    for (unsigned lane = 0; known && lane < exec::kLanes; ++lane) {
        if ((shown >> lane & 1) == 0)
            continue;
        std::string line = padded(lane_name(debugger_, lane), width);
        for (const WatchValue& value : values)
            line += padded(
                (value.known >> lane & 1) != 0 ? format_number(value.lanes.v[lane], format) : "-",
                14);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

Result<std::string> Console::print(std::string_view arguments) {
    VALKYR_TRY(request, parse_named_format(arguments));
    VALKYR_TRY(watches, find_watches(request.name));
    std::string text;
    for (const Watch& watch : watches)
        text += print_watch(watch, request.format, request.all);
    return text;
}

Result<std::vector<Watch>> Console::find_watches(const std::string& name) const {
    // "tint.xy": components of a variable.
    const size_t point = name.rfind('.');
    const bool swizzled = point != std::string::npos &&
                          name.find_first_not_of(kComponents, point + 1) == std::string::npos;
    const GlslListing& glsl = debugger_.session().listing.glsl;
    std::vector<std::string> registers = glsl.registers_of(name);
    if (registers.empty() && swizzled)
        for (const std::string& reg : glsl.registers_of(name.substr(0, point)))
            registers.push_back(reg + name.substr(point));
    if (registers.empty())
        registers.push_back(name);
    std::vector<Watch> watches;
    for (const std::string& reg : registers) {
        VALKYR_TRY(watch, parse_watch(reg, *debugger_.session().shader));
        watches.push_back(std::move(watch));
    }
    return watches;
}

Result<std::string> Console::add_watch(std::string_view arguments) {
    if (arguments.starts_with("off")) {
        const std::string_view rest =
            arguments.size() > 4 ? arguments.substr(4) : std::string_view{};
        const auto number = parse_count(rest);
        if (!rest.empty() && !number)
            return syntax("no watch " + std::string(rest));
        const size_t erased = std::erase_if(
            watches_, [&](const Shown& shown) { return !number || shown.number == *number; });
        if (erased == 0)
            return syntax("no such watch");
        return std::string();
    }
    VALKYR_TRY(request, parse_named_format(arguments));
    VALKYR_TRY(watches, find_watches(request.name));
    for (Watch& watch : watches)
        watches_.push_back({next_watch_++, std::move(watch), request.format});
    return watch_lines();
}

/// One line per watched value: a single value if all running lanes agree, else lane by lane.
std::string Console::watch_lines() {
    std::string text;
    const uint16_t running = shown_lanes(debugger_);
    for (const Shown& shown : watches_) {
        for (size_t i = 0; i < shown.watch.components.size(); ++i) {
            const WatchValue value =
                read_watch(debugger_.view(), shown.watch, shown.watch.components[i]);
            std::string line = "  " + std::to_string(shown.number) + ": " +
                               component_name(shown.watch, i) + " (" + value.place + ")";
            const uint16_t lanes = value.known & running;
            if (lanes != 0)
                line += " =";
            const auto first = static_cast<unsigned>(std::countr_zero(lanes));
            bool same = lanes != 0;
            for (unsigned lane = 0; lane < exec::kLanes; ++lane)
                same &= (lanes >> lane & 1) == 0 || value.lanes.v[lane] == value.lanes.v[first];
            for (unsigned lane = 0; lane < exec::kLanes; ++lane)
                if ((lanes >> lane & 1) != 0 && (!same || lane == first))
                    line += " " + format_number(value.lanes.v[lane], shown.format);
            text += line + (same ? " in every lane\n" : "\n");
        }
    }
    return text;
}

std::string info_registers(const Debugger& debugger) {
    const uint16_t running = debugger.state().running;
    const auto lane =
        static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(running != 0 ? running : 1U)));
    std::string text = lane_name(debugger, lane) + ", as float and as bits\n";
    for (unsigned reg = 0; reg < exec::kRegisters; ++reg) {
        const uint32_t word = debugger.state().r[reg].v[lane];
        text += padded("  r" + std::to_string(reg), 6) +
                padded(format_number(word, NumberFormat::Float), 16) +
                padded(format_number(word, NumberFormat::Hex), reg % 2 == 0 ? 12 : 8);
        if (reg % 2 == 1)
            text += "\n";
    }
    return text;
}

std::string info_uniforms(const Debugger& debugger) {
    const WarpCase& warp = *debugger.session().warp;
    constexpr std::string_view kKinds[] = {"unused", "immediate", "CONST", "driver value",
                                           "prologue"};
    std::string text;
    for (size_t i = 0; i < warp.program->fau.size(); ++i) {
        const valhall::FauWord& word = warp.program->fau[i];
        std::string what(kKinds[static_cast<size_t>(word.kind)]);
        if (word.kind == valhall::FauKind::Constant)
            what += (word.buffer != 0 ? "[" + std::to_string(word.buffer) + "]" : "") + "[" +
                    std::to_string(word.value / 4) + "]." + kComponents[word.value % 4];
        else if (word.kind == valhall::FauKind::Prologue)
            what += " r" + std::to_string(word.value);
        const uint32_t value = warp.draw.fau[i];
        text += padded("  u" + std::to_string(i), 8) + padded(what, 18) +
                padded(format_number(value, NumberFormat::Float), 16) +
                format_number(value, NumberFormat::Hex) + "\n";
    }
    return text.empty() ? "the program has no uniform words\n" : text;
}

Result<std::string> Console::info(std::string_view arguments) {
    struct Topic {
        std::string_view name;
        std::function<std::string()> text;
    };
    const Topic topics[] = {
        {"registers", [&] { return info_registers(debugger_); }},
        {"lanes", [&] { return mask_picture(debugger_); }},
        {"mask", [&] { return mask_picture(debugger_); }},
        {"uniforms", [&] { return info_uniforms(debugger_); }},
        {"textures", [&] { return info_messages(debugger_, kTextures); }},
        {"coverage", [&] { return info_messages(debugger_, kCoverage); }},
        {"memory", [&] { return info_messages(debugger_, kMemory); }},
        {"messages", [&] { return info_messages(debugger_, {}); }},
        {"breakpoints", [&] { return info_breakpoints(debugger_); }},
        {"hits", [&] { return info_hits(debugger_); }},
        {"warps", [&] { return info_warps(debugger_); }},
        {"races", [&] { return info_races(debugger_); }},
        {"glsl", [&] { return info_glsl(debugger_); }},
    };
    for (const Topic& topic : topics)
        if (!arguments.empty() && topic.name.starts_with(arguments))
            return topic.text();
    return syntax("info is about registers, lanes, mask, uniforms, textures, coverage, memory, "
                  "messages, breakpoints, hits, warps, races or glsl");
}

Result<std::string> Console::list(std::string_view arguments) {
    constexpr uint32_t kLines = 20;
    constexpr std::string_view kGlsl = "glsl";
    if (arguments.starts_with(kGlsl))
        return list_glsl(debugger_, arguments.substr(kGlsl.size()), kLines);
    const uint32_t line = debugger_.line();
    uint32_t first = line > kLines / 2 ? line - kLines / 2 : 1;
    if (!arguments.empty()) {
        const auto number = parse_count(arguments);
        if (!number || *number == 0 || *number > debugger_.session().listing.source.size())
            return syntax("the text has lines 1 to " +
                          std::to_string(debugger_.session().listing.source.size()));
        first = *number;
    }
    return source_lines(debugger_, first, kLines);
}

Result<std::string> Console::words(std::string_view arguments) {
    constexpr uint32_t kWords = 20;
    const uint32_t word = debugger_.cursor().word();
    uint32_t first = word > kWords / 2 ? word - kWords / 2 : 0;
    if (!arguments.empty()) {
        const auto number = parse_count(arguments);
        if (!number || *number >= debugger_.session().listing.words.size())
            return syntax("the program has words 0 to " +
                          std::to_string(debugger_.session().listing.words.size() - 1));
        first = *number;
    }
    return word_lines(debugger_, first, kWords);
}

Result<std::string> Console::host(std::string_view arguments) {
    uint32_t word = debugger_.cursor().word();
    if (!arguments.empty()) {
        const auto number = parse_count(arguments);
        if (!number || *number >= debugger_.session().listing.words.size())
            return syntax("there is no word " + std::string(arguments));
        word = *number;
    }
    std::string text = word_lines(debugger_, word, 1);
    const std::string lines = host_lines(debugger_, word);
    return text + (lines.empty() ? "    no host instruction of its own\n" : lines);
}

Result<std::string> Console::view(std::string_view arguments) {
    if (arguments.empty())
        return side_by_side(debugger_, options_.layout) + place_line(debugger_);
    if (arguments != "on" && arguments != "off")
        return syntax("view is on or off");
    options_.show_listing = arguments == "on";
    return std::string();
}

Result<std::string> Console::check_host(std::string_view) {
    VALKYR_TRY(lines, check(*debugger_.session().warp, debugger_.recording(), host_engines()));
    if (lines.empty())
        return std::string("there is no recompiler for this host\n");
    std::string text;
    for (const CheckLine& line : lines)
        text += check_text(line);
    return text;
}

Result<std::string> Console::lockstep_host(std::string_view) {
    std::string text;
    for (const HostEngine& engine : host_engines()) {
        VALKYR_TRY(report, compare_lockstep(*debugger_.session().warp, engine));
        text += lockstep_text(engine, report, debugger_.session().listing.words);
    }
    return text.empty() ? std::string("there is no recompiler for this host\n") : text;
}

Result<std::string> Console::export_steps(std::string_view arguments) {
    if (arguments.empty())
        return syntax("expected the name of a file");
    std::ofstream file{std::string(arguments)};
    file << export_text(debugger_);
    file.close();
    if (!file)
        return Error{Errc::System, {}, "cannot write " + std::string(arguments)};
    return std::to_string(debugger_.recording().steps().size()) + " steps written\n";
}

}  // namespace valkyr::debug
