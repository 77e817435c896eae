// Environment: has the table of message routines.
// SPDX-License-Identifier: MIT
#include "raster/messages/environment.hpp"

#include "raster/messages/env_routines.hpp"

namespace valkyr::raster {

const exec::Environment& raster_environment() noexcept {
    static constexpr exec::Environment kEnvironment{
        .attribute = env_attribute,
        .varying = env_varying,
        .varying_special = env_varying_special,
        .texture = env_texture,
        .image_load = env_image_load,
        .image_address = env_image_address,
        .convert_store = env_convert_store,
        .early_zs = env_early_zs,
        .atest = env_atest,
        .zs_emit = env_zs_emit,
        .blend = env_blend,
        .tile_load = env_tile_load,
        .tile_store = env_tile_store,
    };
    return kEnvironment;
}

}  // namespace valkyr::raster
