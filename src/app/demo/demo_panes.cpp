// The panes over the picture: figures and keys.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_panes.hpp"

#include "app/cli/interpreter_note.hpp"
#include "jit/host_level.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <imgui.h>

namespace valkyr::app {

namespace {

constexpr ImGuiWindowFlags kPane = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing;
const ImVec4 kDim = {0.65F, 0.70F, 0.78F, 1};
const ImVec4 kBright = {1.0F, 0.86F, 0.45F, 1};

void line(const std::string& text) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void colored(const ImVec4& color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    line(text);
    ImGui::PopStyleColor();
}

std::string_view host_name(raster::Host host) {
    switch (host) {
    case raster::Host::Avx2: return "avx2";
    case raster::Host::Avx512: return "avx512";
    case raster::Host::Neon: return "neon";
    default: return jit::host_level_name(jit::best_host_level());
    }
}

/// "recompiled (avx2), 2 threads, 4 samples"
std::string setting_text(const DemoState& state, uint32_t samples) {
    const raster::DeviceOptions& device = state.mode.device;
    const std::string engine = device.engine == raster::Engine::Jit
                                   ? fmt::format("recompiled ({})", host_name(device.host))
                                   : std::string("interpreter");
    const std::string threads = device.threads == 0 ? std::string("all threads")
                                                    : fmt::format("{} thread{}", device.threads,
                                                                  device.threads == 1 ? "" : "s");
    return fmt::format("{}, {}, {} sample{}", engine, threads, samples, samples == 1 ? "" : "s");
}

void counters(const raster::Statistics& s) {
    line(fmt::format("triangles {:>9}  drawn {}", s.triangles_in, s.triangles_binned));
    const double lanes = 16.0 * static_cast<double>(std::max<uint64_t>(1, s.blocks_shaded));
    line(fmt::format("warps     {:>9}  live lanes {:.0f} %", s.blocks_shaded,
                     100 * static_cast<double>(s.pixels_covered) / lanes));
    if (const std::string note = interpreter_note(s); !note.empty())
        line(note);
}

void shader_table(const std::vector<ShaderNote>& shaders) {
    colored(kDim, "shader               TGSI  Valhall words");
    for (const ShaderNote& shader : shaders)
        line(fmt::format("{:<20.20} {:>4}  {:>6}", shader.name, shader.tgsi_instructions,
                         shader.valhall_words));
}

void figures_pane(const DemoState& state, const PaneFigures& figures) {
    ImGui::SetNextWindowPos({8, 8});
    ImGui::SetNextWindowBgAlpha(0.72F);
    ImGui::Begin("figures", nullptr, kPane);
    colored(kBright,
            fmt::format("{}: {:.1f} fps", state.exhibit().name, figures.frames_per_second));
    line(setting_text(state, figures.samples));
    line(fmt::format("record {:.2f} ms, frame {:.2f} ms", figures.frame.record_ms,
                     figures.frame.frame_ms));
    line(fmt::format("vertices {:.2f} ms, tiles {:.2f} ms", figures.frame.front_ms,
                     figures.frame.tiles_ms));
    counters(figures.frame.statistics);
    if (!figures.shaders.empty())
        shader_table(figures.shaders);
    if (state.mode.overrides.overdraw)
        colored(kDim, "fragments: 1 blue, 3 green, 6 yellow, 10 red");
    if (state.mode.tiles)
        colored(kDim, "tiles: blue quick, red slowest, plain unused");
    if (state.paused)
        colored(kBright, "stopped (Space)");
    colored(kDim, figures.message.empty() ? "H: keys" : figures.message);
    ImGui::End();
}

void help_pane(const DemoState& state) {
    ImGui::SetNextWindowPos({static_cast<float>(state.mode.width) - 8, 8}, 0, {1, 0});
    ImGui::SetNextWindowBgAlpha(0.85F);
    ImGui::Begin("keys", nullptr, kPane);
    colored(kBright, state.exhibit().title);
    line(demo_keys_text());
    ImGui::End();
}

}  // namespace

void draw_panes(const DemoState& state, const PaneFigures& figures) {
    if (state.figures)
        figures_pane(state, figures);
    if (state.help)
        help_pane(state);
}

}  // namespace valkyr::app
