// History log: notes what touches a texel while a scene or a trace is played.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <unordered_map>

namespace valkyr::debug {

/// A slice that was read back.
struct ReadSurface {
    Spot corner;  ///< x and y are 0
    uint32_t width = 0;
    uint32_t height = 0;
    raster::Format format = raster::Format::None;
};

/// State that the devices of a playback share.
struct HistoryLog {
    DrawLog& draws;
    std::optional<Spot> target;  ///< none: only reads are noted
    History history;
    std::vector<ReadSurface> reads;  ///< behind the last command
    std::optional<Error> error;      ///< of a texel that could not be read
    uint32_t commands = 0;
    uint32_t textures = 0;
    /// By handle; a handle that is made anew at the same place gets a new number.
    std::unordered_map<const raster::Texture*, uint32_t> numbers;

    explicit HistoryLog(DrawLog& of_draws)
        : draws(of_draws) {}

    [[nodiscard]] uint32_t number_of(const raster::TextureRef& texture) const {
        const auto found = numbers.find(texture.get());
        return found != numbers.end() ? found->second : UINT32_MAX;
    }
    [[nodiscard]] bool is_target(const raster::TextureRef& texture) const {
        return target && texture && draws.counting && number_of(texture) == target->texture;
    }
    [[nodiscard]] std::string name_of(const raster::TextureRef& texture) const {
        const uint32_t number = number_of(texture);
        return draws.name_texture ? draws.name_texture(*texture, number)
                                  : "texture " + std::to_string(number);
    }
};

}  // namespace valkyr::debug
