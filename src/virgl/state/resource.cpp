// Resources: create textures and buffers, and copy between guest and host storage.
// SPDX-License-Identifier: MIT
#include "virgl/state/resource.hpp"

#include "virgl/protocol/words.hpp"
#include "virgl/state/exhausted.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace valkyr::virgl {
namespace {

using raster::Box;
using raster::TextureKind;

struct TargetRule {
    TextureKind kind;
    TextureKind multisampled;  ///< Buffer: this target has no multisampled kind
};
/// Indexed by Target.
constexpr std::array<TargetRule, kTargets> kTargetRules{{
    {TextureKind::Buffer, TextureKind::Buffer},
    {TextureKind::Tex1D, TextureKind::Buffer},
    {TextureKind::Tex2D, TextureKind::Tex2DMs},
    {TextureKind::Tex3D, TextureKind::Buffer},
    {TextureKind::Cube, TextureKind::Buffer},
    {TextureKind::Rect, TextureKind::Buffer},
    {TextureKind::Tex1DArray, TextureKind::Buffer},
    {TextureKind::Tex2DArray, TextureKind::Tex2DMsArray},
    {TextureKind::CubeArray, TextureKind::Buffer},
}};

uint32_t minified(uint32_t size, uint32_t level) {
    return std::max(size >> level, 1U);
}
uint64_t blocks(uint32_t texels, uint32_t block) {
    return (uint64_t{texels} + block - 1) / block;
}

Error outside(std::string text) {
    return Error{Errc::OutOfRange, {}, std::move(text)};
}

bool has_layers(Target target) {
    return target == Target::Tex1DArray || target == Target::Tex2DArray || target == Target::Cube ||
           target == Target::CubeArray;
}

raster::TextureDesc texture_desc(const ResourceDesc& desc, raster::Format format) {
    const TargetRule& rule = kTargetRules[static_cast<size_t>(desc.target)];
    raster::TextureDesc texture;
    texture.samples = std::max(desc.samples, 1U);
    texture.kind = texture.samples > 1 ? rule.multisampled : rule.kind;
    texture.format = format;
    texture.width = desc.width;
    texture.height = std::max(desc.height, 1U);
    texture.depth = desc.target == Target::Tex3D ? std::max(desc.depth, 1U) : 1;
    texture.layers = has_layers(desc.target) ? std::max(desc.array_size, 1U) : 1;
    if (desc.target == Target::Cube)
        texture.layers = 6;
    texture.levels = desc.last_level + 1;
    return texture;
}

/// Whether a texture can be stored with components wider than the client's.
bool can_widen(const ResourceDesc& desc) {
    return format_of(desc.format) == raster::Format::R16G16B16A16_FLOAT && desc.samples <= 1 &&
           desc.last_level == 0 && (desc.target == Target::Tex2D || desc.target == Target::Rect);
}
constexpr raster::Format kWidened = raster::Format::R32G32B32A32_FLOAT;

/// The format in which a texture is stored. Mesa offers windows and pbuffers no components wider
/// than binary16, with which it stands in for 16-bit and 32-bit ones (OSMesa): those are stored as
/// binary32. Mesa 25.0 and later binds windows as any texture: widen() is for these.
raster::Format stored_format(const ResourceDesc& desc) {
    return (desc.bind & kBindDisplayTarget) != 0 && can_widen(desc) ? kWidened
                                                                    : format_of(desc.format);
}

/// A region of a blit that covers a box of a flat texture.
raster::BlitRegion region_of(const raster::TextureRef& texture, const raster::Box& box) {
    raster::BlitRegion region;
    region.texture = texture;
    region.x = static_cast<int32_t>(box.x);
    region.y = static_cast<int32_t>(box.y);
    region.width = static_cast<int32_t>(box.width);
    region.height = static_cast<int32_t>(box.height);
    return region;
}

/// An upper bound of the device's memory for a texture, which stores compressed texels decoded.
uint64_t texture_bytes(const raster::TextureDesc& desc, const FormatShape& shape) {
    const uint64_t texel = shape.block_width > 1 ? 8 : shape.block_bytes;
    const uint64_t slice = blocks(desc.width, 4) * blocks(desc.height, 4) * 16;
    const uint64_t base = slice * desc.depth * desc.layers * desc.samples * texel;
    return desc.levels > 1 ? base * 2 : base;
}

}  // namespace

Result<void> Charge::add(uint64_t bytes) {
    if (!budget_->take(bytes))
        return outside("the client's resources are larger than " +
                       std::to_string(budget_->limit() >> 20) + " MiB");
    bytes_ += bytes;
    return {};
}

Result<std::shared_ptr<Resource>> Resource::create(raster::Device& device,
                                                   const Budgets& budgets,
                                                   const ResourceDesc& desc,
                                                   uint64_t guest_bytes) {
    constexpr uint32_t kFar = 1U << 16;
    if (desc.target != Target::Buffer &&
        std::max({desc.width, desc.height, desc.depth, desc.array_size}) >= kFar)
        return outside("a texture of more than 65535 texels a side");
    if (desc.last_level > 31)
        return outside("more than 32 levels");
    if (desc.samples > exec::kMaxSamples)
        return outside("more than " + std::to_string(exec::kMaxSamples) + " samples a texel");
    std::shared_ptr<Resource> resource(new Resource(budgets, desc));
    resource->format_ = format_of(desc.format);
    resource->stored_format_ = stored_format(desc);
    resource->shape_ = format_shape(resource->format_);
    if (guest_bytes != 0) {
        VALKYR_TRY_VOID(resource->guest_charge_.add(guest_bytes));
        VALKYR_TRY(guest, budgets.pool->take(guest_bytes));
        resource->guest_ = std::move(guest);
    }
    if (resource->is_buffer())
        VALKYR_TRY_VOID(resource->charge_.add(desc.width));
    else
        VALKYR_TRY_VOID(resource->create_texture(device));
    return resource;
}

Result<void> Resource::create_texture(raster::Device& device) {
    if (format_ == raster::Format::None) {
        refusal_ = Error{Errc::Unsupported, {}, "format " + std::to_string(desc_.format)};
        return {};
    }
    raster::TextureDesc desc = texture_desc(desc_, stored_format_);
    if (auto charged = charge_.add(texture_bytes(desc, format_shape(stored_format_))); !charged) {
        refusal_ = std::move(charged);
        return {};
    }
    desc.render_target = true;
    auto texture = device.create_texture(desc);
    if (!texture) {
        desc.render_target = false;
        texture = device.create_texture(desc);
    }
    if (texture)
        texture_ = *std::move(texture);
    else
        refusal_ = std::move(texture).error();
    return {};
}

Result<void> Resource::widen(raster::Device& device) {
    if (!texture_ || is_widened() || !can_widen(desc_))
        return {};
    const raster::TextureRef before = std::exchange(texture_, {});
    stored_format_ = kWidened;
    VALKYR_TRY_VOID(create_texture(device));
    if (!texture_) {
        texture_ = before;
        stored_format_ = format_;
        return std::exchange(refusal_, {});
    }
    return store(device, {0, 0, 0, desc_.width, std::max(desc_.height, 1U), 1}, before);
}

const raster::BufferRef& Resource::buffer(raster::Device& device) {
    if (buffer_ || !is_buffer())
        return buffer_;
    if (auto made = device.create_buffer(desc_.width))
        buffer_ = *std::move(made);
    else
        end_if_exhausted(made.error());
    return buffer_;
}

Result<TransferBox> Resource::checked(TransferBox transfer) const {
    if (transfer.level > desc_.last_level)
        return outside("no level " + std::to_string(transfer.level));
    if (is_buffer() || shape_.block_width <= 1)
        return transfer;
    // A box of compressed texels may cover whole blocks at the edge and so exceed the level: trim
    // it.
    const auto trim = [](uint32_t at, uint32_t& count, uint32_t limit) {
        if (at < limit)
            count = std::min(count, limit - at);
    };
    trim(transfer.box.x, transfer.box.width, minified(desc_.width, transfer.level));
    trim(transfer.box.y, transfer.box.height, minified(desc_.height, transfer.level));
    return transfer;
}

TransferLayout Resource::natural(const TransferBox& transfer) const {
    const uint32_t level = std::min(transfer.level, desc_.last_level);
    TransferLayout layout;
    layout.stride = blocks(minified(desc_.width, level), shape_.block_width) * shape_.block_bytes;
    layout.layer_stride =
        layout.stride * blocks(minified(desc_.height, level), shape_.block_height);
    return layout;
}

TransferLayout Resource::complete(const TransferBox& box, TransferLayout layout) const {
    const TransferLayout usual = natural(box);
    if (layout.stride == 0)
        layout.stride = usual.stride;
    if (layout.layer_stride == 0)
        layout.layer_stride = std::max(usual.layer_stride,
                                       layout.stride * blocks(box.box.height, shape_.block_height));
    return layout;
}

uint64_t Resource::extent(const TransferBox& transfer, const TransferLayout& layout) const {
    const raster::Box& box = transfer.box;
    if (is_buffer())
        return box.width;
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return 0;
    const TransferLayout whole = complete(transfer, layout);
    return (box.depth - 1) * whole.layer_stride +
           (blocks(box.height, shape_.block_height) - 1) * whole.stride +
           blocks(box.width, shape_.block_width) * shape_.block_bytes;
}

Result<void> Resource::write(raster::Device& device,
                             const TransferBox& transfer,
                             const TransferLayout& layout,
                             std::span<const std::byte> data) {
    VALKYR_TRY(box, checked(transfer));
    if (layout.offset > data.size())
        return outside("a transfer from behind its source");
    const auto source = data.subspan(layout.offset);
    if (is_buffer()) {
        if (box.box.width > source.size())
            return outside("a transfer of more bytes than its source has");
        const raster::BufferRef& host = buffer(device);
        if (!host)
            return Error{Errc::OutOfMemory, {}, "no memory for a buffer"};
        return device.write_buffer(host, box.box.x, source.first(box.box.width));
    }
    return texture_ ? write_texels(device, box, complete(box, layout), source) : Result<void>();
}

Result<raster::TextureRef> Resource::new_texels(raster::Device& device, const Box& box) const {
    if (uint64_t{box.x} + box.width > desc_.width || uint64_t{box.y} + box.height > desc_.height ||
        box.z != 0 || box.depth > 1)
        return outside("texels that the texture does not have");
    raster::TextureDesc desc;
    desc.format = format_;
    desc.width = box.width;
    desc.height = box.height;
    return device.create_texture(desc);
}

Result<raster::TextureRef> Resource::load(raster::Device& device, const Box& box) const {
    VALKYR_TRY(texels, new_texels(device, box));
    raster::BlitInfo blit;
    blit.source = region_of(texture_, box);
    blit.destination = region_of(texels, {0, 0, 0, box.width, box.height, 1});
    VALKYR_TRY_VOID(device.blit(blit));
    return texels;
}

Result<void>
Resource::store(raster::Device& device, const Box& box, const raster::TextureRef& texels) const {
    raster::BlitInfo blit;
    blit.source = region_of(texels, {0, 0, 0, box.width, box.height, 1});
    blit.destination = region_of(texture_, box);
    return device.blit(blit);
}

Result<void> Resource::write_texels(raster::Device& device,
                                    const TransferBox& transfer,
                                    const TransferLayout& layout,
                                    std::span<const std::byte> data) {
    const auto& [level, box] = transfer;
    if (!is_widened() || box.is_empty())
        return device.write_texture(texture_, level, box, data, layout.stride, layout.layer_stride);
    VALKYR_TRY(texels, new_texels(device, box));
    VALKYR_TRY_VOID(device.write_texture(texels, 0, {0, 0, 0, box.width, box.height, 1}, data,
                                         layout.stride, layout.layer_stride));
    return store(device, box, texels);
}

Result<void> Resource::read(raster::Device& device,
                            const TransferBox& transfer,
                            const TransferLayout& layout,
                            std::span<std::byte> data) {
    VALKYR_TRY(box, checked(transfer));
    if (layout.offset > data.size())
        return outside("a transfer to behind its destination");
    const auto target = data.subspan(layout.offset);
    if (is_buffer()) {
        if (box.box.width > target.size())
            return outside("a transfer of more bytes than its destination has");
        const raster::BufferRef& host = buffer(device);
        if (!host)
            return Error{Errc::OutOfMemory, {}, "no memory for a buffer"};
        return device.read_buffer(host, box.box.x, target.first(box.box.width));
    }
    return texture_ ? read_texels(device, box, complete(box, layout), target) : Result<void>();
}

Result<void> Resource::read_texels(raster::Device& device,
                                   const TransferBox& transfer,
                                   const TransferLayout& layout,
                                   std::span<std::byte> data) {
    const auto& [level, box] = transfer;
    if (!is_widened() || box.is_empty())
        return device.read_texture(texture_, level, box, data, layout.stride, layout.layer_stride);
    VALKYR_TRY(texels, load(device, box));
    return device.read_texture(texels, 0, {0, 0, 0, box.width, box.height, 1}, data, layout.stride,
                               layout.layer_stride);
}

Result<void> Resource::copy_from(raster::Device& device,
                                 const TransferBox& target,
                                 const Resource& source,
                                 const TransferBox& from) {
    const auto& [level, to] = target;
    if (!texture_ || !source.texture_)
        return {};
    if (is_widened() == source.is_widened() || from.box.is_empty())
        return device.copy_texture(texture_, level, to.x, to.y, to.z, source.texture_, from.level,
                                   from.box);
    if (source.is_widened()) {
        VALKYR_TRY(texels, source.load(device, from.box));
        return device.copy_texture(texture_, level, to.x, to.y, to.z, texels, 0,
                                   {0, 0, 0, from.box.width, from.box.height, 1});
    }
    VALKYR_TRY(texels, new_texels(device, to));
    VALKYR_TRY_VOID(device.copy_texture(texels, 0, 0, 0, 0, source.texture_, from.level, from.box));
    return store(device, to, texels);
}

}  // namespace valkyr::virgl
