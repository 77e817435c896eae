// Sampled levels: tells which mipmap levels a texture message reads.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/messages/texture_lod.hpp"

#include <optional>

namespace valkyr::raster {

/// Returns the levels that a lane reads, as the message routine chooses them; of fetches and
/// gathers one. Nothing: no texture or sampler is bound, or the level does not exist.
/// warp  with the draw, and the lanes that execute the message
/// in    registers of the message
std::optional<LevelChoice> sampled_levels(const exec::Warp& warp,
                                          const exec::TextureMessage& message,
                                          const exec::Lanes* in,
                                          unsigned lane) noexcept;

}  // namespace valkyr::raster
