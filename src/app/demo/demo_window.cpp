// Demo window: shows exhibits.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_window.hpp"

#include "app/demo/demo_panes.hpp"
#include "app/demo/headless.hpp"
#include "app/ui/imgui_window.hpp"

#include <cstdio>
#include <utility>

namespace valkyr::app {

namespace {

class DemoWindow {
public:
    DemoWindow(DemoState state, const WindowOptions& options)
        : state_(std::move(state))
        , options_(options) {}
    DemoWindow(const DemoWindow&) = delete;
    DemoWindow& operator=(const DemoWindow&) = delete;
    ~DemoWindow() {
        if (texture_ != nullptr)
            SDL_DestroyTexture(texture_);
    }

    Result<void> run() {
        VALKYR_TRY_VOID(open());
        VALKYR_TRY_VOID(remake());
        for (uint32_t frame = 0; options_.frames == 0 || frame < options_.frames; ++frame) {
            options_.script.play(frame, window_->window());
            const bool more = window_->begin_frame();
            if (!more || state_.quit)
                break;
            VALKYR_TRY_VOID(show_frame(frame + 1 == options_.frames));
        }
        return {};
    }

private:
    Result<void> open() {
        ImGuiWindowOptions window;
        window.width = static_cast<int>(state_.mode.width);
        window.height = static_cast<int>(state_.mode.height);
        auto opened = ImGuiWindow::create("Valkyr", window);
        if (!opened.has_value())
            return Error{Errc::System,
                         {},
                         opened.error().text + " (without a display, use --headless -o FILE.png)"};
        window_ = std::move(*opened);
        window_->on_event = [this](const SDL_Event& event) { handle_event(state_, event); };
        return {};
    }

    /// Creates device, scene and targets from the settings, and a texture for the pictures.
    Result<void> remake() {
        target_.reset();  // ends the old workers before new ones start
        VALKYR_TRY(made, DemoTarget::create(state_.exhibit(), state_.mode));
        target_ = std::move(made);
        figures_.samples = target_->samples();
        figures_.shaders = target_->shaders();
        figures_.message.clear();
        since_ = 0;
        if (texture_ != nullptr)
            SDL_DestroyTexture(texture_);
        texture_ = SDL_CreateTexture(
            window_->renderer(), SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
            static_cast<int>(state_.mode.width), static_cast<int>(state_.mode.height));
        if (texture_ == nullptr)
            return Error{Errc::System, {}, std::string("no texture: ") + SDL_GetError()};
        SDL_SetWindowTitle(window_->window(), ("Valkyr: " + state_.exhibit().title).c_str());
        return {};
    }

    Result<void> show_frame(bool last) {
        if (std::exchange(state_.changed, false))
            VALKYR_TRY_VOID(remake());
        VALKYR_TRY_VOID(target_->render(state_.seconds, state_.view));
        const examples::Image& image = target_->image();
        SDL_UpdateTexture(texture_, nullptr, image.rgba.data(), static_cast<int>(image.width * 4));
        SDL_RenderCopy(window_->renderer(), texture_, nullptr, nullptr);
        count_frame();
        if (std::exchange(state_.save, false))
            VALKYR_TRY_VOID(save());
        draw_panes(state_, figures_);
        if (!state_.paused)
            state_.seconds += kSecondsPerFrame;
        if (!last || options_.screenshot.empty())
            return window_->end_frame();
        examples::Image shown;
        VALKYR_TRY_VOID(window_->end_frame(&shown));
        return examples::write_image(options_.screenshot, shown);
    }

    /// The shown figures change only twice a second, so that the user can read them.
    void count_frame() {
        frames_++;
        const uint64_t now = raster::timeline_clock_ns();
        if (since_ == 0) {
            since_ = now;
            frames_ = 0;
            figures_.frame = target_->figures();
            figures_.frames_per_second = 1000 / figures_.frame.frame_ms;
        }
        const double seconds = static_cast<double>(now - since_) * 1e-9;
        if (seconds < 0.5)
            return;
        figures_.frames_per_second = frames_ / seconds;
        figures_.frame = target_->figures();
        since_ = now;
        frames_ = 0;
    }

    Result<void> save() {
        const std::string path = state_.exhibit().name + ".png";
        VALKYR_TRY_VOID(examples::write_image(path, target_->image()));
        std::printf("%s\n", path.c_str());
        figures_.message = "saved as " + path;
        return {};
    }

    DemoState state_;
    const WindowOptions& options_;
    std::unique_ptr<ImGuiWindow> window_;
    SDL_Texture* texture_ = nullptr;  // destroyed before the window
    std::unique_ptr<DemoTarget> target_;
    PaneFigures figures_;
    uint64_t since_ = 0;  ///< of the figures shown, ns; 0: none yet
    uint32_t frames_ = 0;
};

}  // namespace

Result<void> run_window(DemoState state, const WindowOptions& options) {
    return DemoWindow(std::move(state), options).run();
}

}  // namespace valkyr::app
