// Memory textures: hold textures and images in plain memory.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/memory_texture.hpp"

#include "tests/oracle/sampling/texel_channel.hpp"
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/target_shape.hpp"

#include <algorithm>

namespace valkyr::tgsi {

namespace {

uint32_t halved(uint32_t size, uint32_t level) {
    return level < 32 ? std::max(size >> level, 1U) : 1;
}

/// Steps if all channels are small and normalised, since their filters are exact integer sums.
TexelClass class_of(const TexelFormat& format) {
    if (format.is_integer())
        return TexelClass::Integers;
    for (unsigned i = 0; i < format.channel_count; ++i) {
        const FormatChannel& channel = format.channels[i];
        const bool normalized =
            channel.type == ChannelType::Unorm || channel.type == ChannelType::Snorm;
        const bool depth = channel.letter == 'D' || channel.letter == 'S';
        if (!normalized || channel.bits > 8 || depth)
            return TexelClass::Numbers;
    }
    return TexelClass::Steps;
}

}  // namespace

MemoryTexture::MemoryTexture(const TexelFormat& format, const TextureShape& shape)
    : format_(format)
    , shape_(shape)
    , class_(class_of(format)) {}

Result<MemoryTexture> MemoryTexture::create(std::string_view format_name,
                                            const TextureShape& shape) {
    VALKYR_TRY(format, texel_format(format_name));
    constexpr uint32_t kMaxSide = 1U << 27;
    const bool sound = shape.width > 0 && shape.height > 0 && shape.depth > 0 &&
                       shape.samples > 0 && shape.levels > 0 && shape.levels <= 32 &&
                       shape.width <= kMaxSide && shape.height <= 65536 && shape.depth <= 65536 &&
                       shape.samples <= 16;
    if (!sound)
        return Error{Errc::OutOfRange, {}, "size of a texture"};
    MemoryTexture out(format, shape);
    uint64_t total = 0;
    for (uint32_t level = 0; level < shape.levels; ++level) {
        const auto extent = out.extent(level);
        const uint64_t texels = uint64_t{extent[0]} * extent[1] * extent[2];
        if (texels > kMaxTextureBytes)
            return Error{Errc::OutOfRange, {}, "size of a texture"};
        total += texels * shape.samples * format.bytes;
        if (total > kMaxTextureBytes)
            return Error{Errc::OutOfRange, {}, "size of a texture"};
        out.data_.emplace_back(texels * shape.samples * format.bytes);
    }
    return out;
}

std::array<uint32_t, 3> MemoryTexture::extent(uint32_t level) const {
    return {halved(shape_.width, level), halved(shape_.height, level),
            shape_.mips_depth ? halved(shape_.depth, level) : shape_.depth};
}

size_t
MemoryTexture::offset(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) const {
    const auto size = extent(level);
    const size_t texel = (size_t{at[2]} * size[1] + at[1]) * size[0] + at[0];
    return (texel * shape_.samples + sample) * format_.bytes;
}

uint8_t*
MemoryTexture::address(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) {
    return data_[level].data() + offset(level, at, sample);
}

void MemoryTexture::set(uint32_t level, const std::array<uint32_t, 3>& at, const Word4& value) {
    encode_texel(format_, value, address(level, at));
}

uint32_t MemoryTexture::steps(unsigned component) const {
    const uint8_t channel = format_.from[component];
    return channel == TexelFormat::kConstant ? 1 : largest_code(format_.channels[channel]);
}

bool MemoryTexture::is_unorm() const {
    const ChannelType type = format_.channels[0].type;
    return type == ChannelType::Unorm || type == ChannelType::Srgb;
}
bool MemoryTexture::is_snorm() const {
    return format_.channels[0].type == ChannelType::Snorm;
}

Word4 MemoryTexture::read(const uint8_t* texel) const {
    if (class_ != TexelClass::Steps)
        return decode_texel(format_, texel);
    Word4 out{0, 0, 0, 1};
    for (unsigned c = 0; c < 4; ++c) {
        if (format_.from[c] == TexelFormat::kConstant)
            continue;
        const FormatChannel& channel = format_.channels[format_.from[c]];
        const uint32_t code = channel_code(format_, texel, format_.from[c]);
        out[c] = channel.type == ChannelType::Snorm
                     ? static_cast<uint32_t>(signed_code(channel, code))
                     : code;
    }
    return out;
}

Word4 MemoryTexture::texel(uint32_t level,
                           const std::array<uint32_t, 3>& at,
                           uint32_t sample) const {
    return read(data_[level].data() + offset(level, at, sample));
}

Word4 MemoryTexture::zero() const {
    const std::array<uint8_t, 16> nothing{};
    return read(nothing.data());
}

/// In small formats and integers the colour goes through the bits of a texel. In others it stays a
/// number, limited to the format's range.
Word4 MemoryTexture::border(const Word4& color) const {
    if (class_ != TexelClass::Numbers) {
        std::array<uint8_t, 16> bits{};
        encode_texel(format_, color, bits.data());
        return read(bits.data());
    }
    Word4 out{0, 0, 0, arith::kOne};
    for (unsigned c = 0; c < 4; ++c) {
        if (format_.from[c] == TexelFormat::kConstant)
            continue;
        const ChannelType type = format_.channels[format_.from[c]].type;
        const uint32_t value = type != ChannelType::Float && arith::is_nan(color[c]) ? 0 : color[c];
        out[c] = type == ChannelType::Float   ? value
                 : type == ChannelType::Snorm ? arith::clamp(value, 0xBF800000, arith::kOne)
                                              : arith::saturate(value);
    }
    return out;
}

uint8_t* MemoryImages::find(const ImagePlace& place, TexelFormat& format) {
    MemoryTexture* image = place.image < images.size() ? images[place.image] : nullptr;
    if (image == nullptr)
        return nullptr;
    const TargetShape shape = target_shape(place.target);
    std::array<uint32_t, 3> at{0, 0, 0};
    for (unsigned d = 0; d < shape.dimensions; ++d)
        at[d] = place.coord[d];
    if (shape.cube)
        at[2] = place.coord[2];
    else if (shape.array)
        at[2] = place.coord[shape.dimensions];
    const uint32_t sample = shape.multisample ? place.sample : 0;
    const auto extent = image->extent(0);
    if (at[0] >= extent[0] || at[1] >= extent[1] || at[2] >= extent[2] ||
        sample >= image->samples())
        return nullptr;
    format = image->format();
    if (const auto named = texel_format(place.format); named && named->bytes == format.bytes)
        format = *named;
    return image->address(0, at, sample);
}

Word4 MemoryImages::load(const ImagePlace& place) {
    TexelFormat format;
    const uint8_t* texel = find(place, format);
    return texel == nullptr ? Word4{} : decode_texel(format, texel);
}

void MemoryImages::store(const ImagePlace& place, const Word4& value) {
    TexelFormat format;
    if (uint8_t* texel = find(place, format))
        encode_texel(format, value, texel);
}

uint32_t* MemoryImages::texel(const ImagePlace& place) {
    TexelFormat format;
    uint8_t* const bytes = find(place, format);
    // Texels of four bytes start at multiples of four in a vector's memory.
    return bytes != nullptr && format.bytes == 4 ? reinterpret_cast<uint32_t*>(bytes) : nullptr;
}

TextureSize MemoryImages::size(uint32_t image) {
    TextureSize out;
    if (image >= images.size() || images[image] == nullptr)
        return out;
    const auto extent = images[image]->extent(0);
    out.width = extent[0];
    out.height = extent[1];
    out.depth = extent[2];
    out.levels = images[image]->levels();
    out.samples = images[image]->samples();
    return out;
}

}  // namespace valkyr::tgsi
