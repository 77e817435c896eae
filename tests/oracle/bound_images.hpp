// Bound images: give the TGSI interpreter the images and buffers of a draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tgsi/interpreter/texture_units.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace valkyr::reference {

/// The resources that the vector points to must outlive the units.
/// errors  InvalidState: a resource of another device
Result<std::unique_ptr<tgsi::ImageUnits>> bind_images(const std::vector<raster::ImageView>& views);

/// The bytes of a range; empty without a buffer.
std::span<uint8_t> bytes_of(const raster::BufferRange& range);

}  // namespace valkyr::reference
