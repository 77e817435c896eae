// The panes of the debugger's window: lanes, values by name, messages, checks.
// SPDX-License-Identifier: MIT
#include "app/debug/console/console.hpp"
#include "app/debug/console/picture.hpp"
#include "app/debug/window/window_panes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::debug::panes {

namespace {

constexpr float kCell = 34;

ImU32 lane_color(char state) {
    switch (state) {
    case '#': return IM_COL32(70, 150, 70, 255);
    case 'h': return IM_COL32(150, 130, 50, 255);
    case 'o': return IM_COL32(60, 80, 130, 255);
    case 'w': return IM_COL32(80, 70, 60, 255);
    case 'b': return IM_COL32(120, 60, 110, 255);
    default: return IM_COL32(45, 45, 50, 255);
    }
}

ImU32 swatch_color(const Message& message, unsigned lane) {
    std::array<float, 3> rgb{};
    for (size_t c = 0; c < 3 && c < message.in.size(); ++c) {
        const auto value = std::bit_cast<float>(message.in[c].v[lane]);
        rgb[c] = value > 0 ? std::min(value, 1.0F) : 0.0F;
    }
    return ImGui::ColorConvertFloat4ToU32({rgb[0], rgb[1], rgb[2], 1});
}

/// Draws 16 cells; those of a fragment warp lie as its pixels do in the window. A click selects a
/// lane.
void lane_cells(State& state, const std::function<ImU32(unsigned lane)>& color, const char* name) {
    const bool block = state.debugger.session().warp->stage() == exec::Stage::Fragment;
    const unsigned columns = block ? 4 : 8;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    ImGui::PushID(name);
    for (unsigned i = 0; i < exec::kLanes; ++i) {
        const unsigned x = i % columns;
        const unsigned y = i / columns;
        const unsigned lane = block ? exec::lane_at(x, y) : i;
        const ImVec2 low{origin.x + kCell * static_cast<float>(x),
                         origin.y + kCell * static_cast<float>(y)};
        const ImVec2 high{low.x + kCell - 2, low.y + kCell - 2};
        ImGui::SetCursorScreenPos(low);
        ImGui::PushID(static_cast<int>(lane));
        if (ImGui::InvisibleButton("lane", {kCell - 2, kCell - 2}))
            state.lane = lane;
        ImGui::PopID();
        draw.AddRectFilled(low, high, color(lane), 3);
        if (lane == state.lane)
            draw.AddRect(low, high, IM_COL32(255, 215, 80, 255), 3, 0, 2);
        draw.AddText({low.x + 4, low.y + 3}, IM_COL32(255, 255, 255, 200),
                     std::to_string(lane).c_str());
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(
        {origin.x, origin.y + kCell * static_cast<float>(exec::kLanes / columns) + 4});
}

/// The last BLEND up to the cursor, or null.
const Message* last_blend(const Debugger& debugger) {
    const Message* last = nullptr;
    for (const Message& message : debugger.recording().messages())
        if (message.kind == MessageKind::Blend && message.step < debugger.cursor().position())
            last = &message;
    return last;
}

void add_watch(State& state) {
    const bool entered = ImGui::InputText("##name", state.input.data(), state.input.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    if (!ImGui::Button("Add") && !entered)
        return;
    const auto watch = parse_watch(state.input.data(), *state.debugger.session().shader);
    if (watch)
        state.watches.push_back(*watch);
    state.message = watch ? "" : watch.error().text;
    state.input[0] = '\0';
}

void choose_format(State& state) {
    constexpr std::pair<const char*, NumberFormat> kFormats[] = {
        {"float", NumberFormat::Float}, {"int", NumberFormat::Signed}, {"hex", NumberFormat::Hex}};
    for (const auto& [name, format] : kFormats) {
        ImGui::SameLine();
        if (ImGui::RadioButton(name, state.format == format))
            state.format = format;
    }
}

std::string column_title(const Watch& watch, uint8_t component) {
    if (watch.kind != Watch::Kind::Tgsi)
        return watch.text;
    return watch.text.substr(0, watch.text.find('.')) + "." + "xyzw"[component & 3];
}

struct ValueColumn {
    std::string title;
    WatchValue value;
    size_t watch;
};

std::vector<ValueColumn> value_columns(const State& state) {
    constexpr size_t kMost = 60;  // ImGui allows 64 columns
    std::vector<ValueColumn> columns;
    for (size_t w = 0; w < state.watches.size(); ++w)
        for (const uint8_t component : state.watches[w].components)
            if (columns.size() < kMost)
                columns.push_back({column_title(state.watches[w], component),
                                   read_watch(state.debugger.view(), state.watches[w], component),
                                   w});
    return columns;
}

void value_rows(State& state, const std::vector<ValueColumn>& columns) {
    const valhall::WarpState& warp = state.debugger.state();
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const bool runs = (warp.running >> lane & 1) != 0;
        const std::string name = lane_name(state.debugger, lane).substr(5);
        if (ImGui::Selectable(name.c_str(), lane == state.lane,
                              ImGuiSelectableFlags_SpanAllColumns))
            state.lane = lane;
        for (const ValueColumn& column : columns) {
            ImGui::TableNextColumn();
            const bool known = (column.value.known >> lane & 1) != 0;
            const std::string text =
                known ? format_number(column.value.lanes.v[lane], state.format) : "-";
            colored_text(runs && known ? kPlainText : kQuietText, text);
        }
    }
}

void values_table(State& state) {
    const std::vector<ValueColumn> columns = value_columns(state);
    if (columns.empty()) {
        colored_text(kQuietText, "add values by name: TEMP[0].xyz, IN[0], CONST[3], r12");
        return;
    }
    const ImGuiTableFlags flags = ImGuiTableFlags_Borders | ImGuiTableFlags_RowBg |
                                  ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                  ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("values", static_cast<int>(columns.size()) + 1, flags))
        return;
    ImGui::TableSetupScrollFreeze(1, 2);
    ImGui::TableSetupColumn("lane");
    for (const ValueColumn& column : columns)
        ImGui::TableSetupColumn(column.title.c_str());
    ImGui::TableHeadersRow();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    colored_text(kQuietText, "in");
    for (const ValueColumn& column : columns) {
        ImGui::TableNextColumn();
        colored_text(kRelatedText, column.value.place);
    }
    value_rows(state, columns);
    ImGui::EndTable();
}

void watch_list(State& state) {
    for (size_t w = 0; w < state.watches.size(); ++w) {
        ImGui::PushID(static_cast<int>(w));
        const bool removed = ImGui::SmallButton((state.watches[w].text + " x").c_str());
        ImGui::PopID();
        ImGui::SameLine();
        if (removed) {
            state.watches.erase(state.watches.begin() + static_cast<ptrdiff_t>(w));
            break;
        }
    }
    ImGui::NewLine();
}

void texture_line(const State& state, const Message& message) {
    const auto number = [&](const exec::Lanes& lanes) {
        return format_number(lanes.v[state.lane], NumberFormat::Float);
    };
    std::string text = "step " + std::to_string(message.step) + ": texture " +
                       std::to_string(message.unit) + "  (";
    for (size_t i = 0; i < message.in.size(); ++i)
        text += (i != 0 ? ", " : "") + number(message.in[i]);
    text += ")  ->  (";
    std::array<float, 4> color{0, 0, 0, 1};
    for (size_t i = 0; i < message.out.size(); ++i) {
        text += (i != 0 ? ", " : "") + number(message.out[i]);
        if (i < 4)
            color[i] = std::bit_cast<float>(message.out[i].v[state.lane]);
    }
    ImGui::ColorButton("##result", {color[0], color[1], color[2], 1}, 0, {14, 14});
    ImGui::SameLine();
    ImGui::TextUnformatted((text + ")").c_str());
}

void texture_tab(const State& state) {
    colored_text(kQuietText, "coordinates and results of lane " + std::to_string(state.lane));
    const size_t position = state.debugger.cursor().position();
    bool any = false;
    for (const Message& message : state.debugger.recording().messages()) {
        if (message.kind != MessageKind::Texture || message.step >= position)
            continue;
        ImGui::PushID(&message);
        texture_line(state, message);
        ImGui::PopID();
        any = true;
    }
    if (!any)
        ImGui::TextUnformatted("no texture read up to here");
}

void text_tab(const std::string& text) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

/// Sets a breakpoint at barriers, or deletes the one that is there.
void toggle_barriers(Debugger& debugger) {
    for (const Breakpoint& breakpoint : debugger.breakpoints()) {
        if (breakpoint.kind == Breakpoint::Kind::Barrier) {
            debugger.remove_breakpoint(breakpoint.number);
            return;
        }
    }
    (void)debugger.add_barrier_breakpoint();
}

/// A line for each warp of the work-group; a click shows its lanes and values.
void warps_tab(State& state) {
    Debugger& debugger = state.debugger;
    if (ImGui::Button("break at barriers"))
        toggle_barriers(debugger);
    const std::string text = info_warps(debugger);
    size_t begin = 0;
    for (uint32_t warp = 0; warp < debugger.recording().warps(); ++warp) {
        const size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin) + "##" + std::to_string(warp);
        if (ImGui::Selectable(line.c_str(), warp == debugger.warp()))
            (void)debugger.show_warp(warp);
        begin = end + 1;
    }
}

void memory_tab(const State& state) {
    for (uint32_t region = 0; region < state.debugger.recording().regions().size(); ++region)
        text_tab(memory_text(
            state.debugger, region,
            {state.format == NumberFormat::Float ? NumberFormat::Float : NumberFormat::Hex, 0,
             std::nullopt}));
}

/// Runs a comparison when its button is pressed.
void check_tab(State& state) {
    const WarpCase& warp = *state.debugger.session().warp;
    if (ImGui::Button("Check against recompiled code")) {
        state.message.clear();
        const auto lines = check(warp, state.debugger.recording(), host_engines());
        if (!lines)
            state.message = lines.error().text;
        else
            for (const CheckLine& line : *lines)
                state.message += check_text(line);
    }
    ImGui::SameLine();
    if (ImGui::Button("Word by word")) {
        state.message.clear();
        for (const HostEngine& engine : host_engines()) {
            const auto report = compare_lockstep(warp, engine);
            state.message +=
                report ? lockstep_text(engine, *report, state.debugger.session().listing.words)
                       : report.error().text + "\n";
        }
    }
    text_tab(state.message);
}

}  // namespace

void lanes_pane(State& state, const Box& box) {
    begin_pane("Lanes", box);
    lane_cells(
        state, [&](unsigned lane) { return lane_color(lane_state(state.debugger.state(), lane)); },
        "state");
    colored_text(lane_color('#'), "runs");
    ImGui::SameLine();
    colored_text(lane_color('h'), "helper");
    ImGui::SameLine();
    colored_text(lane_color('o'), "waits");
    ImGui::SameLine();
    if (state.debugger.session().warp->work_group) {
        colored_text(lane_color('b'), "at a barrier");
        ImGui::SameLine();
    }
    colored_text(kQuietText, "ended");
    if (const Message* blend = last_blend(state.debugger)) {
        ImGui::Spacing();
        ImGui::Text("sent by BLEND to target %u", blend->unit);
        lane_cells(
            state,
            [&](unsigned lane) {
                return (blend->lanes >> lane & 1) != 0 ? swatch_color(*blend, lane)
                                                       : lane_color('.');
            },
            "colour");
    }
    ImGui::End();
}

void values_pane(State& state, const Box& box) {
    begin_pane("Values", box);
    ImGui::SetNextItemWidth(160);
    add_watch(state);
    choose_format(state);
    watch_list(state);
    values_table(state);
    ImGui::End();
}

void details_pane(State& state, const Box& box) {
    constexpr MessageKind kCoverage[] = {MessageKind::EarlyZs, MessageKind::Atest,
                                         MessageKind::ZsEmit, MessageKind::Blend};
    constexpr MessageKind kMemory[] = {MessageKind::Store, MessageKind::ImageStore,
                                       MessageKind::TileStore};
    begin_pane("Details", box);
    const Debugger& debugger = state.debugger;
    std::vector<std::pair<const char*, std::function<void()>>> tabs;
    if (debugger.session().warp->work_group)
        tabs = {{"Warps", [&] { warps_tab(state); }}, {"Group memory", [&] { memory_tab(state); }}};
    const std::pair<const char*, std::function<void()>> others[] = {
        {"Textures", [&] { texture_tab(state); }},
        {"Coverage", [&] { text_tab(info_messages(debugger, kCoverage)); }},
        {"Registers", [&] { text_tab(info_registers(debugger)); }},
        {"Uniforms", [&] { text_tab(info_uniforms(debugger)); }},
        {"Memory", [&] { text_tab(info_messages(debugger, kMemory)); }},
        {"Check", [&] { check_tab(state); }},
    };
    tabs.insert(tabs.end(), std::begin(others), std::end(others));
    if (ImGui::BeginTabBar("tabs")) {
        for (const auto& [name, show] : tabs) {
            if (!ImGui::BeginTabItem(name))
                continue;
            show();
            ImGui::EndTabItem();
        }
        ImGui::EndTabBar();
    }
    ImGui::End();
}

}  // namespace valkyr::debug::panes
