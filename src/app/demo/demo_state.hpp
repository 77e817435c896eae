// Demo state: keeps the window's choices and maps keys to them.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_target.hpp"

#include <SDL.h>
#include <span>
#include <string_view>
#include <vector>

namespace valkyr::app {

struct DemoState {
    std::vector<Exhibit> exhibits;
    size_t current = 0;
    DrawMode mode;
    examples::View view;
    double seconds = 0;
    bool paused = false;
    bool help = false;
    bool figures = true;
    bool save = false;  ///< saves the picture of this frame
    bool quit = false;
    bool changed = false;  ///< the device and its resources must be created again

    [[nodiscard]] const Exhibit& exhibit() const { return exhibits[current]; }
    /// Samples per pixel of the next target.
    [[nodiscard]] uint32_t samples() const {
        return mode.samples == 0 ? exhibit().samples : mode.samples;
    }
};

struct DemoKey {
    SDL_Keycode code;
    std::string_view name;
    std::string_view help;
    void (*press)(DemoState& state);
};

/// The keys of the window in the order of the help.
std::span<const DemoKey> demo_keys();
/// The keys as text, a line each.
std::string demo_keys_text();

/// Handles keys, dragging (turns the view), the wheel (moves closer or away) and new window sizes.
void handle_event(DemoState& state, const SDL_Event& event);

}  // namespace valkyr::app
