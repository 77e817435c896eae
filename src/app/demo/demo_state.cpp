// Demo state: keeps the window's choices and maps keys to them.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_state.hpp"

#include "gpu/create_device.hpp"

#include <algorithm>
#include <thread>

namespace valkyr::app {

namespace {

using raster::Engine;
using raster::Host;

void show(DemoState& state, size_t exhibit) {
    state.current = exhibit % state.exhibits.size();
    state.view = {};
    state.changed = true;
}

/// Goes on to the next thread count: all processors, then 1, 2, 3 ...
void next_thread_count(DemoState& state) {
    const unsigned most = std::clamp(std::thread::hardware_concurrency(), 2U, 64U);
    state.mode.device.threads = (state.mode.device.threads + 1) % (most + 1);
    state.changed = true;
}

void next_engine(DemoState& state) {
    Engine& engine = state.mode.device.engine;
    engine = engine == Engine::Jit ? Engine::Valhall : Engine::Jit;
    state.changed = true;
}

/// Goes on to the next host level that this machine supports.
void next_host(DemoState& state) {
    constexpr Host kHosts[] = {Host::Auto, Host::Avx2, Host::Avx512, Host::Neon};
    const auto now = std::find(std::begin(kHosts), std::end(kHosts), state.mode.device.host);
    raster::DeviceOptions options = state.mode.device;
    options.threads = 1;
    for (ptrdiff_t i = 1; i <= std::ssize(kHosts); i++) {
        options.host = kHosts[(now - std::begin(kHosts) + i) % std::ssize(kHosts)];
        if (gpu::create_device(options).has_value())
            break;
    }
    state.mode.device.host = options.host;
    state.changed = true;
}

void next_sample_count(DemoState& state) {
    constexpr uint32_t kMost = 8;
    const uint32_t now = state.samples();
    state.mode.samples = now >= kMost ? 1 : 2 * now;
    state.changed = true;
}

void toggle(DemoState& state, bool& what) {
    what = !what;
    state.changed = true;
}

constexpr DemoKey kKeys[] = {
    {SDLK_h, "H", "these keys", [](DemoState& s) { s.help = !s.help; }},
    {SDLK_i, "I", "figures on and off", [](DemoState& s) { s.figures = !s.figures; }},
    {SDLK_n, "N", "next scene", [](DemoState& s) { show(s, s.current + 1); }},
    {SDLK_p, "P", "previous scene",
     [](DemoState& s) { show(s, s.current + s.exhibits.size() - 1); }},
    {SDLK_SPACE, "Space", "stop and go on", [](DemoState& s) { s.paused = !s.paused; }},
    {SDLK_r, "R", "the view as it was", [](DemoState& s) { s.view = {}; }},
    {SDLK_w, "W", "wireframe", [](DemoState& s) { toggle(s, s.mode.overrides.wireframe); }},
    {SDLK_o, "O", "overdraw: how many fragments a pixel",
     [](DemoState& s) { toggle(s, s.mode.overrides.overdraw); }},
    {SDLK_g, "G", "tiles, coloured by time", [](DemoState& s) { toggle(s, s.mode.tiles); }},
    {SDLK_m, "M", "samples a pixel: 1, 2, 4, 8", next_sample_count},
    {SDLK_t, "T", "worker threads", next_thread_count},
    {SDLK_e, "E", "recompiled code or interpreter", next_engine},
    {SDLK_l, "L", "level of the recompiled code", next_host},
    {SDLK_s, "S", "save the picture as SCENE.png", [](DemoState& s) { s.save = true; }},
    {SDLK_q, "Q", "quit (or Esc)", [](DemoState& s) { s.quit = true; }},
};

void drag(DemoState& state, const SDL_MouseMotionEvent& motion) {
    constexpr double kRadiansPerPixel = 0.008;
    constexpr double kSteepest = 1.6;
    state.view.yaw += kRadiansPerPixel * motion.xrel;
    state.view.pitch =
        std::clamp(state.view.pitch + kRadiansPerPixel * motion.yrel, -kSteepest, kSteepest);
}

void zoom(DemoState& state, int steps) {
    for (; steps > 0; steps--)
        state.view.zoom *= 0.9;
    for (; steps < 0; steps++)
        state.view.zoom /= 0.9;
    state.view.zoom = std::clamp(state.view.zoom, 0.2, 5.0);
}

void press(DemoState& state, SDL_Keycode code) {
    if (code == SDLK_ESCAPE)
        state.quit = true;
    for (const DemoKey& key : kKeys)
        if (key.code == code)
            key.press(state);
}

}  // namespace

std::span<const DemoKey> demo_keys() {
    return kKeys;
}

std::string demo_keys_text() {
    std::string text;
    for (const DemoKey& key : kKeys) {
        std::string name(key.name);
        name.resize(7, ' ');
        text += name + std::string(key.help) + '\n';
    }
    return text + "drag   turn the view\nwheel  closer and away\n";
}

void handle_event(DemoState& state, const SDL_Event& event) {
    constexpr int kLargest = 8192;
    switch (event.type) {
    case SDL_KEYDOWN: press(state, event.key.keysym.sym); break;
    case SDL_MOUSEMOTION:
        if ((event.motion.state & SDL_BUTTON_LMASK) != 0)
            drag(state, event.motion);
        break;
    case SDL_MOUSEWHEEL: zoom(state, std::clamp(event.wheel.y, -100, 100)); break;
    case SDL_WINDOWEVENT:
        if (event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED) {
            state.mode.width = static_cast<uint32_t>(std::clamp(event.window.data1, 1, kLargest));
            state.mode.height = static_cast<uint32_t>(std::clamp(event.window.data2, 1, kLargest));
            state.changed = true;
        }
        break;
    default: break;
    }
}

}  // namespace valkyr::app
