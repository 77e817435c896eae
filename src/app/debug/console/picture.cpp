// Lane pictures: draws masks and values of lanes as text.
// SPDX-License-Identifier: MIT
#include "app/debug/console/picture.hpp"

#include <algorithm>

namespace valkyr::debug {

char lane_state(const valhall::WarpState& state, unsigned lane) {
    const bool alive = (state.alive >> lane & 1) != 0;
    const bool live = (state.live >> lane & 1) != 0;
    if (!alive)
        return '.';
    if ((state.parked >> lane & 1) != 0)
        return 'b';
    if ((state.running >> lane & 1) != 0)
        return live ? '#' : 'h';
    return live ? 'o' : 'w';
}

std::vector<std::string> lane_picture(exec::Stage stage,
                                      const std::function<std::string(unsigned lane)>& cell) {
    const unsigned columns = stage == exec::Stage::Fragment ? 4 : exec::kLanes;
    std::array<std::string, exec::kLanes> cells;
    size_t width = 1;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        cells[lane] = cell(lane);
        width = std::max(width, cells[lane].size());
    }
    std::vector<std::string> lines;
    for (unsigned y = 0; y < exec::kLanes / columns; ++y) {
        std::string line;
        for (unsigned x = 0; x < columns; ++x) {
            const std::string& text = cells[columns == 4 ? exec::lane_at(x, y) : x];
            line += (x != 0 ? " " : "") + std::string(width - text.size(), ' ') + text;
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string beside(const std::vector<std::pair<std::string, std::vector<std::string>>>& pictures) {
    size_t rows = 0;
    for (const auto& [title, lines] : pictures)
        rows = std::max(rows, lines.size() + 1);
    std::vector<std::string> out(rows);
    for (const auto& [title, lines] : pictures) {
        size_t width = title.size();
        for (const std::string& line : lines)
            width = std::max(width, line.size());
        for (size_t row = 0; row < rows; ++row) {
            const std::string text = row == 0 ? title : row <= lines.size() ? lines[row - 1] : "";
            out[row] +=
                (out[row].empty() ? "  " : "   ") + text + std::string(width - text.size(), ' ');
        }
    }
    std::string joined;
    for (std::string& line : out) {
        line.erase(line.find_last_not_of(' ') + 1);
        joined += line + "\n";
    }
    return joined;
}

std::string mask_picture(const Debugger& debugger) {
    const exec::Stage stage = debugger.session().warp->stage();
    const valhall::WarpState& state = debugger.state();
    return beside(
        {{"lanes",
          lane_picture(stage,
                       [&](unsigned lane) { return std::string(1, lane_state(state, lane)); })},
         {"numbers", lane_picture(stage, [](unsigned lane) { return std::to_string(lane); })},
         {"next word", lane_picture(stage, [&](unsigned lane) {
              const bool alive = (state.alive >> lane & 1) != 0;
              return alive ? std::to_string(state.pc[lane]) : std::string("-");
          })}});
}

namespace {

/// " (patch 7, vertex 1)" or " (patch 7, 0.25,0.5)" of an invocation; empty: there is none.
std::string patch_lane_name(const WarpCase& warp, uint32_t invocation) {
    const WorkGroup& group = *warp.work_group;
    if (invocation >= group.invocations())
        return {};
    return " (patch " + std::to_string(warp.patches->id(warp.patch_of(invocation))) + ", " +
           (warp.is_control() ? "vertex " + std::to_string(invocation % group.block[0])
                              : point_name(warp.patches->point(invocation))) +
           ")";
}

}  // namespace

std::string lane_name(const Debugger& debugger, unsigned lane) {
    const WarpCase& warp = *debugger.session().warp;
    std::string name = "lane " + std::to_string(lane);
    if (warp.stage() == exec::Stage::Fragment)
        name += " (" + std::to_string(warp.x + static_cast<int32_t>(exec::lane_x(lane))) + "," +
                std::to_string(warp.y + static_cast<int32_t>(exec::lane_y(lane))) + ")";
    else if (warp.stage() == exec::Stage::Vertex)
        name += " (vertex " + std::to_string(warp.vertex_ids[lane]) + ")";
    else if (warp.stage() == exec::Stage::Geometry)
        name += " (primitive " + std::to_string(warp.primitive_ids[lane]) + ", invocation " +
                std::to_string(warp.invocations[lane]) + ")";
    else if (warp.patches)
        name += patch_lane_name(warp, debugger.warp() * exec::kLanes + lane);
    else if (warp.work_group)
        name += " " + invocation_name(*warp.work_group, debugger.warp() * exec::kLanes + lane);
    return name;
}

}  // namespace valkyr::debug
