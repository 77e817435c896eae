// Format conversion: converts between texels, channel codes, values and components.
// SPDX-License-Identifier: MIT
#include "raster/formats/format_convert.hpp"

#include "base/bits.hpp"
#include "raster/formats/format_channel.hpp"
#include "raster/formats/shared_exponent.hpp"

#include <bit>
#include <cstring>

namespace valkyr::raster {

static_assert(std::endian::native == std::endian::little, "texels are little-endian words");

namespace {

using exec::FormatLayout;
using exec::Swizzle;

template <typename T>
T load(const uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename T>
void store(uint8_t* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

/// Loads channels of equal size, zero-extended.
template <typename T>
Codes load_array(const uint8_t* texel, unsigned count) {
    Codes codes{};
    for (unsigned channel = 0; channel < count; ++channel)
        codes[channel] = load<T>(texel + sizeof(T) * channel);
    return codes;
}

Codes load_doubles(const uint8_t* texel, unsigned count) {
    Codes codes{};
    for (unsigned channel = 0; channel < count; ++channel)
        codes[channel] = as_bits(static_cast<float>(load<double>(texel + 8 * channel)));
    return codes;
}

Codes load_array(const FormatInfo& info, const uint8_t* texel) {
    switch (info.bits[0]) {
    case 8: return load_array<uint8_t>(texel, info.channel_count);
    case 16: return load_array<uint16_t>(texel, info.channel_count);
    case 32: return load_array<uint32_t>(texel, info.channel_count);
    default: return load_doubles(texel, info.channel_count);
    }
}

void store_array_channel(uint8_t* texel, unsigned bits, unsigned channel, uint32_t code) {
    switch (bits) {
    case 8: texel[channel] = static_cast<uint8_t>(code); break;
    case 16: store(texel + 2 * channel, static_cast<uint16_t>(code)); break;
    case 32: store(texel + 4 * channel, code); break;
    case 64: store(texel + 8 * channel, static_cast<double>(as_float(code))); break;
    default: break;
    }
}

uint64_t load_word(const FormatInfo& info, const uint8_t* texel) {
    uint64_t word = 0;
    std::memcpy(&word, texel, info.block_bytes);
    return word;
}

}  // namespace

unsigned channel_component(const FormatInfo& info, unsigned channel) noexcept {
    for (unsigned component = 0; component < 4; ++component)
        if (static_cast<unsigned>(info.swizzle[component]) == channel)
            return component;
    return 3;
}

unsigned channel_mask(const FormatInfo& info, unsigned component_mask) noexcept {
    // The three fractions share one exponent, so a write of any of them writes all.
    if (info.layout == FormatLayout::SharedExponent)
        return (component_mask & 7) != 0 ? 0xF : 0;
    unsigned mask = 0;
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        mask |= (component_mask >> channel_component(info, channel) & 1) << channel;
    return mask;
}

Codes load_codes(const FormatInfo& info, const uint8_t* texel) noexcept {
    if (!is_plain(info))
        return {};
    if (info.layout == FormatLayout::Array)
        return load_array(info, texel);
    Codes codes{};
    const uint64_t word = load_word(info, texel);
    unsigned start = 0;
    for (unsigned channel = 0; channel < 4; ++channel) {
        codes[channel] = static_cast<uint32_t>(extract_bits(word, start, info.bits[channel]));
        start += info.bits[channel];
    }
    return codes;
}

void store_codes(const FormatInfo& info,
                 const Codes& codes,
                 unsigned mask,
                 uint8_t* texel) noexcept {
    if (!is_plain(info))
        return;
    if (info.layout == FormatLayout::Array) {
        for (unsigned channel = 0; channel < info.channel_count; ++channel)
            if (mask >> channel & 1)
                store_array_channel(texel, info.bits[0], channel, codes[channel]);
        return;
    }
    uint64_t word = load_word(info, texel);
    unsigned start = 0;
    for (unsigned channel = 0; channel < 4; ++channel) {
        const unsigned bits = info.bits[channel];
        if (mask >> channel & 1)
            word = (word & ~bit_mask(start, bits)) | place_bits(codes[channel], start, bits);
        start += bits;
    }
    std::memcpy(texel, &word, info.block_bytes);
}

Values decode_codes(const FormatInfo& info, const Codes& codes) noexcept {
    if (info.layout == FormatLayout::SharedExponent)
        return decode_shared_exponent(codes);
    Values values{};
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        values[channel] = decode_channel(info, channel, codes[channel]);
    return values;
}

Codes encode_values(const FormatInfo& info, const Values& channels, IntegerKind kind) noexcept {
    if (info.layout == FormatLayout::SharedExponent)
        return encode_shared_exponent(channels);
    Codes codes{};
    for (unsigned channel = 0; channel < info.channel_count; ++channel)
        codes[channel] = encode_channel(info, channel, channels[channel], kind);
    return codes;
}

Values swizzle_values(const Values& channels, const Swizzle* swizzle, uint32_t one) noexcept {
    const std::array<uint32_t, 8> sources{channels[0], channels[1], channels[2], channels[3],
                                          0,           one,         0,           0};
    Values result;
    for (unsigned component = 0; component < 4; ++component)
        result[component] = sources[static_cast<unsigned>(swizzle[component]) & 7];
    return result;
}

Values unswizzle_values(const FormatInfo& info, const Values& components) noexcept {
    // As in channel_component(): alpha goes to channels that no component names, and the first name
    // wins.
    Values channels{components[3], components[3], components[3], components[3]};
    for (unsigned component = 4; component-- > 0;)
        if (const auto channel = static_cast<unsigned>(info.swizzle[component]); channel < 4)
            channels[channel] = components[component];
    return channels;
}

Values decode_texel(const FormatInfo& info, const uint8_t* texel) noexcept {
    return swizzle_values(decode_codes(info, load_codes(info, texel)), info.swizzle, one_of(info));
}

void encode_texel(const FormatInfo& info,
                  const Values& components,
                  IntegerKind kind,
                  uint8_t* texel) noexcept {
    store_codes(info, encode_values(info, unswizzle_values(info, components), kind),
                channel_mask(info, 0xF), texel);
}

}  // namespace valkyr::raster
