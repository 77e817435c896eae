// ImGui window: opens an SDL2 window for Dear ImGui, or draws one without a display.
// SPDX-License-Identifier: MIT
//
//     VALKYR_TRY(window, ImGuiWindow::create("Title", {.width = 640, .height = 480}));
//     while (window->begin_frame()) {
//         SDL_RenderCopy(window->renderer(), picture, nullptr, nullptr);  // below the panes
//         ImGui::Begin("Pane");
//         ImGui::End();
//         window->end_frame();
//     }
#pragma once

#include "base/result.hpp"
#include "examples/image_io.hpp"

#include <SDL.h>
#include <functional>
#include <memory>

struct ImDrawData;
struct ImGuiContext;

namespace valkyr::app {

struct ImGuiWindowOptions {
    int width = 640;  ///< pixels
    int height = 480;
    bool offscreen = false;  ///< no display is used; frames are drawn by SDL's software renderer
    bool vsync = true;
    /// Scale of the text, relative to ImGui's default of 13 pixels.
    float text_scale = 1;
};

/// One window, its renderer and its ImGui context; at most one exists at a time.
class ImGuiWindow {
public:
    /// errors  System: SDL finds no display, window or renderer; the text says what SDL said
    static Result<std::unique_ptr<ImGuiWindow>> create(const char* title,
                                                       const ImGuiWindowOptions& options);
    ImGuiWindow() = default;
    ImGuiWindow(const ImGuiWindow&) = delete;
    ImGuiWindow& operator=(const ImGuiWindow&) = delete;
    ~ImGuiWindow();

    /// Called for every SDL event, after ImGui has handled it. ImGui::GetIO().WantCaptureKeyboard
    /// and WantCaptureMouse tell whether a pane uses it.
    std::function<void(const SDL_Event&)> on_event;

    /// Handles pending events, clears to black and begins a frame of ImGui; false, without a new
    /// frame, if the window was closed.
    bool begin_frame();
    /// Draws ImGui's panes and shows the frame. With `picture`, copies the frame there first.
    /// errors  System: the picture cannot be read back
    Result<void> end_frame(examples::Image* picture = nullptr);

    [[nodiscard]] SDL_Window* window() const { return window_; }
    [[nodiscard]] SDL_Renderer* renderer() const { return renderer_; }
    /// Makes the next begin_frame() return false.
    void close() { closed_ = true; }

private:
    Result<void> open(const char* title, const ImGuiWindowOptions& options);
    Result<void> create_font_texture();
    void draw(const ImDrawData& data);
    Result<void> read_back(examples::Image& picture);

    SDL_Window* window_ = nullptr;
    SDL_Renderer* renderer_ = nullptr;
    SDL_Texture* font_ = nullptr;
    ImGuiContext* context_ = nullptr;
    bool initialised_ = false;
    bool backend_ = false;
    bool closed_ = false;
};

}  // namespace valkyr::app
