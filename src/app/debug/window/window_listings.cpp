// The panes of the debugger's window: GLSL, text, Valhall words, host code, linked.
// SPDX-License-Identifier: MIT
#include "app/debug/window/window_panes.hpp"

#include <algorithm>
#include <cstdio>

namespace valkyr::debug::panes {

namespace {

constexpr ImU32 kCurrentBack = IM_COL32(90, 75, 20, 255);
constexpr ImU32 kHoverBack = IM_COL32(40, 55, 75, 255);
constexpr ImU32 kBreakpoint = IM_COL32(220, 60, 60, 255);
constexpr ImU32 kGutterRing = IM_COL32(90, 90, 100, 255);
constexpr float kGutter = 16;

/// One row of a listing.
struct Row {
    std::string text;
    uint32_t line = 0;     ///< of the TGSI text, 0 = none
    bool current = false;  ///< the next instruction
    bool breakable = false;
    bool broken = false;  ///< has a breakpoint
};

enum class Click : uint8_t { None, Gutter, Double };

void highlight(ImU32 color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetWindowWidth() + ImGui::GetScrollMaxX();
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + width, at.y + ImGui::GetTextLineHeightWithSpacing()}, color);
}

/// Draws the breakpoint column of a row; true if the user clicked it.
bool gutter(const Row& row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight();
    const bool clicked = ImGui::InvisibleButton("gutter", {kGutter, height}) && row.breakable;
    const ImVec2 middle{at.x + kGutter / 2 - 2, at.y + height / 2};
    if (row.broken)
        ImGui::GetWindowDrawList()->AddCircleFilled(middle, 5, kBreakpoint);
    else if (row.breakable && ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddCircle(middle, 5, kGutterRing);
    ImGui::SameLine(0, 0);
    return clicked;
}

Click draw_row(State& state, const Row& row, int number) {
    const bool same_line =
        row.line != 0 && row.line == state.debugger.line() && !state.debugger.cursor().at_end();
    if (row.current)
        highlight(kCurrentBack);
    else if (row.line != 0 && row.line == state.hovered_line)
        highlight(kHoverBack);
    ImGui::PushID(number);
    Click click = gutter(row) ? Click::Gutter : Click::None;
    colored_text(row.current ? kCurrentText : same_line ? kRelatedText : kPlainText, row.text);
    if (ImGui::IsItemHovered()) {
        state.next_hovered = row.line;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            click = Click::Double;
    }
    ImGui::PopID();
    if (row.current && state.scroll)
        ImGui::SetScrollHereY(0.4F);
    return click;
}

/// Sets a breakpoint, or deletes the one at the place.
void toggle(State& state, bool on_line, uint32_t place) {
    const auto kind = on_line ? Breakpoint::Kind::Line : Breakpoint::Kind::Word;
    for (const Breakpoint& breakpoint : state.debugger.breakpoints()) {
        if (breakpoint.kind == kind && breakpoint.place == place) {
            state.debugger.remove_breakpoint(breakpoint.number);
            return;
        }
    }
    if (const auto added = state.debugger.add_breakpoint(on_line, place); !added)
        state.message = added.error().text;
}

std::string numbered(const char* format, uint32_t number, const std::string& text) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, format, number);
    return buffer + text;
}

}  // namespace

void colored_text(ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
}

void begin_pane(const char* title, const Box& box) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin(title, nullptr,
                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void glsl_pane(State& state, const Box& box) {
    const Debugger& debugger = state.debugger;
    const GlslListing& glsl = debugger.session().listing.glsl;
    begin_pane((glsl.title + "###glsl").c_str(), box);
    const GlslLine here = debugger.glsl_line();
    const uint32_t hovered = glsl.line_of(state.hovered_line).line;
    for (uint32_t line = 1; line <= glsl.source.size(); ++line) {
        const bool current = line == here.line;
        if (current && here.certain)
            highlight(kCurrentBack);
        else if (current || line == hovered)
            highlight(kHoverBack);
        colored_text(current ? kCurrentText : kPlainText,
                     numbered("%3u ", line, glsl.source[line - 1]));
        const std::vector<uint32_t> from = glsl.lines_from(line);
        if (ImGui::IsItemHovered() && !from.empty())
            state.next_hovered = from.front();
        if (current && state.scroll)
            ImGui::SetScrollHereY(0.4F);
    }
    ImGui::End();
}

void source_pane(State& state, const Box& box) {
    const Debugger& debugger = state.debugger;
    const Listing& listing = debugger.session().listing;
    begin_pane((listing.source_name + "###source").c_str(), box);
    for (uint32_t line = 1; line <= listing.source.size(); ++line) {
        const Row row{numbered("%3u ", line, listing.source[line - 1]), line,
                      line == debugger.line(), !debugger.words_of(line).empty(),
                      debugger.has_breakpoint(true, line)};
        const Click click = draw_row(state, row, static_cast<int>(line));
        if (click == Click::Gutter)
            toggle(state, true, line);
        else if (click == Click::Double && row.breakable)
            state.debugger.run_to_line(line);
    }
    ImGui::End();
}

void words_pane(State& state, const Box& box) {
    const Debugger& debugger = state.debugger;
    const Listing& listing = debugger.session().listing;
    begin_pane("Valhall", box);
    for (uint32_t word = 0; word < listing.words.size(); ++word) {
        const Row row{numbered("%4u ", word, listing.words[word]), debugger.line_of(word),
                      word == debugger.cursor().word(), true, debugger.has_breakpoint(false, word)};
        const Click click = draw_row(state, row, static_cast<int>(word));
        if (click == Click::Gutter)
            toggle(state, false, word);
        else if (click == Click::Double)
            state.debugger.run_to_word(word);
    }
    ImGui::End();
}

void host_pane(State& state, const Box& box) {
    const Debugger& debugger = state.debugger;
    const Listing& listing = debugger.session().listing;
    begin_pane(("Host: " + listing.host_name + "###host").c_str(), box);
    if (listing.host.empty())
        ImGui::TextUnformatted("no host code for this program here");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(listing.host.size()));
    const auto current =
        std::ranges::find(listing.host, debugger.cursor().word(), &jit::HostLine::word_index);
    if (state.scroll && current != listing.host.end())
        ImGui::SetScrollY(std::max(0.0F, static_cast<float>(current - listing.host.begin()) *
                                                 ImGui::GetTextLineHeightWithSpacing() -
                                             box.height * 0.35F));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const jit::HostLine& line = listing.host[static_cast<size_t>(i)];
            const bool known = line.word_index != jit::kPrologueWord;
            Row row{numbered("%5x ", line.offset, line.text)};
            row.line = known ? debugger.line_of(line.word_index) : 0;
            row.current = line.word_index == debugger.cursor().word();
            const bool scroll = std::exchange(state.scroll, false);
            draw_row(state, row, i);
            state.scroll = scroll;
        }
    }
    ImGui::End();
}

}  // namespace valkyr::debug::panes
