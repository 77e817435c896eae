// Texel formats: read names, and convert texels channel by channel.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/texel_format.hpp"

#include "tests/oracle/sampling/shared_exponent.hpp"
#include "tests/oracle/sampling/texel_channel.hpp"
#include "tgsi/arith/arith_float.hpp"

#include <string>

namespace valkyr::tgsi {

namespace {

constexpr std::string_view kLetters = "RGBALIDZSXE";

bool find_type(std::string_view word, ChannelType& type) {
    constexpr std::array<std::string_view, 6> kNames{"UNORM", "SNORM", "UINT",
                                                     "SINT",  "FLOAT", "SRGB"};
    for (size_t i = 0; i < kNames.size(); ++i)
        if (word == kNames[i]) {
            type = static_cast<ChannelType>(i);
            return true;
        }
    return false;
}

/// Appends the channels of "R8G8B8A8"; false if it is not such a word.
bool add_channels(std::string_view word, TexelFormat& format, unsigned& shift) {
    for (size_t i = 0; i < word.size();) {
        const char letter = word[i++];
        unsigned bits = 0;
        while (i < word.size() && word[i] >= '0' && word[i] <= '9' && bits < 100)
            bits = bits * 10 + static_cast<unsigned>(word[i++] - '0');
        const bool known = kLetters.find(letter) != std::string_view::npos;
        if (!known || bits == 0 || bits > 32 || format.channel_count == 4 || shift + bits > 128)
            return false;
        FormatChannel& channel = format.channels[format.channel_count++];
        channel.letter = letter == 'Z' ? 'D' : letter;
        channel.bits = static_cast<uint8_t>(bits);
        channel.shift = static_cast<uint8_t>(shift);
        shift += bits;
    }
    return !word.empty();
}

/// Channels that give r, g, b and a: the letter itself, or the one that replicates into it.
void find_sources(TexelFormat& format) {
    constexpr std::array<std::string_view, 4> kSources{"RLIDS", "GLI", "BLI", "AI"};
    for (unsigned c = 0; c < 4; ++c) {
        format.from[c] = TexelFormat::kConstant;
        for (const char letter : kSources[c])
            for (unsigned i = 0; i < format.channel_count; ++i)
                if (format.from[c] == TexelFormat::kConstant && format.channels[i].letter == letter)
                    format.from[c] = static_cast<uint8_t>(i);
    }
}

bool is_sound(const TexelFormat& format, unsigned bits) {
    if (bits == 0 || bits % 8 != 0)
        return false;
    for (unsigned i = 0; i < format.channel_count; ++i) {
        const FormatChannel& c = format.channels[i];
        const bool is_float = c.type == ChannelType::Float && !format.shared_exponent;
        const bool float_size = c.bits == 32 || c.bits == 16 || c.bits == 11 || c.bits == 10;
        if (is_float && c.letter != 'X' && !float_size)
            return false;
        if (c.type == ChannelType::Srgb && c.bits != 8)
            return false;
    }
    return true;
}

}  // namespace

bool TexelFormat::is_integer() const {
    const uint8_t channel = from[0] != kConstant ? from[0] : from[3];
    if (channel == kConstant)
        return false;
    return channels[channel].type == ChannelType::Uint ||
           channels[channel].type == ChannelType::Sint;
}

Result<TexelFormat> texel_format(std::string_view name) {
    const Error error{Errc::Unsupported, {}, "texel format " + std::string(name.substr(0, 64))};
    TexelFormat format;
    unsigned shift = 0;
    std::string_view rest = name;
    while (!rest.empty()) {
        // "R8G8B8A8", then "UNORM": a group of channels and its type.
        const unsigned first = format.channel_count;
        const size_t middle = rest.find('_');
        if (middle == std::string_view::npos ||
            !add_channels(rest.substr(0, middle), format, shift))
            return error;
        rest.remove_prefix(middle + 1);
        const size_t end = rest.find('_');
        ChannelType type{};
        if (!find_type(rest.substr(0, end), type))
            return error;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        for (unsigned i = first; i < format.channel_count; ++i)
            // Alpha of sRGB formats is linear.
            format.channels[i].type = type == ChannelType::Srgb && format.channels[i].letter == 'A'
                                          ? ChannelType::Unorm
                                          : type;
    }
    format.shared_exponent = name == "R9G9B9E5_FLOAT";
    format.bytes = shift / 8;
    find_sources(format);
    if (!is_sound(format, shift))
        return error;
    return format;
}

uint32_t channel_code(const TexelFormat& format, const uint8_t* texel, unsigned channel) {
    const FormatChannel& c = format.channels[channel];
    uint32_t code = 0;
    for (unsigned bit = 0; bit < c.bits; ++bit) {
        const unsigned at = c.shift + bit;
        code |= static_cast<uint32_t>(texel[at / 8] >> at % 8 & 1) << bit;
    }
    return code;
}

Word4 decode_texel(const TexelFormat& format, const uint8_t* texel) {
    Word4 out{0, 0, 0, format.is_integer() ? 1 : arith::kOne};
    if (format.shared_exponent) {
        const auto rgb =
            decode_shared_exponent({channel_code(format, texel, 0), channel_code(format, texel, 1),
                                    channel_code(format, texel, 2)},
                                   channel_code(format, texel, 3));
        return {rgb[0], rgb[1], rgb[2], arith::kOne};
    }
    for (unsigned c = 0; c < 4; ++c)
        if (format.from[c] != TexelFormat::kConstant)
            out[c] = decode(format.channels[format.from[c]],
                            channel_code(format, texel, format.from[c]));
    return out;
}

namespace {

void put_code(const FormatChannel& channel, uint32_t code, uint8_t* texel) {
    for (unsigned bit = 0; bit < channel.bits; ++bit) {
        const unsigned at = channel.shift + bit;
        texel[at / 8] = static_cast<uint8_t>(texel[at / 8] | (code >> bit & 1) << at % 8);
    }
}

}  // namespace

void encode_texel(const TexelFormat& format, const Word4& value, uint8_t* texel) {
    for (unsigned i = 0; i < format.bytes; ++i)
        texel[i] = 0;
    if (format.shared_exponent) {
        const auto codes = encode_shared_exponent({value[0], value[1], value[2]});
        for (unsigned i = 0; i < 4; ++i)
            put_code(format.channels[i], codes[i], texel);
        return;
    }
    // The first component that reads a channel is the one that writes it.
    for (unsigned i = 0; i < format.channel_count; ++i)
        for (unsigned c = 0; c < 4; ++c)
            if (format.from[c] == i) {
                put_code(format.channels[i], encode(format.channels[i], value[c]), texel);
                break;
            }
}

}  // namespace valkyr::tgsi
