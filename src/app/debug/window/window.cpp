// The window front end: its frame, keys, timeline.
// SPDX-License-Identifier: MIT
#include "app/debug/window/window.hpp"

#include "app/debug/console/layout.hpp"
#include "app/debug/window/window_panes.hpp"
#include "app/ui/imgui_window.hpp"

namespace valkyr::debug {

namespace {

constexpr const char* kKeys = "F11          one instruction        Shift+F11   back\n"
                              "F10          next line of the text  Shift+F10   block before\n"
                              "F9           rest of the block      F8          other lanes run\n"
                              "F5           next breakpoint        Shift+F5    last breakpoint\n"
                              "Home, End    start and end of the run\n"
                              "click left of a line: breakpoint; double click: run to it\n"
                              "F1           these keys             Ctrl+Q      quit";

void press(Debugger& debugger, SDL_Keycode key, bool shift) {
    switch (key) {
    case SDLK_F11: debugger.step(1, shift); break;
    case SDLK_F10:
        if (shift)
            debugger.step_block(true);
        else
            debugger.step_line();
        break;
    case SDLK_F9: debugger.step_block(shift); break;
    case SDLK_F8: debugger.next_divergence(shift); break;
    case SDLK_F5: debugger.resume(shift); break;
    case SDLK_HOME: debugger.move_to(0); break;
    case SDLK_END: debugger.move_to(debugger.recording().steps().size()); break;
    default: break;
    }
}

struct Button {
    const char* name;
    SDL_Keycode key;
    bool shift;
};
constexpr Button kButtons[] = {
    {"|<", SDLK_HOME, false},    {"< continue", SDLK_F5, true}, {"< block", SDLK_F9, true},
    {"< step", SDLK_F11, true},  {"step >", SDLK_F11, false},   {"line >", SDLK_F10, false},
    {"block >", SDLK_F9, false}, {"lanes >", SDLK_F8, false},   {"continue >", SDLK_F5, false},
    {">|", SDLK_END, false},
};

void toolbar(panes::State& state, const panes::Box& box) {
    Debugger& debugger = state.debugger;
    panes::begin_pane((debugger.session().title + "###bar").c_str(), box);
    for (const Button& button : kButtons) {
        if (ImGui::Button(button.name))
            press(debugger, button.key, button.shift);
        ImGui::SameLine();
    }
    auto position = static_cast<int>(debugger.cursor().position());
    const auto steps = static_cast<int>(debugger.recording().steps().size());
    ImGui::SetNextItemWidth(-60);
    if (ImGui::SliderInt("##time", &position, 0, steps, "step %d"))
        debugger.move_to(static_cast<size_t>(std::max(position, 0)));
    ImGui::SameLine();
    if (ImGui::Button("keys"))
        state.keys_shown = !state.keys_shown;
    std::string place = place_line(debugger);
    place.resize(place.find('\n'));
    panes::colored_text(panes::kCurrentText, place);
    if (state.keys_shown)
        ImGui::SetTooltip("%s", kKeys);
    ImGui::End();
}

void draw_panes(panes::State& state, float width, float height) {
    constexpr float kBar = 78;
    const float top = (height - kBar) * 0.56F;
    const float low = kBar + top;
    const float rest = height - low;
    state.scroll = state.shown_position != state.debugger.cursor().position();
    state.shown_position = state.debugger.cursor().position();
    state.next_hovered = 0;
    toolbar(state, {0, 0, width, kBar});
    // GLSL takes a quarter if it is known.
    const float left = state.debugger.session().listing.glsl.is_known() ? width * 0.25F : 0.0F;
    const float room = width - left;
    if (left > 0)
        panes::glsl_pane(state, {0, kBar, left, top});
    panes::source_pane(state, {left, kBar, room * 0.3F, top});
    panes::words_pane(state, {left + room * 0.3F, kBar, room * 0.36F, top});
    panes::host_pane(state, {left + room * 0.66F, kBar, room * 0.34F, top});
    panes::lanes_pane(state, {0, low, width * 0.2F, rest});
    panes::values_pane(state, {width * 0.2F, low, width * 0.42F, rest});
    panes::details_pane(state, {width * 0.62F, low, width * 0.38F, rest});
    state.hovered_line = state.next_hovered;
}

/// The watches that the window shows if --watch names none.
std::vector<Watch> default_watches(const Debugger& debugger) {
    std::vector<Watch> watches;
    for (const char* name : {"TEMP[0]", "OUT[0]"})
        if (auto watch = parse_watch(name, *debugger.session().shader))
            watches.push_back(std::move(*watch));
    return watches;
}

}  // namespace

Result<void> run_window(Debugger& debugger, const WindowRequest& request) {
    const bool offscreen = !request.screenshot.empty();
    VALKYR_TRY(window, app::ImGuiWindow::create("Valkyr debugger", {.width = request.width,
                                                                    .height = request.height,
                                                                    .offscreen = offscreen}));
    panes::State state(debugger, request.watches);
    if (state.watches.empty())
        state.watches = default_watches(debugger);
    state.lane = debugger.session().lane;
    window->on_event = [&](const SDL_Event& event) {
        if (event.type != SDL_KEYDOWN)
            return;
        const SDL_Keymod mods = SDL_GetModState();
        if (event.key.keysym.sym == SDLK_q && (mods & KMOD_CTRL) != 0)
            window->close();
        else if (event.key.keysym.sym == SDLK_F1)
            state.keys_shown = !state.keys_shown;
        else if (!ImGui::GetIO().WantTextInput)
            press(debugger, event.key.keysym.sym, (mods & KMOD_SHIFT) != 0);
    };
    constexpr int kFramesToSettle = 4;  // scrolling takes effect in the next frame
    for (int frame = 1; window->begin_frame(); ++frame) {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        draw_panes(state, size.x, size.y);
        examples::Image picture;
        const bool last = offscreen && frame == kFramesToSettle;
        VALKYR_TRY_VOID(window->end_frame(last ? &picture : nullptr));
        if (last)
            return examples::write_image(request.screenshot, picture);
    }
    return {};
}

}  // namespace valkyr::debug
