// Events by script: what a user would do, for tests of the window.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <SDL.h>
#include <string>
#include <vector>

namespace valkyr::app {

/// One step a frame. `w`, `Space`, ...: a key by SDL's name; `drag:DX:DY`: the mouse moves with its
/// button down; `wheel:N`: turns away from the user if positive; `size:WxH`: the window's size;
/// `wait`: nothing.
class DemoScript {
public:
    /// Steps with commas between them. errors  Syntax: names the step
    static Result<DemoScript> parse(const std::string& text);

    /// Makes SDL report the events of that frame, if it has a step.
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
