// Image messages: executes LD_TEX, LEA_TEX and ST_CVT (GL 4.6 section 8.26).
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "exec/image_conversion.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/register_convert.hpp"

#include <bit>

namespace valkyr::raster {
namespace {

using exec::ImageDescriptor;
using exec::RegisterFormat;
using exec::TextureKind;

TexelPlace unpack_place(TextureKind kind, uint32_t xy, uint32_t zw) {
    const exec::ImageFields& fields = exec::kImageFields[static_cast<size_t>(kind)];
    if (kind == TextureKind::Buffer)
        return {.x = xy};
    TexelPlace at{.x = xy & 0xFFFF};
    if (fields.y)
        at.y = xy >> 16;
    if (fields.depth)
        at.slice = zw & 0xFFFF;
    if (fields.layer)
        at.slice = zw >> 16;
    if (fields.sample)
        at.sample = zw & 0xFFFF;
    return at;
}

/// Returns the texel's address, or null if the texel does not exist.
uint8_t* texel_address(const ImageDescriptor* image, uint32_t xy, uint32_t zw) {
    if (image == nullptr || image->data == nullptr ||
        static_cast<size_t>(image->kind) >= exec::kImageFields.size())
        return nullptr;
    const FormatInfo& info = exec::format_info(image->format);
    const TexelPlace at = unpack_place(image->kind, xy, zw);
    if (!is_plain(info) || at.x >= image->width || at.y >= image->height ||
        at.slice >= image->depth || at.sample >= image->samples)
        return nullptr;
    return image->data + texel_offset(image->kind, at, image->tiles_per_row, image->slice_bytes,
                                      image->samples, info.block_bytes);
}

const ImageDescriptor* find_image(const Warp& warp, uint32_t handle) {
    const exec::ResourceTables& tables = warp.draw->tables;
    return exec::find_descriptor(tables.images, tables.image_count, handle,
                                 exec::ResourceTable::Images);
}

}  // namespace

void env_image_load(const Warp& warp,
                    const exec::ImageMessage& message,
                    const Lanes& xy,
                    const Lanes& zw,
                    Lanes* out) noexcept {
    const ImageDescriptor* image = find_image(warp, message.handle);
    const FormatInfo& info = exec::format_info(image ? image->format : exec::Format::None);
    for_each_lane(warp.running, [&](unsigned lane) {
        Values components{};
        if (image != nullptr) {
            const uint8_t* texel = texel_address(image, xy.v[lane], zw.v[lane]);
            components = decode_texel(info, texel != nullptr ? texel : kZeroTexel.data());
        }
        write_registers(out, lane, components, component_count(message.components),
                        is_half(message.format), register_kind(message.format, info), info);
    });
}

void env_image_address(const Warp& warp,
                       const exec::ImageMessage& message,
                       const Lanes& xy,
                       const Lanes& zw,
                       Lanes* out) noexcept {
    const ImageDescriptor* image = find_image(warp, message.handle);
    const exec::Format format = image != nullptr ? image->format : exec::Format::None;
    const uint32_t conversion = exec::conversion_word(format, message.format);
    for_each_lane(warp.running, [&](unsigned lane) {
        const auto address = std::bit_cast<uintptr_t>(texel_address(image, xy.v[lane], zw.v[lane]));
        out[0].v[lane] = static_cast<uint32_t>(address);
        out[1].v[lane] = static_cast<uint32_t>(uint64_t{address} >> 32);
        out[2].v[lane] = conversion;
    });
}

void env_convert_store(const Warp& warp,
                       RegisterFormat format,
                       uint8_t components,
                       const Lanes& address_low,
                       const Lanes& address_high,
                       uint32_t offset,
                       const Lanes& conversion,
                       const Lanes* in) noexcept {
    for_each_lane(storing_lanes(warp), [&](unsigned lane) {
        const uint64_t base = address_low.v[lane] | uint64_t{address_high.v[lane]} << 32;
        const uint32_t code = conversion.v[lane] & exec::kConversionFormatMask;
        if (base == 0 || code >= exec::kFormatCount)
            return;  // the texel or the format does not exist
        const FormatInfo& info = exec::format_info(static_cast<exec::Format>(code));
        auto* texel = std::bit_cast<uint8_t*>(static_cast<uintptr_t>(base + offset));
        if (is_plain(info))
            encode_texel(info, read_registers(in, lane, component_count(components), format, info),
                         register_kind(format, info), texel);
    });
}

}  // namespace valkyr::raster
