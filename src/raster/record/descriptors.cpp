// Descriptors: compute sampler fields in fixed point, view formats and kinds, and vertex elements.
// SPDX-License-Identifier: MIT
#include "raster/record/descriptors.hpp"

#include "raster/formats/block_decode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace valkyr::raster {
namespace {

/// Rounds to 1/256 and clamps to [low, high] steps; NaN gives low.
int32_t fixed_8(float value, int32_t low, int32_t high) {
    const float scaled = std::rint(value * 256.0F);
    if (!(scaled > static_cast<float>(low)))
        return low;
    return scaled < static_cast<float>(high) ? static_cast<int32_t>(scaled) : high;
}

template <typename Enum>
bool in_range(Enum value, Enum last) {
    return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
}

bool is_sampler(const SamplerState& s) {
    return in_range(s.wrap_s, Wrap::MirrorClamp) && in_range(s.wrap_t, Wrap::MirrorClamp) &&
           in_range(s.wrap_r, Wrap::MirrorClamp) && in_range(s.min_filter, Filter::Linear) &&
           in_range(s.mag_filter, Filter::Linear) && in_range(s.mip_filter, MipFilter::Linear) &&
           in_range(s.compare, CompareFunc::Always);
}

Error bad_view(std::string text) {
    return Error{Errc::InvalidState, {}, "texture view: " + std::move(text)};
}
Error bad_image(std::string text) {
    return Error{Errc::InvalidState, {}, "image: " + std::move(text)};
}

/// Applies the swizzle of the view after that of the format.
void combine_swizzles(const TextureView& view, Format format, exec::Swizzle* combined) {
    const exec::FormatInfo& info = exec::format_info(format);
    for (size_t i = 0; i < 4; ++i) {
        const exec::Swizzle s = view.swizzle[i];
        combined[i] = s <= exec::Swizzle::W ? info.swizzle[static_cast<size_t>(s)] : s;
    }
}

/// Returns where a component is in a decoded copy, unless the format has a constant for it.
exec::Swizzle component_of(exec::Swizzle s, const exec::FormatInfo& info) {
    if (s > exec::Swizzle::W)
        return s;
    const exec::Swizzle channel = info.swizzle[static_cast<size_t>(s)];
    return channel <= exec::Swizzle::W ? s : channel;
}

/// Returns the format that a view reads with. Its texels must have the size of the texture's.
Result<Format> view_format(Format format, const TextureImpl& texture) {
    if (format == Format::None)
        return texture.desc().format;
    if (static_cast<unsigned>(format) >= exec::kFormatCount)
        return bad_view("no such format");
    const exec::FormatInfo& info = exec::format_info(format);
    if (exec::format_info(storage_format(format)).block_bytes != texture.texel_bytes() ||
        info.block_width != exec::format_info(texture.desc().format).block_width)
        return bad_view(std::string(info.name) + " on texels of " +
                        std::string(exec::format_info(texture.desc().format).name));
    return format;
}

/// Classes of kinds that can be views of each other: members differ in layers, faces and the
/// scaling of RECT.
unsigned dimension_class(TextureKind kind) {
    switch (kind) {
    case TextureKind::Buffer: return 0;
    case TextureKind::Tex1D:
    case TextureKind::Tex1DArray: return 1;
    case TextureKind::Tex2D:
    case TextureKind::Rect:
    case TextureKind::Cube:
    case TextureKind::Tex2DArray:
    case TextureKind::CubeArray: return 2;
    case TextureKind::Tex3D: return 3;
    case TextureKind::Tex2DMs:
    case TextureKind::Tex2DMsArray: return 4;
    }
    return 5;
}

/// Returns the kind that shaders see; `layers` is the view's layer count.
Result<TextureKind> view_kind(TextureKind wanted, const TextureDesc& desc, uint32_t layers) {
    const TextureKind kind = wanted == TextureKind::Buffer ? desc.kind : wanted;
    if (dimension_class(kind) != dimension_class(desc.kind))
        return bad_view("a kind of other dimensions");
    const bool cube = wanted == TextureKind::Cube || wanted == TextureKind::CubeArray;
    if (cube && (layers % 6 != 0 || desc.width != desc.height))
        return bad_view("cubes are square and have six layers each");
    return kind;
}

/// Whether coordinates name a layer or a face.
bool has_layers(TextureKind kind) {
    switch (kind) {
    case TextureKind::Tex1DArray:
    case TextureKind::Tex2DArray:
    case TextureKind::Tex2DMsArray:
    case TextureKind::Cube:
    case TextureKind::CubeArray: return true;
    default: return false;
    }
}

/// Texels in a range of a buffer.
struct BufferTexels {
    uint8_t* data = nullptr;
    uint32_t count = 0;
};

/// Returns the whole texels of `format` in a range that holds at least the first byte; otherwise
/// none.
Result<BufferTexels>
buffer_texels(const BufferRange& range, Format format, const DeviceTag* owner) {
    BufferImpl* buffer = own_buffer(range.buffer, owner);
    if (buffer == nullptr)
        return bad_view("a buffer of another device");
    if (static_cast<unsigned>(format) >= exec::kFormatCount)
        return bad_view("no such format");
    const exec::FormatInfo& info = exec::format_info(format);
    if (format == Format::None ||
        (info.layout != exec::FormatLayout::Array && info.layout != exec::FormatLayout::Packed))
        return bad_view(std::string(info.name) + " in a buffer");
    const uint32_t bytes = info.block_bytes;
    if (range.offset % (std::has_single_bit(bytes) ? bytes : bytes / 3) != 0)
        return bad_view("an offset that is no multiple of the texel's size");
    if (range.offset > buffer->size())
        return Error{Errc::OutOfRange, {}, "texture view: an offset behind the buffer"};
    const uint64_t size = std::min(range.size, buffer->size() - range.offset);
    return BufferTexels{buffer->data() + range.offset,
                        static_cast<uint32_t>(std::min<uint64_t>(size / bytes, kMaxBufferTexels))};
}

Result<exec::TextureDescriptor> buffer_texture(const TextureView& view, const DeviceTag* owner) {
    VALKYR_TRY(texels, buffer_texels(view.buffer, view.format, owner));
    if (view.kind != TextureKind::Buffer)
        return bad_view("a buffer as another kind");
    exec::TextureDescriptor d;
    d.kind = TextureKind::Buffer;
    d.format = view.format;
    combine_swizzles(view, view.format, d.swizzle);
    d.level_count = 1;
    d.power_of_two = std::has_single_bit(texels.count);
    d.levels[0].data = texels.data;
    d.levels[0].width = texels.count;
    d.levels[0].height = d.levels[0].depth = 1;
    return d;
}

Result<exec::ImageDescriptor> buffer_image(const ImageView& view, const DeviceTag* owner) {
    VALKYR_TRY(texels, buffer_texels(view.buffer, view.format, owner));
    if (view.kind != TextureKind::Buffer || !is_color_renderable(view.format))
        return bad_image("not a kind or format of a buffer");
    exec::ImageDescriptor d;
    d.data = texels.data;
    d.kind = TextureKind::Buffer;
    d.format = view.format;
    d.width = texels.count;
    d.height = d.depth = 1;
    return d;
}

/// Returns the kind of image that shaders see.
Result<TextureKind> image_kind(const ImageView& view, const TextureDesc& desc, uint32_t layers) {
    if (desc.kind == TextureKind::Tex3D && view.kind == TextureKind::Tex2D)
        return layers == 1 ? Result<TextureKind>(view.kind)
                           : Result<TextureKind>(bad_image("several slices as 2D"));
    return view_kind(view.kind, desc, layers);
}

bool valid_swizzle(const TextureView& view) {
    return std::all_of(view.swizzle.begin(), view.swizzle.end(),
                       [](exec::Swizzle s) { return in_range(s, exec::Swizzle::One); });
}

}  // namespace

Result<exec::SamplerDescriptor> sampler_descriptor(const SamplerState& state) {
    if (!is_sampler(state))
        return Error{Errc::InvalidState, {}, "sampler: an enumerator is out of range"};
    exec::SamplerDescriptor d;
    d.modes = state;
    d.modes.max_anisotropy =
        static_cast<uint8_t>(std::clamp<unsigned>(state.max_anisotropy, 1, 16));
    d.modes.reserved = 0;
    d.lod_bias = static_cast<int16_t>(fixed_8(state.lod_bias, INT16_MIN, INT16_MAX));
    d.min_lod = static_cast<uint16_t>(fixed_8(state.min_lod, 0, 0x1FFF));
    d.max_lod = static_cast<uint16_t>(fixed_8(state.max_lod, 0, 0x1FFF));
    for (size_t i = 0; i < 4; ++i)
        d.border[i] = state.border[i];
    return d;
}

Result<exec::TextureDescriptor> texture_descriptor(const TextureView& view,
                                                   const DeviceTag* owner) {
    exec::TextureDescriptor d;
    if (!valid_swizzle(view))
        return bad_view("no such swizzle");
    if (!view.texture)
        return view.buffer.buffer ? buffer_texture(view, owner) : d;
    TextureImpl* texture = own_texture(view.texture, owner);
    if (texture == nullptr)
        return bad_view("a texture of another device");
    const TextureDesc& desc = texture->desc();
    if (view.first_level >= desc.levels || view.level_count == 0)
        return bad_view("level " + std::to_string(view.first_level) + " of " +
                        std::to_string(desc.levels));
    const uint32_t layers = texture->level(view.first_level).depth;
    if (view.first_layer >= layers || view.layer_count == 0)
        return bad_view("layer " + std::to_string(view.first_layer) + " of " +
                        std::to_string(layers));
    VALKYR_TRY(format, view_format(view.format, *texture));
    const uint32_t view_layers = std::min(view.layer_count, layers - view.first_layer);
    VALKYR_TRY(kind, view_kind(view.kind, desc, view_layers));
    d.kind = kind;
    d.format = storage_format(format);
    combine_swizzles(view, format, d.swizzle);
    d.first_level = view.first_level;
    d.level_count =
        static_cast<uint8_t>(std::min<uint32_t>(view.level_count, desc.levels - view.first_level));
    d.samples = static_cast<uint8_t>(desc.samples);
    const exec::TextureLevel& base = texture->level(view.first_level);
    d.power_of_two = std::has_single_bit(base.width) && std::has_single_bit(base.height);
    d.first_layer = has_layers(kind) ? view.first_layer : 0;
    d.layer_count = view_layers;
    for (uint32_t l = 0; l < desc.levels; ++l) {
        d.levels[l] = texture->level(l);
        if (!has_layers(kind))
            d.levels[l].data = texture->slice(l, view.first_layer);
    }
    return d;
}

namespace {

/// Makes a descriptor that of decoded texels.
void take_decoded(exec::TextureDescriptor& d, const TextureView& view, TextureImpl& texture) {
    const exec::FormatInfo& info = exec::format_info(d.format);
    for (size_t i = 0; i < 4; ++i)
        d.swizzle[i] = component_of(view.swizzle[i], info);
    d.format = FilterCopy::kDecodedFormat;
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        d.levels[l] = texture.filter_copy().levels()[l];
        if (!has_layers(d.kind))
            d.levels[l].data += view.first_layer * d.levels[l].slice_bytes;
    }
}

/// Whether linear filters of a kind read footprints.
bool has_footprints(TextureKind kind) {
    switch (kind) {
    case TextureKind::Tex2D:
    case TextureKind::Rect:
    case TextureKind::Tex2DArray:
    case TextureKind::Tex3D: return true;
    default: return false;
    }
}

}  // namespace

Result<exec::TextureDescriptor>
filter_descriptor(const TextureView& view, const DeviceTag* owner, WantedCopies wanted) {
    VALKYR_TRY(d, texture_descriptor(view, owner));
    TextureImpl* texture = own_texture(view.texture, owner);
    if (texture == nullptr)
        return d;
    const CopyKind kind = FilterCopy::kind_for(*texture, d.format);
    const bool fits = kind == CopyKind::Decoded ? wanted.decoded
                                                : kind == CopyKind::Footprints &&
                                                      wanted.footprints && has_footprints(d.kind);
    if (!fits || !texture->filter_copy().holds(*texture, d.format))
        return d;
    if (kind == CopyKind::Decoded)
        take_decoded(d, view, *texture);
    else
        d.footprints = texture->filter_copy().footprints(*texture);
    return d;
}

Result<exec::ImageDescriptor> image_descriptor(const ImageView& view, const DeviceTag* owner) {
    exec::ImageDescriptor d;
    if (!view.texture)
        return view.buffer.buffer ? buffer_image(view, owner) : d;
    TextureImpl* texture = own_texture(view.texture, owner);
    if (texture == nullptr)
        return bad_image("a texture of another device");
    const TextureDesc& desc = texture->desc();
    if (view.level >= desc.levels)
        return bad_image("level " + std::to_string(view.level) + " of " +
                         std::to_string(desc.levels));
    const exec::TextureLevel& level = texture->level(view.level);
    if (view.first_layer >= level.depth || view.layer_count == 0)
        return bad_image("layer " + std::to_string(view.first_layer) + " of " +
                         std::to_string(level.depth));
    VALKYR_TRY(format, view_format(view.format, *texture));
    if (!is_color_renderable(format) || is_depth_stencil(desc.format))
        return bad_image(std::string(exec::format_info(format).name) + " on texels of " +
                         std::string(exec::format_info(desc.format).name));
    const uint32_t layers = std::min(view.layer_count, level.depth - view.first_layer);
    VALKYR_TRY(kind, image_kind(view, desc, layers));
    d.data = texture->slice(view.level, view.first_layer);
    d.kind = kind;
    d.format = format;
    d.samples = static_cast<uint8_t>(desc.samples);
    d.width = level.width;
    d.height = level.height;
    d.depth = layers;
    d.tiles_per_row = level.tiles_per_row;
    d.slice_bytes = level.slice_bytes;
    return d;
}

Result<exec::BufferDescriptor> storage_descriptor(const BufferRange& range,
                                                  const DeviceTag* owner) {
    exec::BufferDescriptor d;
    if (!range.buffer)
        return d;
    BufferImpl* buffer = own_buffer(range.buffer, owner);
    if (buffer == nullptr)
        return Error{Errc::InvalidState, {}, "shader buffer: a buffer of another device"};
    if (range.offset % 4 != 0)
        return Error{Errc::InvalidState, {}, "shader buffer: the offset is no whole word"};
    if (range.offset > buffer->size())
        return Error{Errc::OutOfRange, {}, "shader buffer: an offset behind the buffer"};
    d.address = buffer->data() + range.offset;
    d.size = std::min({range.size, buffer->size() - range.offset, uint64_t{UINT32_MAX}});
    return d;
}

exec::AttributeDescriptor attribute_descriptor(const VertexElement& element,
                                               uint32_t stride,
                                               const BufferImpl* buffer,
                                               const BufferRange& range,
                                               uint32_t first_instance) {
    exec::AttributeDescriptor d;
    d.stride = stride;
    d.divisor = element.divisor;
    d.format = element.format;
    if (buffer == nullptr || range.offset >= buffer->size())
        return d;
    const uint64_t available = std::min(range.size, buffer->size() - range.offset);
    uint64_t offset = element.offset;
    if (element.divisor != 0)
        offset += uint64_t{first_instance} * stride;
    if (offset >= available)
        return d;
    d.address = buffer->data() + range.offset + offset;
    d.size = available - offset;
    return d;
}

}  // namespace valkyr::raster
