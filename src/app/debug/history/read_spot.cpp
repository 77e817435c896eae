// Read spot: finds the texel at the coordinates of a texture message.
// SPDX-License-Identifier: MIT
#include "app/debug/history/read_spot.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::debug {

namespace {

std::optional<uint32_t> integer_place(uint32_t word, uint32_t size) {
    return word < size ? std::optional(word) : std::nullopt;
}

/// The texel that a coordinate falls into; a normalized one is between 0 and 1.
std::optional<uint32_t>
float_place(uint32_t word, uint32_t size, exec::Wrap wrap, bool normalized) {
    const double at = static_cast<double>(std::bit_cast<float>(word)) /
                      (normalized ? 1.0 : static_cast<double>(size));
    const bool clamps = wrap == exec::Wrap::ClampToEdge || wrap == exec::Wrap::ClampToBorder ||
                        wrap == exec::Wrap::Clamp;
    if (!std::isfinite(at) || (!clamps && wrap != exec::Wrap::Repeat))
        return std::nullopt;
    const double inside = clamps ? std::clamp(at, 0.0, 1.0) : at - std::floor(at);
    return std::min(static_cast<uint32_t>(inside * size), size - 1);
}

}  // namespace

std::optional<Spot> read_spot(const raster::TextureView& view,
                              const raster::SamplerState& sampler,
                              const TexelRead& read) {
    const unsigned dimensions = (read.message.dimension & 3) + 1U;
    const raster::TextureDesc& desc = view.texture->desc();
    if (dimensions > 3 || read.coordinates.size() < dimensions || !read.levels)
        return std::nullopt;
    constexpr int32_t kHalf = 128;  // of 256
    const uint32_t level = read.levels->weight > kHalf ? read.levels->second : read.levels->level;
    if (level >= desc.levels)
        return std::nullopt;
    const bool integer =
        read.message.integer_coordinates || read.message.op == exec::TextureOp::Fetch;
    const std::array sizes{level_size(desc.width, level), level_size(desc.height, level),
                           level_size(desc.depth, level)};
    const std::array wraps{sampler.wrap_s, sampler.wrap_t, sampler.wrap_r};
    std::array<uint32_t, 3> place{};
    for (unsigned i = 0; i < dimensions; ++i) {
        const auto found =
            integer ? integer_place(read.coordinates[i], sizes[i])
                    : float_place(read.coordinates[i], sizes[i], wraps[i], sampler.normalized);
        if (!found)
            return std::nullopt;
        place[i] = *found;
    }
    if (dimensions < 3)
        place[2] = view.first_layer + (read.message.array ? read.coordinates.back() : 0);
    const Spot spot{0, level, place[0], place[1], place[2]};
    return is_inside(desc, spot) ? std::optional(spot) : std::nullopt;
}

}  // namespace valkyr::debug
