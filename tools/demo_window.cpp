// A scene with its device and targets, and the SDL window that shows it.
// SPDX-License-Identifier: MIT
#include "demo_window.hpp"

#include <SDL.h>
#include <string>

namespace valkyr::tools {

Result<std::unique_ptr<DemoTarget>> DemoTarget::create(const examples::SceneInfo& scene,
                                                       const raster::DeviceOptions& options,
                                                       uint32_t width,
                                                       uint32_t height) {
    auto target = std::make_unique<DemoTarget>();
    VALKYR_TRY(device, raster::Device::create(options));
    target->device_ = std::move(device);

    raster::TextureDesc desc;
    desc.width = width;
    desc.height = height;
    desc.render_target = true;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    VALKYR_TRY(color, target->device_->create_texture(desc));
    desc.format = raster::Format::D32_FLOAT;
    VALKYR_TRY(depth, target->device_->create_texture(desc));
    target->framebuffer_.color = {{color}};
    target->framebuffer_.depth_stencil = {depth};
    target->image_ = {width, height, std::vector<uint8_t>(size_t{width} * height * 4)};

    VALKYR_TRY(made, scene.create(*target->device_));
    target->scene_ = std::move(made);
    return target;
}

Result<void> DemoTarget::render(double seconds) {
    VALKYR_TRY_VOID(scene_->draw(framebuffer_, image_.width, image_.height, seconds));
    VALKYR_TRY_VOID(device_->finish());
    raster::Box box;
    box.width = image_.width;
    box.height = image_.height;
    return device_->read_texture(framebuffer_.color[0].texture, 0, box,
                                 std::as_writable_bytes(std::span(image_.rgba)),
                                 size_t{image_.width} * 4);
}

namespace {

Error sdl_error(const char* what) {
    return Error{Errc::System, {}, std::string(what) + ": " + SDL_GetError() + " (try --headless)"};
}

/// SDL's objects, destroyed in reverse order.
struct Window {
    SDL_Window* window = nullptr;
    SDL_Renderer* renderer = nullptr;
    SDL_Texture* texture = nullptr;
    bool initialised = false;

    Window() = default;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() {
        if (texture != nullptr)
            SDL_DestroyTexture(texture);
        if (renderer != nullptr)
            SDL_DestroyRenderer(renderer);
        if (window != nullptr)
            SDL_DestroyWindow(window);
        if (initialised)
            SDL_Quit();
    }

    Result<void> open(int width, int height) {
        if (SDL_Init(SDL_INIT_VIDEO) != 0)
            return sdl_error("no display");
        initialised = true;
        window = SDL_CreateWindow("Valkyr", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                  height, SDL_WINDOW_RESIZABLE);
        if (window == nullptr)
            return sdl_error("no window");
        renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
        if (renderer == nullptr)
            renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
        if (renderer == nullptr)
            return sdl_error("no renderer");
        SDL_RenderSetLogicalSize(renderer, width, height);
        texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                    width, height);
        if (texture == nullptr)
            return sdl_error("no texture");
        return {};
    }

    void show(const examples::Image& image) {
        SDL_UpdateTexture(texture, nullptr, image.rgba.data(), static_cast<int>(image.width * 4));
        SDL_RenderClear(renderer);
        SDL_RenderCopy(renderer, texture, nullptr, nullptr);
        SDL_RenderPresent(renderer);
    }
};

struct Input {
    bool quit = false;
    bool paused = false;
};

void poll_events(Input& input) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        if (event.type == SDL_QUIT)
            input.quit = true;
        if (event.type != SDL_KEYDOWN)
            continue;
        const SDL_Keycode key = event.key.keysym.sym;
        input.quit |= key == SDLK_ESCAPE || key == SDLK_q;
        input.paused ^= key == SDLK_SPACE;
    }
}

}  // namespace

Result<void> run_window(DemoTarget& target, double seconds_per_frame, uint32_t frames) {
    Window window;
    VALKYR_TRY_VOID(window.open(static_cast<int>(target.image().width),
                                static_cast<int>(target.image().height)));
    Input input;
    double seconds = 0;
    for (uint32_t frame = 0; !input.quit && (frames == 0 || frame < frames); ++frame) {
        VALKYR_TRY_VOID(target.render(seconds));
        window.show(target.image());
        poll_events(input);
        if (!input.paused)
            seconds += seconds_per_frame;
    }
    return {};
}

}  // namespace valkyr::tools
