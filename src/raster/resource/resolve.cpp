// Multisample resolve: integer averages for 8-bit unorm, f32 sums for the rest.
// SPDX-License-Identifier: MIT
#include "raster/resource/resolve.hpp"

#include "base/bits.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/tiling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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

/// Rows that are resolved before they go to the copy.
constexpr uint32_t kBandRows = 64;
/// The bytes of a plane of 16 texels with channels of 8 bits.
constexpr size_t kMaxPlane = size_t{exec::kLanes} * 4;

/// The average of the planes of a 4x4 tile.
void average_tile(const uint8_t* planes, uint32_t samples, size_t plane_bytes, uint8_t* out) {
    const auto shift = static_cast<unsigned>(std::countr_zero(samples));
    std::array<uint16_t, kMaxPlane> sum;
    sum.fill(static_cast<uint16_t>(samples / 2));
    for (uint32_t s = 0; s < samples; ++s)
        for (size_t b = 0; b < plane_bytes; ++b)
            sum[b] = static_cast<uint16_t>(sum[b] + planes[s * plane_bytes + b]);
    for (size_t b = 0; b < plane_bytes; ++b)
        out[b] = static_cast<uint8_t>(sum[b] >> shift);
}

/// resolve_rows() of 8-bit unorm, a row of tiles at a time.
void resolve_bytes(TextureImpl& texture,
                   uint32_t level,
                   const Box& box,
                   uint32_t z,
                   std::byte* rows,
                   size_t stride_bytes) {
    const exec::TextureLevel& l = texture.level(level);
    const uint32_t samples = texture.desc().samples;
    const uint32_t bytes = texture.texel_bytes();
    const size_t plane = size_t{exec::kLanes} * bytes;
    const uint32_t first = box.x / 4;
    const uint32_t count = (box.x + box.width - 1) / 4 - first + 1;
    const uint8_t* slice = l.data + z * l.slice_bytes;
    std::vector<uint8_t> averages(count * plane);
    for (uint32_t y = 0; y < box.height && !is_cancelled(texture.owner());) {
        const uint32_t in_tile = (box.y + y) % 4;
        const uint32_t height = std::min(4 - in_tile, box.height - y);
        const size_t tile = size_t{(box.y + y) / 4} * l.tiles_per_row + first;
        for (uint32_t i = 0; i < count; ++i)
            average_tile(slice + (tile + i) * samples * plane, samples, plane,
                         averages.data() + i * plane);
        untile_rows(averages.data(), {box.x - 4 * first, in_tile, box.width, height, count, bytes},
                    rows + y * stride_bytes, stride_bytes);
        y += height;
    }
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
                  size_t stride_bytes) {
    const exec::FormatInfo& info = exec::format_info(texture.desc().format);
    if (resolve_method(info) == ResolveMethod::Bytes && box.width != 0) {
        resolve_bytes(texture, level, box, z, rows, stride_bytes);
        return;
    }
    const exec::TextureLevel& l = texture.level(level);
    const uint32_t bytes = texture.texel_bytes();
    for (uint32_t y = 0; y < box.height && !is_cancelled(texture.owner()); ++y)
        for (uint32_t x = 0; x < box.width; ++x) {
            const TexelPlace place{box.x + x, box.y + y, z, 0};
            const Samples samples{l.data + texel_offset(place, l.tiles_per_row, l.slice_bytes,
                                                        texture.desc().samples, bytes),
                                  size_t{exec::kLanes} * bytes, texture.desc().samples};
            auto* out = reinterpret_cast<uint8_t*>(rows + y * stride_bytes) + size_t{x} * bytes;
            resolve_texel(info, samples, out);
        }
}

Result<std::shared_ptr<TextureImpl>>
resolved_copy(TextureImpl& texture, uint32_t level, const Box& box) {
    TextureDesc desc;
    desc.kind = TextureKind::Tex2DArray;
    desc.format = texture.desc().format;
    desc.width = texture.level(level).width;
    desc.height = texture.level(level).height;
    desc.layers = box.depth;
    VALKYR_TRY(copy, TextureImpl::create(texture.owner(), desc));
    const size_t stride = size_t{box.width} * texture.texel_bytes();
    std::vector<std::byte> rows(stride * std::min(box.height, kBandRows));
    for (uint32_t z = 0; z < box.depth; ++z)
        for (uint32_t y = 0; y < box.height && !is_cancelled(texture.owner()); y += kBandRows) {
            Box band = box;
            band.y += y;
            band.height = std::min(box.height - y, kBandRows);
            resolve_rows(texture, level, band, box.z + z, rows.data(), stride);
            tile_rows(copy->slice(0, z),
                      {band.x, band.y, band.width, band.height, copy->level(0).tiles_per_row,
                       copy->texel_bytes()},
                      rows.data(), stride);
        }
    return copy;
}

}  // namespace valkyr::raster
