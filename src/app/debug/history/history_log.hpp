// History log: notes what touches a texel while a scene or a trace is played.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <memory>
#include <unordered_map>

namespace valkyr::debug {

/// A slice that was read back.
struct ReadSurface {
    Spot corner;  ///< x and y are 0
    uint32_t width = 0;
    uint32_t height = 0;
    raster::Format format = raster::Format::None;
};

/// A texture that is there when the picture is read.
struct KnownTexture {
    uint32_t number = 0;
    std::string name;
    raster::TextureDesc desc;
};

/// State that the devices of a playback share.
struct HistoryLog {
    DrawLog& draws;
    std::optional<Spot> target;   ///< none: only reads and textures are noted
    uint32_t until = UINT32_MAX;  ///< the history ends in front of this command
    History history;
    std::vector<ReadSurface> reads;  ///< behind the last command
    std::optional<Error> error;      ///< of a texel that could not be read
    uint32_t commands = 0;
    uint32_t textures = 0;
    std::vector<std::weak_ptr<raster::Texture>> created;  ///< by number, if there is no target
    std::vector<KnownTexture> known;                      ///< at the last read
    /// By handle; a handle that is made anew at the same place gets a new number.
    std::unordered_map<const raster::Texture*, uint32_t> numbers;

    explicit HistoryLog(DrawLog& of_draws)
        : draws(of_draws) {}

    [[nodiscard]] uint32_t number_of(const raster::TextureRef& texture) const {
        const auto found = numbers.find(texture.get());
        return found != numbers.end() ? found->second : UINT32_MAX;
    }
    [[nodiscard]] bool is_target(const raster::TextureRef& texture) const {
        return target && texture && draws.counting && commands < until &&
               number_of(texture) == target->texture;
    }
    [[nodiscard]] std::string name_of(const raster::TextureRef& texture) const {
        const uint32_t number = number_of(texture);
        return draws.name_texture ? draws.name_texture(*texture, number)
                                  : "texture " + std::to_string(number);
    }
    /// Notes the names of all textures that still exist.
    void know_textures() {
        known.clear();
        for (uint32_t number = 0; number < created.size(); ++number)
            if (const raster::TextureRef texture = created[number].lock())
                known.push_back({number, name_of(texture), texture->desc()});
    }
};

}  // namespace valkyr::debug
