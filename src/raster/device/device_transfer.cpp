// Device implementation: copies, fills, blits and clears.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/caught_error.hpp"
#include "raster/device/device_impl.hpp"
#include "raster/device/validate.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/resource/blit.hpp"
#include "raster/resource/bytes.hpp"
#include "raster/resource/copy.hpp"
#include "raster/resource/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace valkyr::raster {
namespace {

/// Checks that `size` bytes at `offset` lie in a buffer.
Result<void>
check_range(const char* call, const BufferImpl& buffer, uint64_t offset, uint64_t size) {
    if (offset <= buffer.size() && size <= buffer.size() - offset)
        return {};
    return Error{Errc::OutOfRange,
                 {},
                 std::string(call) + ": " + std::to_string(size) + " bytes at " +
                     std::to_string(offset) + " of " + std::to_string(buffer.size())};
}

FillValue color_value(Format format, const std::array<uint32_t, 4>& value) {
    const exec::FormatInfo& info = exec::format_info(format);
    FillValue fill;
    encode_texel(info, value, integer_kind(info), fill.texel.data());
    return fill;
}

FillValue depth_stencil_value(Format format, float depth, uint8_t stencil) {
    FillValue fill;
    fill.depth_code = encode_depth(format, clamp_depth(depth, 0, 1));
    fill.stencil_value = stencil;
    return fill;
}

/// Clips the rectangle to a box of the attachments; nothing if it is empty.
std::optional<Box> clipped(const Rect& rect, const TargetSurface& surface, const PassTargets& t) {
    const auto limit = [](int32_t n, uint32_t size) {
        return static_cast<uint32_t>(std::clamp<int64_t>(n, 0, size));
    };
    const uint32_t x0 = limit(rect.x0, t.width);
    const uint32_t y0 = limit(rect.y0, t.height);
    const uint32_t x1 = limit(rect.x1, t.width);
    const uint32_t y1 = limit(rect.y1, t.height);
    if (x1 <= x0 || y1 <= y0)
        return std::nullopt;
    return Box{x0, y0, surface.layer, x1 - x0, y1 - y0, t.layers};
}

Result<void>
clear_rectangle(const PassTargets& targets, const ClearInfo& info, const RowRunner& run) {
    for (size_t i = 0; i < targets.color.size(); ++i) {
        const TargetSurface& s = targets.color[i];
        if (s.texture == nullptr || (info.color_targets >> i & 1) == 0)
            continue;
        if (const auto box = clipped(*info.rect, s, targets))
            VALKYR_TRY_VOID(
                fill_box(*s.texture, s.level, *box, color_value(s.format, info.color[i]), run));
    }
    const TargetSurface& zs = targets.depth_stencil;
    if (zs.texture == nullptr)
        return {};
    FillValue value = depth_stencil_value(zs.format, info.depth_value, info.stencil_value);
    value.depth = info.depth;
    value.stencil = info.stencil;
    if (const auto box = clipped(*info.rect, zs, targets))
        return fill_box(*zs.texture, zs.level, *box, value, run);
    return {};
}

/// Returns all places for attachments; places may be empty.
std::array<const TargetSurface*, exec::kMaxRenderTargets + 1>
surfaces_of(const PassTargets& targets) {
    std::array<const TargetSurface*, exec::kMaxRenderTargets + 1> all{};
    std::transform(targets.color.begin(), targets.color.end(), all.begin(),
                   [](const TargetSurface& surface) { return &surface; });
    all.back() = &targets.depth_stencil;
    return all;
}

/// Returns whether the rectangle contains every pixel of the attachments.
bool covers(const Rect& rect, const PassTargets& targets) {
    return rect.x0 <= 0 && rect.y0 <= 0 && rect.x1 >= static_cast<int64_t>(targets.width) &&
           rect.y1 >= static_cast<int64_t>(targets.height);
}

}  // namespace

Result<void> DeviceImpl::clear(const Framebuffer& framebuffer, const ClearInfo& info) try {
    PassTargets targets;
    VALKYR_TRY_VOID(resolve_targets(framebuffer, this, targets));
    for (const TargetSurface* surface : surfaces_of(targets)) {
        if (surface->texture == nullptr)
            continue;
        if (in_use(surface->texture->last_pass))
            flush();
        ++surface->texture->changes;
    }
    const Timed timed(*this);
    if (info.rect && !covers(*info.rect, targets)) {
        const Box all{0, 0, 0, targets.width, targets.height, targets.layers};
        return clear_rectangle(targets, info, rows_of(all));
    }
    if (targets.layers == 1)
        clear_targets(targets, info);
    else
        for (uint32_t layer = 0; layer < targets.layers; ++layer)
            clear_targets(targets.at_layer(layer), info);
    if (options_.fast_clear)
        return {};
    for (const TargetSurface* surface : surfaces_of(targets))
        for (uint32_t layer = 0; surface->texture != nullptr && layer < targets.layers; ++layer)
            surface->texture->settle(surface->level, surface->layer + layer);
    return {};
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::eliminate_fast_clears(const TextureRef& texture) try {
    VALKYR_TRY(own, settled_texture(texture, "eliminate_fast_clears"));
    const Timed timed(*this);
    const TextureDesc& desc = own->desc();
    return own->settle_all(rows_of({.width = desc.width, .height = desc.height}));
} catch (...) {
    return caught_error();
}

/// Returns bytes of a buffer after all recorded calls.
Result<const std::byte*>
DeviceImpl::readable_bytes(const BufferRef& buffer, uint64_t offset, uint64_t size) {
    VALKYR_TRY(own, settled_buffer(buffer, "read_buffer"));
    VALKYR_TRY_VOID(complete());
    VALKYR_TRY_VOID(check_range("read_buffer", *own, offset, size));
    return reinterpret_cast<const std::byte*>(own->data()) + offset;
}

Result<void>
DeviceImpl::read_buffer(const BufferRef& buffer, uint64_t offset, std::span<std::byte> data) try {
    VALKYR_TRY(bytes, readable_bytes(buffer, offset, data.size()));
    copy_bytes(data.data(), bytes, data.size(), &watch);
    return {};
} catch (...) {
    return caught_error();
}

Result<const uint32_t*>
DeviceImpl::buffer_words(const BufferRef& buffer, uint64_t offset, std::span<uint32_t> room) try {
    VALKYR_TRY(bytes, readable_bytes(buffer, offset, room.size_bytes()));
    return reinterpret_cast<const uint32_t*>(bytes);  // buffers begin at cache lines
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::copy_buffer(const BufferRef& to,
                                     uint64_t to_offset,
                                     const BufferRef& from,
                                     uint64_t from_offset,
                                     uint64_t size) try {
    VALKYR_TRY(target, settled_buffer(to, "copy_buffer"));
    VALKYR_TRY(source, settled_buffer(from, "copy_buffer"));
    VALKYR_TRY_VOID(check_range("copy_buffer", *target, to_offset, size));
    VALKYR_TRY_VOID(check_range("copy_buffer", *source, from_offset, size));
    const Timed timed(*this);
    copy_bytes(target->data() + to_offset, source->data() + from_offset, size, &watch);
    return {};
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::fill_buffer(const BufferRef& buffer,
                                     uint64_t offset,
                                     uint64_t size,
                                     std::span<const std::byte> pattern) try {
    constexpr size_t kLongest = 16;
    VALKYR_TRY(own, settled_buffer(buffer, "fill_buffer"));
    VALKYR_TRY_VOID(check_range("fill_buffer", *own, offset, size));
    if (pattern.empty() || pattern.size() > kLongest)
        return Error{Errc::OutOfRange, {}, "fill_buffer: a pattern of 1 to 16 bytes"};
    const Timed timed(*this);
    repeat_bytes(own->data() + offset, size, pattern, &watch);
    return {};
} catch (...) {
    return caught_error();
}

namespace {

/// Returns the box of a target, from (place.x, place.y, place.z) on, that gets the blocks of a box:
/// as many as that has, without texels beyond the edges of the level.
Box copied_box(TextureImpl& target,
               uint32_t level,
               const Box& place,
               const TextureImpl& source,
               const Box& box) {
    Box result{place.x, place.y, place.z, box.width, box.height, box.depth};
    if (source.desc().format == target.desc().format || level >= target.desc().levels)
        return result;
    const exec::FormatInfo& from = exec::format_info(source.desc().format);
    const exec::FormatInfo& to = exec::format_info(target.desc().format);
    const auto texels = [](uint32_t size, uint32_t from_block, uint32_t to_block, uint32_t room) {
        const uint64_t all = (uint64_t{size} + from_block - 1) / from_block * to_block;
        return static_cast<uint32_t>(to_block > 1 ? std::min<uint64_t>(all, room) : all);
    };
    const exec::TextureLevel& l = target.level(level);
    result.width = texels(box.width, from.block_width, to.block_width,
                          l.width > place.x ? l.width - place.x : 0);
    result.height = texels(box.height, from.block_height, to.block_height,
                           l.height > place.y ? l.height - place.y : 0);
    return result;
}

}  // namespace

Result<void> DeviceImpl::copy_texture(const TextureRef& to,
                                      uint32_t to_level,
                                      uint32_t x,
                                      uint32_t y,
                                      uint32_t z,
                                      const TextureRef& from,
                                      uint32_t from_level,
                                      const Box& box) try {
    VALKYR_TRY(target, written_texture(to, "copy_texture"));
    VALKYR_TRY(source, settled_texture(from, "copy_texture"));
    const Box target_box = copied_box(*target, to_level, {x, y, z}, *source, box);
    if (!contains(*source, from_level, box) || !contains(*target, to_level, target_box))
        return Error{Errc::OutOfRange, {}, "copy_texture: a box that is not inside its level"};
    const bool compressed =
        source->storage() != source->desc().format || target->storage() != target->desc().format;
    const uint32_t to_bytes =
        compressed ? exec::format_info(target->desc().format).block_bytes : target->texel_bytes();
    const uint32_t from_bytes =
        compressed ? exec::format_info(source->desc().format).block_bytes : source->texel_bytes();
    if (from_bytes != to_bytes || source->desc().samples != target->desc().samples)
        return Error{Errc::InvalidState, {}, "copy_texture: unlike texel sizes or sample counts"};
    const Timed timed(*this);
    if (compressed)
        return copy_blocks(*target, to_level, target_box, *source, from_level, box);
    return copy_box(*target, to_level, {x, y, z}, *source, from_level, box, rows_of(box));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::clear_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       const std::array<uint32_t, 4>& value) try {
    VALKYR_TRY(own, written_texture(texture, "clear_texture"));
    if (!contains(*own, level, box))
        return Error{Errc::OutOfRange, {}, "clear_texture: the box is not inside the level"};
    const Format format = own->desc().format;
    if (own->storage() != format)
        return Error{Errc::Unsupported, {}, "clear_texture: compressed texels"};
    const Timed timed(*this);
    if (!is_depth_stencil(format)) {
        return fill_box(*own, level, box, color_value(format, value), rows_of(box));
    }
    FillValue fill =
        depth_stencil_value(format, as_float(value[0]), static_cast<uint8_t>(value[1]));
    fill.depth = has_depth(format);
    fill.stencil = has_stencil(format);
    return fill_box(*own, level, box, fill, rows_of(box));
} catch (...) {
    return caught_error();
}

Result<void> DeviceImpl::blit(const BlitInfo& info) try {
    VALKYR_TRY(source, settled_texture(info.source.texture, "blit"));
    VALKYR_TRY(destination, written_texture(info.destination.texture, "blit"));
    const Timed timed(*this);
    // A smaller blit is done before other threads have started.
    constexpr int64_t kSmall = int64_t{128} * 128;
    const BlitRegion& to = info.destination;
    const ConvertTiles convert = convert_tiles_of(options_.host);
    if (std::abs(int64_t{to.width} * to.height) <= kSmall)
        return blit_texels(info, *source, *destination, convert);
    return blit_texels(info, *source, *destination, convert, runner);
} catch (...) {
    return caught_error();
}

}  // namespace valkyr::raster
