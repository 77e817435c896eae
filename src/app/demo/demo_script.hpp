// Demo script: feeds the window with scripted user events, for tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <SDL.h>
#include <string>
#include <vector>

namespace valkyr::app {

/// A list of steps; each frame plays one. `w`, `Space`, ...: presses a key, by SDL's name;
/// `drag:DX:DY`: moves the mouse with its button down; `wheel:N`: turns the wheel, away from the
/// user if positive; `size:WxH`: resizes the window; `wait`: does nothing.
class DemoScript {
public:
    /// Parses steps with commas between them.
    /// errors  Syntax: names the step
    static Result<DemoScript> parse(const std::string& text);

    /// Pushes the events of the frame's step, if it has one, to SDL.
    void play(size_t frame, SDL_Window* window) const;
    [[nodiscard]] size_t size() const { return steps_.size(); }

private:
    struct Step {
        SDL_Event event{};
        int width = 0;  ///< if not 0, the window's new size
        int height = 0;
    };
    static bool parse_step(const std::string& text, Step& step);

    std::vector<Step> steps_;
};

}  // namespace valkyr::app
