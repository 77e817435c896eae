// Figures text: prints the figures of the server's clients as a table and as JSON.
// SPDX-License-Identifier: MIT
#include "app/run/figures_text.hpp"

#include "app/cli/json_text.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

namespace valkyr::app {

namespace {

/// A figure: its text in tables, its name in JSON, its member.
struct Row {
    const char* text;
    const char* key;
    uint64_t virgl::Figures::*member;
};

constexpr Row kCounts[] = {
    {"frames", "frames", &virgl::Figures::frames},
    {"command buffers", "command_buffers", &virgl::Figures::submits},
    {"commands", "commands", &virgl::Figures::commands},
    {"draws", "draws", &virgl::Figures::draws},
    {"draws refused", "draws_refused", &virgl::Figures::refused_draws},
    {"dispatches", "dispatches", &virgl::Figures::dispatches},
    {"dispatches refused", "dispatches_refused", &virgl::Figures::refused_dispatches},
    {"clears", "clears", &virgl::Figures::clears},
    {"shader texts parsed", "shader_texts_parsed", &virgl::Figures::shader_texts},
    {"shader texts found again", "shader_texts_found_again", &virgl::Figures::shader_text_hits},
    {"pipelines made", "pipelines", &virgl::Figures::pipelines},
    {"kernels compiled", "kernels", &virgl::Figures::kernels},
    {"passes rendered", "passes", &virgl::Figures::passes},
    {"bytes uploaded", "bytes_uploaded", &virgl::Figures::uploaded_bytes},
    {"  of which draws delayed", "bytes_delayed", &virgl::Figures::late_bytes},
};
/// Times within command buffers; kOtherTimes lists all others.
constexpr Row kCommandTimes[] = {
    {"ms in command buffers", "command_buffers_ms", &virgl::Figures::submit_ns},
    {"  of which parsing shaders", "parsing_shaders_ms", &virgl::Figures::shader_ns},
    {"  of which making pipelines", "making_pipelines_ms", &virgl::Figures::pipeline_ns},
};
constexpr Row kOtherTimes[] = {
    {"ms waiting for rendering", "waiting_ms", &virgl::Figures::wait_ns},
    {"ms copying texels", "copying_ms", &virgl::Figures::transfer_ns},
};

double milliseconds(uint64_t ns) {
    return static_cast<double>(ns) / 1e6;
}

std::string count_row(const std::string& text, uint64_t count, double frames) {
    return fmt::format("{:<28} {:>12} {:>14.1f}\n", text, count,
                       static_cast<double>(count) / frames);
}

template <size_t count>
std::string time_rows(const Row (&rows)[count], const virgl::Figures& figures, double frames) {
    std::string text;
    for (const Row& row : rows) {
        const double ms = milliseconds(figures.*row.member);
        text += fmt::format("{:<28} {:>12.1f} {:>14.3f}\n", row.text, ms, ms / frames);
    }
    return text;
}

}  // namespace

std::string figures_text(const ClientFigures& figures) {
    const virgl::Figures& f = figures.sum;
    const auto frames = static_cast<double>(std::max<uint64_t>(f.frames, 1));
    std::string text = fmt::format("{:<28} {:>12} {:>14}\n", "", "all", "per frame");
    text += count_row("clients", figures.clients, frames);
    for (const Row& row : kCounts)
        text += count_row(row.text, f.*row.member, frames);
    for (size_t i = 0; i < f.message_calls.size(); ++i)
        if (f.message_calls[i] != 0)
            text += count_row("routine calls: " + std::string(raster::kMessageNames[i]),
                              f.message_calls[i], frames);
    text += time_rows(kCommandTimes, f, frames);
    if (f.commands != 0)
        text += fmt::format("{:<28} {:>12.0f}\n", "ns a command, without these",
                            static_cast<double>(f.submit_ns - f.shader_ns - f.pipeline_ns) /
                                static_cast<double>(f.commands));
    return text + time_rows(kOtherTimes, f, frames);
}

std::string figures_json(const ClientFigures& figures) {
    const virgl::Figures& f = figures.sum;
    std::string text = fmt::format("{{\"clients\": {}", figures.clients);
    for (const Row& row : kCounts)
        text += fmt::format(", \"{}\": {}", row.key, f.*row.member);
    for (const Row& row : kCommandTimes)
        text += fmt::format(", \"{}\": {}", row.key, json_number(milliseconds(f.*row.member)));
    for (const Row& row : kOtherTimes)
        text += fmt::format(", \"{}\": {}", row.key, json_number(milliseconds(f.*row.member)));
    std::vector<std::string> calls;
    for (size_t i = 0; i < f.message_calls.size(); ++i)
        calls.push_back(fmt::format("\"{}\": {}", raster::kMessageNames[i], f.message_calls[i]));
    text += ", \"routine_calls\": {";
    for (size_t i = 0; i < calls.size(); ++i)
        text += (i == 0 ? "" : ", ") + calls[i];
    return text + "}}";
}

}  // namespace valkyr::app
