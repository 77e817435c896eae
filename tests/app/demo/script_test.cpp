// Script test: checks scripts of the window, names of frames, keys.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_script.hpp"
#include "app/demo/demo_state.hpp"
#include "app/demo/headless.hpp"

#include <doctest/doctest.h>
#include <set>

namespace valkyr::demos {
namespace {

using namespace app;

TEST_CASE("demo script: keys, mouse and sizes; anything else is named") {
    const auto script = DemoScript::parse("w,Space,drag:-30:12,wheel:-2,size:320x200,wait");
    REQUIRE(script.has_value());
    CHECK(script->size() == 6);
    CHECK(DemoScript::parse("")->size() == 0);
    for (const char* bad : {"nokey", "drag:1", "size:0x5", "w,,e", "wheel:x", "drag:1:2:3"}) {
        const auto result = DemoScript::parse(bad);
        REQUIRE_FALSE_MESSAGE(result.has_value(), bad);
        CHECK(result.error().code == Errc::Syntax);
    }
}

TEST_CASE("frame path: one directive becomes the frame's number") {
    CHECK(frame_path("a.png", 7) == "a.png");
    CHECK(frame_path("a_%d.png", 7) == "a_7.png");
    CHECK(frame_path("a_%03d.png", 7) == "a_007.png");
    CHECK(frame_path("a_%03d.png", 12345) == "a_12345.png");
    CHECK(frame_path("%4d", 7) == "   7");
    CHECK(frame_path("100%.png", 7) == "100%.png");
    CHECK(frame_path("%s%n%d", 7) == "%s%n7");
    CHECK(frame_path("%99999999999d", 7).size() == 20);
}

/// The state after a key.
DemoState pressed(DemoState state, SDL_Keycode key) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.keysym.sym = key;
    handle_event(state, event);
    return state;
}

TEST_CASE("demo keys: each changes what its help says") {
    DemoState state;
    for (const auto& info : examples::scenes())
        state.exhibits.push_back(exhibit_of(info));
    CHECK(pressed(state, SDLK_h).help);
    CHECK_FALSE(pressed(state, SDLK_i).figures);
    CHECK(pressed(state, SDLK_SPACE).paused);
    CHECK(pressed(state, SDLK_s).save);
    CHECK(pressed(state, SDLK_q).quit);
    CHECK(pressed(state, SDLK_ESCAPE).quit);
    CHECK(pressed(state, SDLK_w).mode.overrides.wireframe);
    CHECK(pressed(state, SDLK_o).mode.overrides.overdraw);
    CHECK(pressed(state, SDLK_g).mode.tiles);
    CHECK(pressed(state, SDLK_e).mode.device.engine == raster::Engine::Valhall);
    CHECK(pressed(state, SDLK_t).mode.device.threads == 1);
    CHECK(pressed(state, SDLK_m).mode.samples == 2);
    CHECK(pressed(state, SDLK_n).current == 1);
    CHECK(pressed(state, SDLK_p).current == state.exhibits.size() - 1);
    CHECK(pressed(state, SDLK_n).changed);
    CHECK_FALSE(pressed(state, SDLK_x).changed);
    // The key goes through all host levels of this machine and back to the first one.
    std::set<raster::Host> hosts;
    for (DemoState now = state; hosts.insert(now.mode.device.host).second;)
        now = pressed(now, SDLK_l);
    CHECK(hosts.size() >= 2);
}

TEST_CASE("demo keys: no two are alike, and the help has them all") {
    std::set<SDL_Keycode> codes;
    const std::string text = demo_keys_text();
    for (const DemoKey& key : demo_keys()) {
        CHECK(codes.insert(key.code).second);
        CHECK(text.find(std::string(key.help)) != std::string::npos);
    }
}

TEST_CASE("demo mouse: dragging turns, the wheel moves, R goes back") {
    DemoState state;
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.xrel = 100;
    event.motion.yrel = -100000;
    handle_event(state, event);
    CHECK(state.view.yaw == 0);  // no button
    event.motion.state = SDL_BUTTON_LMASK;
    handle_event(state, event);
    CHECK(state.view.yaw == doctest::Approx(0.8));
    CHECK(state.view.pitch == -1.6);
    event = {};
    event.type = SDL_MOUSEWHEEL;
    event.wheel.y = 1;
    handle_event(state, event);
    CHECK(state.view.zoom == doctest::Approx(0.9));
    event.wheel.y = -1000;
    handle_event(state, event);
    CHECK(state.view.zoom == 5);
    CHECK(pressed(state, SDLK_r).view.zoom == 1);
}

}  // namespace
}  // namespace valkyr::demos
