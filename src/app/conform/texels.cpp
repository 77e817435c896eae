// Texels: generates the content of textures.
// SPDX-License-Identifier: MIT
#include "app/conform/texels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::conform {
namespace {

using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;

/// SplitMix64's mixing function (Steele, Lea, Flood 2014).
uint64_t mixed(uint64_t z) {
    z += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/// Converts to a float with 5 exponent bits. The mantissa is truncated and subnormals become 0,
/// which is precise enough for test content.
uint64_t small_float(float value, unsigned mantissa_bits, bool has_sign) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const uint64_t sign = bits >> 31;
    if (sign != 0 && !has_sign)
        return 0;
    const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
    uint64_t code = 0;
    if (exponent >= 31)
        code = uint64_t{31} << mantissa_bits;
    else if (exponent > 0)
        code = static_cast<uint64_t>(exponent) << mantissa_bits |
               (bits & 0x7FFFFF) >> (23 - mantissa_bits);
    return code | (has_sign ? sign << (mantissa_bits + 5) : 0);
}

uint64_t float_code(float value, unsigned bits) {
    switch (bits) {
    case 64: return std::bit_cast<uint64_t>(static_cast<double>(value));
    case 32: return std::bit_cast<uint32_t>(value);
    case 16: return small_float(value, 10, true);
    case 11: return small_float(value, 6, false);
    default: return small_float(value, 5, false);
    }
}

uint64_t channel_code(ChannelType type, unsigned bits, float value) {
    if (type == ChannelType::Float)
        return float_code(value, bits);
    const bool is_signed =
        type == ChannelType::Snorm || type == ChannelType::Sint || type == ChannelType::Sscaled;
    const bool normalised = type == ChannelType::Snorm || type == ChannelType::Unorm;
    const double high = std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0)) - 1;
    const double low = is_signed ? (normalised ? -high : -high - 1) : 0;
    const double scaled = double{value} * (normalised ? high : 1);
    const auto code = static_cast<int64_t>(
        std::nearbyint(std::isnan(scaled) ? 0 : std::clamp(scaled, low, high)));
    return static_cast<uint64_t>(code) & (~uint64_t{0} >> (64 - bits));
}

/// The component (0..3 for r, g, b, a) that a channel holds.
size_t component_of(const FormatInfo& info, size_t channel) {
    for (size_t c = 0; c < 4; c++)
        if (info.swizzle[c] == static_cast<exec::Swizzle>(channel))
            return c;
    return 3;
}

}  // namespace

bool is_encodable(exec::Format format) {
    const FormatLayout layout = exec::format_info(format).layout;
    return layout != FormatLayout::Block && layout != FormatLayout::SharedExponent;
}

void encode(exec::Format format, const Rgba& color, std::vector<uint8_t>& out) {
    const FormatInfo& info = exec::format_info(format);
    std::vector<uint8_t> texel(info.block_bytes);
    unsigned bit = 0;
    for (size_t channel = 0; channel < info.channel_count; channel++) {
        const unsigned bits = info.bits[channel];
        uint64_t code = 0;
        if (info.layout == FormatLayout::DepthStencil &&
            component_of(info, channel) != 0)  // stencil, which is not sampled as r
            code = channel_code(ChannelType::Uint, bits, color[1]);
        else
            code = channel_code(info.type, bits, color[component_of(info, channel)]);
        for (unsigned i = 0; i < bits; i++, bit++)
            texel[bit / 8] = static_cast<uint8_t>(texel[bit / 8] | (code >> i & 1) << bit % 8);
    }
    out.insert(out.end(), texel.begin(), texel.end());
}

LevelSize level_size(const raster::TextureDesc& desc, uint32_t level) {
    LevelSize size;
    size.width = std::max(1U, desc.width >> level);
    size.height = std::max(1U, desc.height >> level);
    size.slices =
        desc.kind == exec::TextureKind::Tex3D ? std::max(1U, desc.depth >> level) : desc.layers;
    return size;
}

uint64_t level_bytes(const raster::TextureDesc& desc, uint32_t level) {
    const FormatInfo& info = exec::format_info(desc.format);
    const LevelSize size = level_size(desc, level);
    const uint64_t columns = (size.width + info.block_width - 1) / info.block_width;
    const uint64_t rows = (size.height + info.block_height - 1) / info.block_height;
    return columns * rows * size.slices * info.block_bytes;
}

Pattern solid(Rgba color) {
    return [color](const TexelAt&, const LevelSize&) { return color; };
}

Pattern checker(uint32_t cell, Rgba first, Rgba second) {
    return [=](const TexelAt& at, const LevelSize&) {
        return ((at.x / cell + at.y / cell + at.z) & 1) == 0 ? first : second;
    };
}

Pattern gradient() {
    return [](const TexelAt& at, const LevelSize& size) {
        const auto part = [](uint32_t i, uint32_t n) {
            return n < 2 ? 0.0F : static_cast<float>(i) / static_cast<float>(n - 1);
        };
        const float x = part(at.x, size.width);
        const float y = part(at.y, size.height);
        return Rgba{x, y, part(at.z, size.slices), 1 - (x + y) / 4};
    };
}

Pattern noise(uint32_t seed) {
    return [seed](const TexelAt& at, const LevelSize& size) {
        const uint64_t place = (uint64_t{at.z} << 42) + (uint64_t{at.y} << 21) + at.x;
        const uint64_t bits = mixed(mixed(seed + uint64_t{size.width} * 977) ^ place);
        Rgba color{};
        for (unsigned c = 0; c < 4; c++)
            color[c] = static_cast<float>(bits >> 16 * c & 0xFFFF) / 65535;
        return color;
    };
}

std::vector<uint8_t> fill_level(const raster::TextureDesc& desc,
                                uint32_t level,
                                const Pattern& pattern,
                                float low,
                                float high) {
    const LevelSize size = level_size(desc, level);
    std::vector<uint8_t> bytes;
    bytes.reserve(level_bytes(desc, level));
    for (uint32_t z = 0; z < size.slices; z++)
        for (uint32_t y = 0; y < size.height; y++)
            for (uint32_t x = 0; x < size.width; x++) {
                Rgba color = pattern({x, y, z}, size);
                for (float& component : color)
                    component = low + component * (high - low);
                encode(desc.format, color, bytes);
            }
    return bytes;
}

std::vector<uint8_t> random_bytes(uint64_t count, uint32_t seed) {
    std::vector<uint8_t> bytes(count);
    for (uint64_t i = 0; i < count; i++)
        bytes[i] = static_cast<uint8_t>(mixed(mixed(seed) + i));
    return bytes;
}

}  // namespace valkyr::conform
