// Demo script: feeds the window with scripted events.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_script.hpp"

#include <algorithm>
#include <cstdio>

namespace valkyr::app {

bool DemoScript::parse_step(const std::string& text, Step& step) {
    char end = 0;
    int x = 0;
    int y = 0;
    if (text == "wait")
        return true;
    if (std::sscanf(text.c_str(), "drag:%6d:%6d%c", &x, &y, &end) == 2) {
        step.event.type = SDL_MOUSEMOTION;
        step.event.motion.state = SDL_BUTTON_LMASK;
        step.event.motion.xrel = x;
        step.event.motion.yrel = y;
        return true;
    }
    if (std::sscanf(text.c_str(), "wheel:%6d%c", &y, &end) == 1) {
        step.event.type = SDL_MOUSEWHEEL;
        step.event.wheel.y = y;
        return true;
    }
    if (std::sscanf(text.c_str(), "size:%5dx%5d%c", &x, &y, &end) == 2 && x > 0 && y > 0) {
        step.width = x;
        step.height = y;
        return true;
    }
    step.event.type = SDL_KEYDOWN;
    step.event.key.state = SDL_PRESSED;
    step.event.key.keysym.sym = SDL_GetKeyFromName(text.c_str());
    return step.event.key.keysym.sym != SDLK_UNKNOWN;
}

Result<DemoScript> DemoScript::parse(const std::string& text) {
    DemoScript script;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        Step step;
        if (!parse_step(word, step))
            return Error{Errc::Syntax,
                         {},
                         "'" + word + "' is not a key, drag:DX:DY, wheel:N, size:WxH or wait"};
        script.steps_.push_back(step);
        begin = end + 1;
    }
    return script;
}

void DemoScript::play(size_t frame, SDL_Window* window) const {
    if (frame >= steps_.size())
        return;
    const Step& step = steps_[frame];
    if (step.width > 0)
        SDL_SetWindowSize(window, step.width, step.height);
    SDL_Event event = step.event;
    if (event.type == 0)
        return;
    SDL_PushEvent(&event);
}

}  // namespace valkyr::app
