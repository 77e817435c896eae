// Draw watcher: interface that is called before every draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <cstdint>

namespace valkyr::virgl {

/// A draw that the device gets next. The device has recorded all earlier commands.
struct WatchedDraw {
    raster::Device& device;
    const raster::DrawState& state;
    const raster::DrawInfo& info;
    uint64_t frame = 0;  ///< from 1
    uint64_t draw = 0;   ///< within the frame, from 1
};

class DrawWatcher {
public:
    virtual ~DrawWatcher() = default;
    virtual void before_draw(raster::Device& device,
                             const raster::DrawState& state,
                             const raster::DrawInfo& info) = 0;
};

}  // namespace valkyr::virgl
