// Tile messages: reads and writes the tile buffer for LD_TILE and ST_TILE.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/register_convert.hpp"

namespace valkyr::raster {
namespace {

constexpr uint32_t kAllSamples = 255;
constexpr uint32_t kThisPixelRow = 255;  ///< means the lane's own pixel, with column 0

/// Fields of the pixel indices word.
struct TileIndices {
    uint32_t sample;
    uint32_t target;
    uint32_t x;
    uint32_t y;
};

TileIndices unpack_indices(uint32_t word) {
    return {word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF, word >> 24};
}

/// A pixel of a tile buffer: sample s is at texel + s * sample_bytes.
struct TilePixel {
    uint8_t* texel = nullptr;  ///< null: no such pixel or target
    size_t sample_bytes = 0;
    const FormatInfo* info = nullptr;
};

/// Returns the format of an access: the one that the conversion descriptor names, if its texels
/// have the target's size; 0 means the target's own.
const FormatInfo& access_format(exec::Format target, uint32_t conversion) {
    const FormatInfo& own = exec::format_info(target);
    const auto code = static_cast<uint32_t>(extract_bits(conversion, 0, 22));
    if (code == 0 || code >= exec::kFormatCount)
        return own;
    const FormatInfo& named = exec::format_info(static_cast<exec::Format>(code));
    return named.block_bytes == own.block_bytes ? named : own;
}

TilePixel
find_pixel(const Warp& warp, unsigned lane, const TileIndices& indices, uint32_t conversion) {
    if (warp.fragment == nullptr || indices.target >= exec::kMaxRenderTargets ||
        warp.fragment->color[indices.target] == nullptr)
        return {};
    size_t pixel = size_t{warp.block} * exec::kLanes + lane;
    if (indices.y != kThisPixelRow || indices.x != 0) {
        if (indices.x >= exec::kTileSize || indices.y >= exec::kTileSize)
            return {};
        pixel = (size_t{indices.y / 4} * exec::kBlocksPerRow + indices.x / 4) * exec::kLanes +
                exec::lane_at(indices.x & 3, indices.y & 3);
    }
    const exec::FragmentKey& key = fragment_key(warp);
    const FormatInfo& info = access_format(key.blend[indices.target].format, conversion);
    if (!is_plain(info))
        return {};
    const size_t block = pixel / exec::kLanes;
    const size_t element = block * key.samples * exec::kLanes + pixel % exec::kLanes;
    return {warp.fragment->color[indices.target] + element * info.block_bytes,
            size_t{exec::kLanes} * info.block_bytes, &info};
}

}  // namespace

void env_tile_load(const Warp& warp,
                   const exec::TileMessage& message,
                   const Lanes& indices,
                   const Lanes& /*coverage*/,
                   Lanes* out) noexcept {
    const unsigned samples = warp.fragment != nullptr ? fragment_key(warp).samples : 1;
    for_each_lane(warp.running, [&](unsigned lane) {
        const TileIndices at = unpack_indices(indices.v[lane]);
        const TilePixel pixel = find_pixel(warp, lane, at, message.conversion);
        const uint32_t sample = at.sample == kAllSamples ? 0 : at.sample;
        const bool exists = pixel.texel != nullptr && sample < samples;
        const FormatInfo& info = pixel.info ? *pixel.info : exec::format_info(exec::Format::None);
        const Values components = decode_texel(
            info, exists ? pixel.texel + sample * pixel.sample_bytes : kZeroTexel.data());
        write_registers(out, lane, components, component_count(message.components),
                        is_half(message.format), register_kind(message.format, info), info);
    });
}

void env_tile_store(const Warp& warp,
                    const exec::TileMessage& message,
                    const Lanes& indices,
                    const Lanes& coverage,
                    const Lanes* in) noexcept {
    if (warp.fragment == nullptr)
        return;
    const unsigned samples = fragment_key(warp).samples;
    for_each_lane(storing_lanes(warp), [&](unsigned lane) {
        const TileIndices at = unpack_indices(indices.v[lane]);
        const TilePixel pixel = find_pixel(warp, lane, at, message.conversion);
        if (pixel.texel == nullptr)
            return;
        const Values components = read_registers(in, lane, component_count(message.components),
                                                 message.format, *pixel.info);
        for (unsigned s = 0; s < samples; ++s)
            if ((at.sample == s || at.sample == kAllSamples) && coverage.v[lane] >> s & 1)
                encode_texel(*pixel.info, components, register_kind(message.format, *pixel.info),
                             pixel.texel + s * pixel.sample_bytes);
    });
}

}  // namespace valkyr::raster
