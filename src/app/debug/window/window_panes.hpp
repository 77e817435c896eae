// Window panes: declare the parts of the debugger's window, for window*.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"

#include <imgui.h>

namespace valkyr::debug::panes {

inline constexpr ImU32 kCurrentText = IM_COL32(255, 216, 77, 255);
inline constexpr ImU32 kRelatedText = IM_COL32(115, 216, 242, 255);
inline constexpr ImU32 kQuietText = IM_COL32(140, 140, 153, 255);
inline constexpr ImU32 kPlainText = IM_COL32(230, 230, 230, 255);

/// State that the panes share from frame to frame.
struct State {
    State(Debugger& shown, std::vector<Watch> names)
        : debugger(shown)
        , watches(std::move(names)) {}

    Debugger& debugger;
    std::vector<Watch> watches;
    NumberFormat format = NumberFormat::Float;
    unsigned lane = 0;  ///< the lane whose messages and registers are shown in full
    size_t shown_position = ~size_t{0};  ///< where the listings were scrolled to
    bool scroll = true;                  ///< scroll the listings to the current place in this frame
    uint32_t hovered_line = 0;           ///< of the text, under the mouse in the last frame
    uint32_t next_hovered = 0;
    std::string message;           ///< result of the last action
    std::array<char, 64> input{};  ///< name of a value to add
    bool keys_shown = false;
};

/// The place and size of a pane in the window.
struct Box {
    float x, y, width, height;
};
void colored_text(ImU32 color, const std::string& text);
void begin_pane(const char* title, const Box& box);

// window_listings.cpp
void glsl_pane(State& state, const Box& box);
void source_pane(State& state, const Box& box);
void words_pane(State& state, const Box& box);
void host_pane(State& state, const Box& box);

// window_values.cpp
void lanes_pane(State& state, const Box& box);
void values_pane(State& state, const Box& box);
void details_pane(State& state, const Box& box);

}  // namespace valkyr::debug::panes
