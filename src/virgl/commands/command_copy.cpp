// Copy commands: execute inline uploads, copies, blits, transfers and clears of textures.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

namespace valkyr::virgl {
namespace {

/// A box: x y z w h d in [at] to [at + 5].
raster::Box box_at(const Words& words, size_t at) {
    return {words[at], words[at + 1], words[at + 2], words[at + 3], words[at + 4], words[at + 5]};
}

/// Level and box of an upload. All uploads begin with [1] resource, [2] level, [4] stride, [5]
/// layer stride, [6] box.
TransferBox transfer_box(const Words& words) {
    return {words[2], box_at(words, 6)};
}
TransferLayout transfer_layout(const Words& words, uint64_t offset) {
    return {offset, words[4], words[5]};
}

/// Fills all samples of a box with a texel, which is blitted from a texture of its own: samples are
/// not uploaded.
Result<void> fill_samples(Context& context,
                          const raster::TextureRef& target,
                          uint32_t level,
                          const raster::Box& box,
                          std::span<const std::byte> texel) {
    raster::Device& device = context.device();
    raster::TextureDesc desc;
    desc.format = target->desc().format;
    VALKYR_TRY(source, device.create_texture(desc));
    VALKYR_TRY_VOID(
        device.write_texture(source, 0, {0, 0, 0, 1, 1, 1}, texel, texel.size(), texel.size()));
    raster::BlitInfo info;
    info.source.texture = source;
    info.source.width = info.source.height = 1;
    info.destination.texture = target;
    info.destination.level = level;
    info.destination.x = static_cast<int32_t>(box.x);
    info.destination.y = static_cast<int32_t>(box.y);
    info.destination.width = static_cast<int32_t>(box.width);
    info.destination.height = static_cast<int32_t>(box.height);
    for (uint32_t z = 0; z < box.depth && !device.cancelled(); ++z) {
        info.destination.z = static_cast<int32_t>(box.z + z);
        VALKYR_TRY_VOID(device.blit(info));
    }
    return {};
}

raster::BlitRegion blit_region(const Words& words, size_t at, const Resource& resource) {
    raster::BlitRegion region;
    region.texture = resource.texture();
    region.level = words[at + 1];
    region.format = resource.viewed_as(format_of(words[at + 2]));
    // Compressed texels are stored decoded, so a blit uses the texture's own format, or RGBA8 if
    // sRGB is switched on or off.
    if (format_shape(region.format).block_width > 1) {
        const bool srgb = format_shape(region.format).srgb;
        const bool own = format_shape(format_of(resource.desc().format)).srgb;
        const raster::Format other =
            srgb ? raster::Format::R8G8B8A8_SRGB : raster::Format::R8G8B8A8_UNORM;
        region.format = srgb == own ? raster::Format::None : other;
    }
    region.x = words.signed_word(at + 3);
    region.y = words.signed_word(at + 4);
    region.z = words.signed_word(at + 5);
    region.width = words.signed_word(at + 6);
    region.height = words.signed_word(at + 7);
    region.depth = words.signed_word(at + 8);
    return region;
}

/// Whether a blit scales. Without scaling every texel lands on one texel, mirrored or not, and a
/// filter changes nothing. Drivers name a filter all the same, even for multisampled textures,
/// which have none.
bool scales(const raster::BlitInfo& info) {
    const auto size = [](int32_t signed_size) { return std::abs(int64_t{signed_size}); };
    return size(info.source.width) != size(info.destination.width) ||
           size(info.source.height) != size(info.destination.height) ||
           size(info.source.depth) != size(info.destination.depth);
}

/// Most bytes that a clear writes at a time, so that a client's box does not decide how much memory
/// the clear takes. It is one row of the largest texture.
constexpr size_t kBandBytes = size_t{16384} * 16;

/// Fills a box of a texture with one texel; reports a write that the device refuses.
void fill_box(Context& context,
              Resource& target,
              uint32_t level,
              const raster::Box& box,
              std::span<const std::byte> texel) {
    const size_t row_bytes = size_t{box.width} * texel.size();
    if (row_bytes == 0 || box.height == 0)
        return;
    const auto rows =
        static_cast<uint32_t>(std::clamp<size_t>(kBandBytes / row_bytes, 1, box.height));
    std::vector<std::byte> texels;
    texels.reserve(row_bytes * rows);
    for (size_t i = 0; i < size_t{box.width} * rows; ++i)
        texels.insert(texels.end(), texel.begin(), texel.end());
    for (uint32_t z = 0; z < box.depth; ++z)
        for (uint32_t y = 0; y < box.height && !context.device().cancelled(); y += rows) {
            const uint32_t height = std::min(rows, box.height - y);
            const raster::Box band{box.x, box.y + y, box.z + z, box.width, height, 1};
            const auto data = std::span(texels).first(row_bytes * height);
            if (!context.accept(target.write(context.device(), {level, band},
                                             {0, row_bytes, data.size()}, data),
                                "CLEAR_TEXTURE"))
                return;
        }
}

}  // namespace

Result<void> resource_inline_write(Context& context, const Command& command) {
    VALKYR_TRY(target, context.resource(command.words[1]));
    context.upload(*target, transfer_box(command.words), transfer_layout(command.words, 0),
                   std::as_bytes(command.words.from(12)));
    return {};
}

Result<void> transfer_3d(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(target, context.resource(words[1]));
    const TransferBox box = transfer_box(words);
    const TransferLayout layout = transfer_layout(words, words[12]);
    if (words[13] == 1) {
        context.upload_from_guest(*target, box, layout, words[1], *target);
        return {};
    }
    if (words[13] != 2)
        return malformed("no transfer direction " + std::to_string(words[13]));
    context.finish();
    context.accept(target->read(context.device(), box, layout, target->guest().bytes()),
                   "TRANSFER3D");
    return {};
}

Result<void> copy_transfer_3d(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(target, context.resource(words[1]));
    VALKYR_TRY(source, context.resource(words[12]));
    const TransferBox box = transfer_box(words);
    const TransferLayout layout = transfer_layout(words, words[13]);
    if ((words[14] & 2) == 0) {
        context.upload_from_guest(*target, box, layout, words[12], *source);
        return {};
    }
    context.finish();
    context.accept(target->read(context.device(), box, layout, source->guest().bytes()),
                   "COPY_TRANSFER3D");
    return {};
}

Result<void> resource_copy_region(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(target, context.resource(words[1]));
    VALKYR_TRY(source, context.resource(words[6]));
    const raster::Box box = box_at(words, 8);
    raster::Device& device = context.device();
    if (target->is_buffer() != source->is_buffer())
        return malformed("a copy between a buffer and a texture");
    if (target->is_buffer()) {
        const raster::BufferRef to = target->buffer(device);
        context.accept(device.copy_buffer(to, words[3], source->buffer(device), box.x, box.width),
                       "RESOURCE_COPY_REGION");
        return {};
    }
    const raster::Box to{words[3], words[4], words[5], box.width, box.height, box.depth};
    context.accept(target->copy_from(device, {words[2], to}, *source, {words[7], box}),
                   "RESOURCE_COPY_REGION");
    return {};
}

Result<void> blit(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(target, context.resource(words[4]));
    VALKYR_TRY(source, context.resource(words[13]));
    if (!target->texture() || !source->texture())
        return {};
    if (words.bit(1, 11) && !context.condition_holds())
        return {};
    raster::BlitInfo info;
    info.destination = blit_region(words, 4, *target);
    info.source = blit_region(words, 13, *source);
    const bool linear = words.bits(1, 8, 2) != 0 && scales(info);
    info.filter = linear ? raster::Filter::Linear : raster::Filter::Nearest;
    info.color_mask = static_cast<uint8_t>(words.bits(1, 0, 4));
    info.depth = words.bit(1, 4);
    info.stencil = words.bit(1, 5);
    if (words.bit(1, 10)) {
        const auto corner = [&](size_t at, unsigned start) {
            return static_cast<int32_t>(words.bits(at, start, 16));
        };
        info.scissor = raster::Rect{corner(2, 0), corner(2, 16), corner(3, 0), corner(3, 16)};
    }
    context.accept(context.device().blit(info), "BLIT");
    return {};
}

Result<void> clear_texture(Context& context, const Command& command) {
    const Words& words = command.words;
    VALKYR_TRY(target, context.resource(words[1]));
    if (target->is_buffer()) {
        context.accept(context.device().fill_buffer(target->buffer(context.device()), words[3],
                                                    words[6], std::as_bytes(words.from(9))),
                       "CLEAR_TEXTURE");
        return {};
    }
    const FormatShape shape = format_shape(format_of(target->desc().format));
    const raster::Box box = box_at(words, 3);
    if (!target->texture() || shape.block_bytes > 16 || shape.block_width != 1)
        return {};
    const raster::TextureDesc& desc = target->texture()->desc();
    if (box.width > desc.width || box.height > desc.height ||
        box.depth > std::max(desc.depth, desc.layers))
        return malformed("a box larger than its texture");
    const auto texel = std::as_bytes(words.from(9)).first(shape.block_bytes);
    if (desc.samples > 1)
        context.accept(fill_samples(context, target->texture(), words[2], box, texel),
                       "CLEAR_TEXTURE");
    else
        fill_box(context, *target, words[2], box, texel);
    return {};
}

}  // namespace valkyr::virgl
