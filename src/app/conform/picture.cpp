// Picture: turns the targets of a case into one picture.
// SPDX-License-Identifier: MIT
#include "app/conform/picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::conform {
namespace {

using examples::Image;
using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;

uint64_t bits_at(std::span<const uint8_t> texel, unsigned first, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= uint64_t{(texel[(first + i) / 8] >> (first + i) % 8) & 1U} << i;
    return value;
}

// NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): formats have no channels of 0
// bits and no floats below 10.
double small_float(uint64_t code, unsigned mantissa_bits, bool has_sign) {
    const auto exponent = static_cast<int>(code >> mantissa_bits & 31);
    const auto mantissa = static_cast<double>(code & ((1U << mantissa_bits) - 1));
    const double sign = has_sign && (code >> (mantissa_bits + 5) & 1) != 0 ? -1 : 1;
    const double fraction = std::ldexp(mantissa, -static_cast<int>(mantissa_bits));
    return sign *
           (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

/// A channel as a number to show: normalised formats from 0 (or -1) to 1, integers by their lowest
/// eight bits.
double channel_value(ChannelType type, unsigned bits, uint64_t code) {
    const double high = std::ldexp(1.0, static_cast<int>(bits)) - 1;
    switch (type) {
    case ChannelType::Unorm: return static_cast<double>(code) / high;
    case ChannelType::Snorm:
        return (code >> (bits - 1) & 1) != 0
                   ? 0
                   : static_cast<double>(code) / static_cast<double>(uint64_t{1} << (bits - 1));
    case ChannelType::Float:
        if (bits == 32)
            return std::bit_cast<float>(static_cast<uint32_t>(code));
        if (bits == 64)
            return std::bit_cast<double>(code);
        return small_float(code, bits == 16 ? 10 : bits - 5, bits == 16);
    default: return static_cast<double>(code & 255) / 255;
    }
}
// NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult)

uint8_t shade(double value) {
    return static_cast<uint8_t>(
        std::lround(std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0) * 255));
}

/// A texel by value as r, g, b.
void append_value(const FormatInfo& info, std::span<const uint8_t> texel, Image& image) {
    double channels[4] = {};
    unsigned bit = 0;
    for (size_t c = 0; c < info.channel_count; c++) {
        const bool beside = info.layout == FormatLayout::DepthStencil &&
                            info.swizzle[0] != static_cast<exec::Swizzle>(c);
        channels[c] = channel_value(beside ? ChannelType::Uint : info.type, info.bits[c],
                                    bits_at(texel, bit, info.bits[c]));
        bit += info.bits[c];
    }
    for (size_t c = 0; c < 3; c++) {
        const auto from = static_cast<size_t>(info.swizzle[c]);
        const double value = from < 4 ? channels[from] : from == 5 ? 1 : 0;
        image.rgba.push_back(shade(value));
    }
    image.rgba.push_back(255);
}

void append_code(const FormatInfo& info, std::span<const uint8_t> texel, Image& image) {
    for (const exec::Swizzle swizzle : info.swizzle) {
        const auto from = static_cast<size_t>(swizzle);
        image.rgba.push_back(from < 4 ? texel[from] : from == 5 ? 255 : 0);
    }
}

/// Bytes 3 * plane to 3 * plane + 2 of a texel as r, g, b.
void append_bytes(std::span<const uint8_t> texel, size_t plane, Image& image) {
    for (size_t c = 0; c < 3; c++)
        image.rgba.push_back(plane * 3 + c < texel.size() ? texel[plane * 3 + c] : 0);
    image.rgba.push_back(255);
}

template <typename Append>
Image for_each_texel(uint32_t width,
                     uint32_t height,
                     size_t texel_bytes,
                     std::span<const uint8_t> bytes,
                     Append append) {
    Image image{width, height, {}};
    for (size_t i = 0; i < size_t{width} * height; i++)
        append(bytes.subspan(i * texel_bytes, texel_bytes), image);
    return image;
}

}  // namespace

bool is_shown_directly(exec::Format format) {
    const FormatInfo& info = exec::format_info(format);
    return info.layout == FormatLayout::Array && info.type == ChannelType::Unorm &&
           std::all_of(info.bits, info.bits + info.channel_count,
                       [](uint8_t bits) { return bits == 8; });
}

Image show_surface(exec::Format format,
                   uint32_t width,
                   uint32_t height,
                   std::span<const uint8_t> bytes) {
    const FormatInfo& info = exec::format_info(format);
    const auto each = [&](auto append) {
        return for_each_texel(width, height, info.block_bytes, bytes, append);
    };
    if (is_shown_directly(format))
        return each([&](auto texel, Image& image) { append_code(info, texel, image); });
    Image image = each([&](auto texel, Image& out) { append_value(info, texel, out); });
    for (size_t plane = 0; plane * 3 < info.block_bytes; plane++)
        image =
            beside(image, each([&](auto texel, Image& out) { append_bytes(texel, plane, out); }));
    return image;
}

Image beside(const Image& left, const Image& right) {
    Image out{left.width + right.width, std::max(left.height, right.height), {}};
    out.rgba.reserve(size_t{out.width} * out.height * 4);
    for (uint32_t y = 0; y < out.height; y++)
        for (const Image* part : {&left, &right}) {
            const size_t row = size_t{part->width} * 4;
            if (y < part->height)
                out.rgba.insert(out.rgba.end(), part->rgba.begin() + static_cast<long>(y * row),
                                part->rgba.begin() + static_cast<long>((y + 1) * row));
            else
                out.rgba.insert(out.rgba.end(), row, 0);
        }
    return out;
}

}  // namespace valkyr::conform
