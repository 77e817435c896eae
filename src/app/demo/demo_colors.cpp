// Demo colours: paint the overdraw and tile views.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_target.hpp"
#include "exec/program.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace valkyr::app {

namespace {

using Color = std::array<double, 3>;

/// A colour of a ramp with equally spaced stops; `part` 0..1.
template <size_t N>
Color ramp(const std::array<Color, N>& stops, double part) {
    const double place = std::clamp(part, 0.0, 1.0) * (N - 1);
    const size_t i = std::min(static_cast<size_t>(place), N - 2);
    const double t = place - static_cast<double>(i);
    Color color{};
    for (size_t c = 0; c < 3; c++)
        color[c] = stops[i][c] + t * (stops[i + 1][c] - stops[i][c]);
    return color;
}

constexpr std::array<Color, 6> kHeat = {{{0.02, 0.02, 0.06},
                                         {0.05, 0.15, 0.75},
                                         {0.05, 0.70, 0.35},
                                         {0.98, 0.85, 0.10},
                                         {0.92, 0.15, 0.08},
                                         {1, 1, 1}}};
constexpr std::array<Color, 4> kTime = {
    {{0.10, 0.25, 0.90}, {0.10, 0.75, 0.60}, {0.95, 0.80, 0.15}, {0.95, 0.15, 0.10}}};

uint8_t to_byte(double value) {
    return static_cast<uint8_t>(std::clamp(value, 0.0, 1.0) * 255 + 0.5);
}

/// The time of each tile, in nanoseconds.
std::vector<uint64_t> tile_times(const raster::Timeline& timeline, size_t tiles) {
    std::vector<uint64_t> times(tiles);
    for (const auto& worker : timeline.events())
        for (const raster::TimelineEvent& event : worker)
            if (std::string_view(event.name) == raster::kTimelineTile && event.number < tiles)
                times[event.number] += event.end_ns - event.begin_ns;
    return times;
}

}  // namespace

void color_overdraw(examples::Image& image) {
    // Fragment counts at which the colours of kHeat are reached.
    constexpr double kStops[] = {0, 1, 3, 6, 10, 15};
    std::array<Color, 256> table;
    for (size_t value = 0; value < table.size(); value++) {
        const double count = static_cast<double>(value) * kOverdrawSteps / 255;
        size_t i = 0;
        while (i + 2 < std::size(kStops) && count > kStops[i + 1])
            i++;
        const double t = (count - kStops[i]) / (kStops[i + 1] - kStops[i]);
        table[value] = ramp(kHeat, (static_cast<double>(i) + t) / 5);
    }
    for (size_t at = 0; at + 3 < image.rgba.size(); at += 4) {
        const Color& color = table[image.rgba[at]];
        for (size_t c = 0; c < 3; c++)
            image.rgba[at + c] = to_byte(color[c]);
    }
}

void color_tiles(examples::Image& image, const raster::Timeline& timeline) {
    const uint32_t tiles_x = (image.width + exec::kTileSize - 1) / exec::kTileSize;
    const uint32_t tiles_y = (image.height + exec::kTileSize - 1) / exec::kTileSize;
    const std::vector<uint64_t> times = tile_times(timeline, size_t{tiles_x} * tiles_y);
    const uint64_t slowest = std::max<uint64_t>(1, *std::max_element(times.begin(), times.end()));
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++) {
            const size_t tile = size_t{y / exec::kTileSize} * tiles_x + x / exec::kTileSize;
            const double part = static_cast<double>(times[tile]) / static_cast<double>(slowest);
            const bool border = x % exec::kTileSize == 0 || y % exec::kTileSize == 0;
            // Tiles without work have no tint.
            const double weight = border ? 0.8 : times[tile] == 0 ? 0 : 0.4;
            const Color tint = border ? Color{0.9, 0.9, 0.9} : ramp(kTime, part);
            uint8_t* pixel = &image.rgba[(size_t{y} * image.width + x) * 4];
            for (size_t c = 0; c < 3; c++)
                pixel[c] = to_byte(pixel[c] / 255.0 * (1 - weight) + tint[c] * weight);
        }
}

}  // namespace valkyr::app
