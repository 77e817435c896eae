// Multisample resolve: averages 8-bit unorm as integers, other numbers in f32.
// SPDX-License-Identifier: MIT
#include "raster/resource/resolve.hpp"

#include "base/bits.hpp"
#include "exec/float_environment.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/lane_format.hpp"
#include "raster/resource/tiling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace valkyr::raster {
namespace {

void average_bytes(const Samples& samples, uint32_t texel_bytes, uint8_t* out) {
    const auto shift = static_cast<unsigned>(std::countr_zero(samples.count));
    for (uint32_t b = 0; b < texel_bytes; ++b) {
        uint32_t sum = samples.count / 2;
        for (uint32_t s = 0; s < samples.count; ++s)
            sum += samples.first[s * samples.step + b];
        out[b] = static_cast<uint8_t>(sum >> shift);
    }
}

void average_values(const exec::FormatInfo& info, const Samples& samples, uint8_t* out) {
    std::array<float, 4> sum{};
    for (uint32_t s = 0; s < samples.count; ++s) {
        const Values value = decode_texel(info, samples.first + s * samples.step);
        for (size_t i = 0; i < 4; ++i)
            sum[i] = s == 0 ? as_float(value[i]) : sum[i] + as_float(value[i]);
    }
    Values mean{};
    for (size_t i = 0; i < 4; ++i)
        mean[i] = as_bits(sum[i] * (1.0F / static_cast<float>(samples.count)));
    encode_texel(info, mean, IntegerKind::Unsigned, out);
}

/// Resolves rows of tiles with the level loops.
class TileResolve {
public:
    TileResolve(ConvertTiles convert,
                const LaneConversion& conversion,
                TextureImpl& texture,
                uint32_t level,
                const Box& box)
        : convert_(convert)
        , conversion_(conversion)
        , first_(box.x / 4)
        , count_((box.x + box.width - 1) / 4 - first_ + 1)
        , step_(size_t{exec::kLanes} * texture.texel_bytes())
        , averages_(count_ * step_ + kReadSlack)
        , offsets_(size_t{count_} * exec::kLanes)
        , lanes_(count_, 0xFFFF)
        , texels_(texture.level(level))
        , tile_bytes_(step_ * texture.desc().samples) {
        for (uint32_t tile = 0; tile < count_; ++tile)
            for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
                offsets_[size_t{tile} * exec::kLanes + lane] =
                    static_cast<int32_t>(tile * tile_bytes_ + lane * texture.texel_bytes());
    }

    /// Averages a row of tiles of slice z; returns the tiles from the one of the box's first column
    /// on.
    const uint8_t* run(uint32_t tile_y, uint32_t z) {
        TileRow row;
        row.source = texels_.data + z * texels_.slice_bytes +
                     (size_t{tile_y} * texels_.tiles_per_row + first_) * tile_bytes_;
        row.across[0] = row.across[1] = offsets_.data();
        for (auto& down : row.down)
            for (int32_t& offset : down)
                offset = 0;
        row.columns = lanes_.data();
        row.rows = 0xFFFF;
        row.target = averages_.data();
        row.target_stride = static_cast<uint32_t>(step_);
        row.count = count_;
        convert_(conversion_, row);
        return averages_.data();
    }
    [[nodiscard]] uint32_t count() const { return count_; }

private:
    ConvertTiles convert_;
    const LaneConversion& conversion_;
    uint32_t first_;
    uint32_t count_;
    size_t step_;
    std::vector<uint8_t> averages_;
    std::vector<int32_t> offsets_;
    std::vector<uint16_t> lanes_;
    const exec::TextureLevel& texels_;
    size_t tile_bytes_;
};

/// Returns the conversion that averages samples, or nothing if the loops do not know the format.
std::optional<LaneConversion> average_conversion(const exec::FormatInfo& info, uint32_t samples) {
    auto made = lane_conversion(info, info, 0xF);
    if (!made || !set_samples(*made, info, samples))
        return std::nullopt;
    if (made->averages_bytes)
        made->copies = true;  // also copies bytes that no component reads
    else
        copy_if_alike(*made, info, info);
    return made;
}

/// Does resolve_rows() by copying sample 0.
void take_first(TextureImpl& texture,
                uint32_t level,
                const Box& box,
                uint32_t z,
                std::byte* rows,
                size_t stride_bytes) {
    const TiledRect rect{box.x,
                         box.y,
                         box.width,
                         box.height,
                         texture.level(level).tiles_per_row,
                         texture.texel_bytes(),
                         texture.desc().samples,
                         watch_of(texture.owner())};
    untile_rows(texture.slice(level, z), rect, rows, stride_bytes);
}

}  // namespace

ResolveMethod resolve_method(const exec::FormatInfo& info) {
    if (info.layout == exec::FormatLayout::DepthStencil || is_integer(info))
        return ResolveMethod::First;
    bool bytes = info.type == exec::ChannelType::Unorm && !info.srgb &&
                 info.layout == exec::FormatLayout::Array;
    for (unsigned i = 0; i < info.channel_count; ++i)
        bytes = bytes && info.bits[i] == 8;
    return bytes ? ResolveMethod::Bytes : ResolveMethod::Numbers;
}

void resolve_texel(const exec::FormatInfo& info, const Samples& samples, uint8_t* out) {
    switch (resolve_method(info)) {
    case ResolveMethod::First: std::memcpy(out, samples.first, info.block_bytes); break;
    case ResolveMethod::Bytes: average_bytes(samples, info.block_bytes, out); break;
    case ResolveMethod::Numbers: average_values(info, samples, out); break;
    }
}

void resolve_rows(TextureImpl& texture,
                  uint32_t level,
                  const Box& box,
                  uint32_t z,
                  std::byte* rows,
                  size_t stride_bytes,
                  ConvertTiles convert) {
    if (box.width == 0 || box.height == 0)
        return;
    const exec::FloatEnvironment environment;
    const exec::FormatInfo& info = exec::format_info(texture.desc().format);
    if (resolve_method(info) == ResolveMethod::First) {
        take_first(texture, level, box, z, rows, stride_bytes);
        return;
    }
    const exec::TextureLevel& l = texture.level(level);
    const uint32_t bytes = texture.texel_bytes();
    const uint32_t samples = texture.desc().samples;
    const auto conversion = average_conversion(info, samples);
    if (convert != nullptr && conversion) {
        TileResolve resolve(convert, *conversion, texture, level, box);
        for (uint32_t y = 0; y < box.height && !is_cancelled(texture.owner());) {
            const uint32_t in_tile = (box.y + y) % 4;
            const uint32_t height = std::min(4 - in_tile, box.height - y);
            untile_rows(resolve.run((box.y + y) / 4, z),
                        {box.x % 4, in_tile, box.width, height, resolve.count(), bytes},
                        rows + y * stride_bytes, stride_bytes);
            y += height;
        }
        return;
    }
    for (uint32_t y = 0; y < box.height && !is_cancelled(texture.owner()); ++y)
        for (uint32_t x = 0; x < box.width; ++x) {
            const TexelPlace place{box.x + x, box.y + y, z, 0};
            const Samples texel{
                l.data + texel_offset(place, l.tiles_per_row, l.slice_bytes, samples, bytes),
                size_t{exec::kLanes} * bytes, samples};
            auto* out = reinterpret_cast<uint8_t*>(rows + y * stride_bytes) + size_t{x} * bytes;
            resolve_texel(info, texel, out);
        }
}

}  // namespace valkyr::raster
