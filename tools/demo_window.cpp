// A scene with its device and targets, and the SDL window that shows it.
// SPDX-License-Identifier: MIT
#include "demo_window.hpp"

#include <SDL.h>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

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
        return fit(width, height);
    }

    /// A texture for pictures of this size.
    Result<void> fit(int width, int height) {
        if (texture != nullptr)
            SDL_DestroyTexture(texture);
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
    bool save = false;
    bool changed = false;  ///< the settings: everything is made anew
};

constexpr std::string_view kKeys = "Space  stop and go on        N  next scene\n"
                                   "E      recompiled code or interpreter\n"
                                   "T      one thread more, or one again\n"
                                   "S      save the picture as SCENE.png\n"
                                   "H      these keys\n"
                                   "Q, Esc quit\n";

/// The scene after this one, the first after the last.
const examples::SceneInfo* next_scene(const examples::SceneInfo* scene) {
    const auto all = examples::scenes();
    return scene == &all.back() ? &all.front() : scene + 1;
}

void press_key(SDL_Keycode key, DemoSettings& settings, Input& input) {
    constexpr unsigned kMostThreads = 8;
    switch (key) {
    case SDLK_ESCAPE:
    case SDLK_q: input.quit = true; break;
    case SDLK_SPACE: input.paused = !input.paused; break;
    case SDLK_s: input.save = true; break;
    case SDLK_h: std::fwrite(kKeys.data(), 1, kKeys.size(), stdout); break;
    case SDLK_n:
        settings.scene = next_scene(settings.scene);
        input.changed = true;
        break;
    case SDLK_e:
        settings.device.engine = settings.device.engine == raster::Engine::Jit
                                     ? raster::Engine::Valhall
                                     : raster::Engine::Jit;
        input.changed = true;
        break;
    case SDLK_t:
        settings.device.threads = settings.device.threads % kMostThreads + 1;
        input.changed = true;
        break;
    default: break;
    }
}

void poll_events(DemoSettings& settings, Input& input) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        if (event.type == SDL_QUIT)
            input.quit = true;
        if (event.type == SDL_KEYDOWN)
            press_key(event.key.keysym.sym, settings, input);
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED) {
            settings.width = static_cast<uint32_t>(std::clamp(event.window.data1, 1, 8192));
            settings.height = static_cast<uint32_t>(std::clamp(event.window.data2, 1, 8192));
            input.changed = true;
        }
    }
}

/// Shows frames a second in the title, twice a second.
class Title {
public:
    void frame(SDL_Window* window, const DemoSettings& settings) {
        frames_++;
        const uint32_t now = SDL_GetTicks();
        if (now - since_ < 500)
            return;
        const std::string threads =
            settings.device.threads == 0 ? "all" : std::to_string(settings.device.threads);
        const std::string text =
            "Valkyr: " + std::string(settings.scene->name) + ", " +
            std::to_string(frames_ * 1000 / (now - since_)) + " fps, " +
            (settings.device.engine == raster::Engine::Jit ? "jit" : "valhall") +
            ", threads: " + threads + " (H: keys)";
        SDL_SetWindowTitle(window, text.c_str());
        since_ = now;
        frames_ = 0;
    }

private:
    uint32_t since_ = SDL_GetTicks();
    uint32_t frames_ = 0;
};

Result<std::unique_ptr<DemoTarget>> make_target(const DemoSettings& settings) {
    return DemoTarget::create(*settings.scene, settings.device, settings.width, settings.height);
}

}  // namespace

std::string_view window_keys() {
    return kKeys;
}

Result<void> run_window(DemoSettings settings, double seconds_per_frame, uint32_t frames) {
    VALKYR_TRY(target, make_target(settings));
    Window window;
    VALKYR_TRY_VOID(
        window.open(static_cast<int>(settings.width), static_cast<int>(settings.height)));
    Input input;
    Title title;
    double seconds = 0;
    for (uint32_t frame = 0; !input.quit && (frames == 0 || frame < frames); ++frame) {
        if (std::exchange(input.changed, false)) {
            target.reset();  // its workers end before new ones begin
            VALKYR_TRY(made, make_target(settings));
            target = std::move(made);
            VALKYR_TRY_VOID(
                window.fit(static_cast<int>(settings.width), static_cast<int>(settings.height)));
        }
        VALKYR_TRY_VOID(target->render(seconds));
        window.show(target->image());
        title.frame(window.window, settings);
        if (std::exchange(input.save, false)) {
            const std::string path = std::string(settings.scene->name) + ".png";
            VALKYR_TRY_VOID(examples::write_png(path, target->image()));
            std::printf("%s\n", path.c_str());
        }
        poll_events(settings, input);
        if (!input.paused)
            seconds += seconds_per_frame;
    }
    return {};
}

}  // namespace valkyr::tools
