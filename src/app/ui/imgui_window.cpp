// ImGui window: opens an SDL2 window for Dear ImGui, or draws one without a display.
// SPDX-License-Identifier: MIT
//
// Debian's libimgui has the SDL2 platform backend but no SDL_Renderer backend; draw() replaces it.
#include "app/ui/imgui_window.hpp"

#include <backends/imgui_impl_sdl.h>
#include <cstddef>
#include <imgui.h>
#include <string>
#include <string_view>

namespace valkyr::app {

namespace {

Error window_error(const char* what) {
    return Error{Errc::System, {}, std::string(what) + ": " + SDL_GetError()};
}

}  // namespace

ImGuiWindow::~ImGuiWindow() {
    if (backend_)
        ImGui_ImplSDL2_Shutdown();
    if (context_ != nullptr)
        ImGui::DestroyContext(context_);
    if (font_ != nullptr)
        SDL_DestroyTexture(font_);
    if (renderer_ != nullptr)
        SDL_DestroyRenderer(renderer_);
    if (window_ != nullptr)
        SDL_DestroyWindow(window_);
    if (initialised_)
        SDL_Quit();
}

Result<std::unique_ptr<ImGuiWindow>> ImGuiWindow::create(const char* title,
                                                         const ImGuiWindowOptions& options) {
    auto made = std::make_unique<ImGuiWindow>();
    VALKYR_TRY_VOID(made->open(title, options));
    return made;
}

namespace {

bool names_driver() {
    const char* name = SDL_getenv("SDL_VIDEODRIVER");
    return name != nullptr && *name != '\0';
}

}  // namespace

Result<void> ImGuiWindow::open(const char* title, const ImGuiWindowOptions& options) {
    if (options.offscreen)
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return window_error("no display");
    initialised_ = true;
    // SDL falls back to a driver that shows nothing. That is an error unless the user named it.
    const std::string_view driver = SDL_GetCurrentVideoDriver();
    if (!options.offscreen && !names_driver() &&
        (driver == "offscreen" || driver == "dummy" || driver == "evdev"))
        return Error{
            Errc::System, {}, "no display: SDL has the driver '" + std::string(driver) + "' only"};
    window_ = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, options.width,
                               options.height, SDL_WINDOW_RESIZABLE);
    if (window_ == nullptr)
        return window_error("no window");
    const uint32_t vsync = options.vsync ? SDL_RENDERER_PRESENTVSYNC : 0;
    if (!options.offscreen)
        renderer_ = SDL_CreateRenderer(window_, -1, vsync);
    if (renderer_ == nullptr)
        renderer_ = SDL_CreateRenderer(window_, -1, SDL_RENDERER_SOFTWARE);
    if (renderer_ == nullptr)
        return window_error("no renderer");
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // panes keep no state between runs
    io.BackendRendererName = "SDL_Renderer";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.FontGlobalScale = options.text_scale;
    ImGui::StyleColorsDark();
    backend_ = ImGui_ImplSDL2_InitForSDLRenderer(window_);
    return create_font_texture();
}

Result<void> ImGuiWindow::create_font_texture() {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
    font_ = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, width,
                              height);
    if (font_ == nullptr)
        return window_error("no texture");
    SDL_UpdateTexture(font_, nullptr, pixels, 4 * width);
    SDL_SetTextureBlendMode(font_, SDL_BLENDMODE_BLEND);
    atlas.SetTexID(font_);
    return {};
}

bool ImGuiWindow::begin_frame() {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        ImGui_ImplSDL2_ProcessEvent(&event);
        closed_ |= event.type == SDL_QUIT;
        if (on_event)
            on_event(event);
    }
    if (closed_)
        return false;
    SDL_SetRenderDrawColor(renderer_, 0, 0, 0, 255);
    SDL_RenderClear(renderer_);
    ImGui_ImplSDL2_NewFrame();
    ImGui::NewFrame();
    return true;
}

void ImGuiWindow::draw(const ImDrawData& data) {
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (command.UserCallback != nullptr) {
                command.UserCallback(&list, &command);
                continue;
            }
            const ImVec4& box = command.ClipRect;
            const SDL_Rect clip{static_cast<int>(box.x), static_cast<int>(box.y),
                                static_cast<int>(box.z - box.x), static_cast<int>(box.w - box.y)};
            if (clip.w <= 0 || clip.h <= 0)
                continue;
            SDL_RenderSetClipRect(renderer_, &clip);
            const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
            SDL_RenderGeometryRaw(renderer_, static_cast<SDL_Texture*>(command.GetTexID()),
                                  &vertex->pos.x, sizeof(ImDrawVert),
                                  reinterpret_cast<const SDL_Color*>(&vertex->col),
                                  sizeof(ImDrawVert), &vertex->uv.x, sizeof(ImDrawVert),
                                  list.VtxBuffer.Size - static_cast<int>(command.VtxOffset),
                                  list.IdxBuffer.Data + command.IdxOffset,
                                  static_cast<int>(command.ElemCount), sizeof(ImDrawIdx));
        }
    }
    SDL_RenderSetClipRect(renderer_, nullptr);
}

Result<void> ImGuiWindow::read_back(examples::Image& picture) {
    int width = 0;
    int height = 0;
    SDL_GetRendererOutputSize(renderer_, &width, &height);
    picture.width = static_cast<uint32_t>(width);
    picture.height = static_cast<uint32_t>(height);
    picture.rgba.resize(size_t{4} * picture.width * picture.height);
    if (SDL_RenderReadPixels(renderer_, nullptr, SDL_PIXELFORMAT_RGBA32, picture.rgba.data(),
                             4 * width) != 0)
        return window_error("no screenshot");
    for (size_t i = 3; i < picture.rgba.size(); i += 4)
        picture.rgba[i] = 255;
    return {};
}

Result<void> ImGuiWindow::end_frame(examples::Image* picture) {
    ImGui::Render();
    draw(*ImGui::GetDrawData());
    Result<void> read{};
    if (picture != nullptr)
        read = read_back(*picture);
    SDL_RenderPresent(renderer_);
    return read;
}

}  // namespace valkyr::app
