// Format table test: compares rows with the channels that the formats' names list.
// SPDX-License-Identifier: MIT
#include "exec/format.hpp"

#include <cctype>
#include <cstdint>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace valkyr::exec;

namespace {

struct NamedChannel {
    char letter;
    unsigned bits;
};

/// The channels in a name: "B5G6R5_UNORM" has B5, G6, R5. Parts after the first underscore have
/// channels only in depth formats ("D24_UNORM_S8_UINT").
std::vector<NamedChannel> named_channels(const std::string& name, bool all_parts) {
    std::vector<NamedChannel> channels;
    for (size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '_' && !all_parts)
            break;
        if (std::isdigit(static_cast<unsigned char>(name[i])) == 0 || i == 0)
            continue;
        unsigned bits = 0;
        const char letter = name[i - 1];
        while (i < name.size() && std::isdigit(static_cast<unsigned char>(name[i])) != 0)
            bits = bits * 10 + static_cast<unsigned>(name[i++] - '0');
        channels.push_back({letter, bits});
        --i;
    }
    return channels;
}

ChannelType named_type(const std::string& name) {
    const std::vector<std::pair<std::string, ChannelType>> types{
        {"_UNORM", ChannelType::Unorm},     {"_SNORM", ChannelType::Snorm},
        {"_UINT", ChannelType::Uint},       {"_SINT", ChannelType::Sint},
        {"_FLOAT", ChannelType::Float},     {"_USCALED", ChannelType::Uscaled},
        {"_SSCALED", ChannelType::Sscaled}, {"_SRGB", ChannelType::Unorm}};
    for (const auto& [suffix, type] : types)
        if (name.size() > suffix.size() &&
            name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
            return type;
    return ChannelType::None;
}

bool is_color(const FormatInfo& info) {
    return info.layout == FormatLayout::Array || info.layout == FormatLayout::Packed;
}

std::vector<Format> all_formats() {
    std::vector<Format> formats;
    for (unsigned i = 1; i < kFormatCount; ++i)
        formats.push_back(static_cast<Format>(i));
    return formats;
}

/// The source of a component by the letters of the name.
Swizzle named_swizzle(const std::vector<NamedChannel>& channels, char component) {
    for (size_t i = 0; i < channels.size(); ++i) {
        const char letter = channels[i].letter;
        const bool color = component != 'A';
        if (letter == component || letter == 'I' || (letter == 'L' && color))
            return static_cast<Swizzle>(i);
    }
    return component == 'A' ? Swizzle::One : Swizzle::Zero;
}

}  // namespace

TEST_CASE("colour formats have the channels, widths and type that their name says") {
    for (const Format format : all_formats()) {
        const FormatInfo& info = format_info(format);
        const std::string name(info.name);
        if (!is_color(info) || name.find("S8") != std::string::npos)
            continue;
        CAPTURE(name);
        const std::vector<NamedChannel> channels = named_channels(name, false);
        REQUIRE(info.channel_count == channels.size());
        unsigned bits = 0;
        for (size_t i = 0; i < channels.size(); ++i) {
            CHECK(info.bits[i] == channels[i].bits);
            bits += channels[i].bits;
        }
        CHECK(info.block_bytes * 8 == bits);
        CHECK(info.type == named_type(name));
        CHECK(info.srgb == (name.find("SRGB") != std::string::npos));
        for (unsigned c = 0; c < 4; ++c)
            CHECK(info.swizzle[c] == named_swizzle(channels, "RGBA"[c]));
    }
}

TEST_CASE("array formats have whole bytes and equal channels, packed ones fit one word") {
    for (const Format format : all_formats()) {
        const FormatInfo& info = format_info(format);
        CAPTURE(info.name);
        if (info.layout == FormatLayout::Array) {
            for (unsigned i = 0; i < info.channel_count; ++i)
                CHECK(info.bits[i] == info.bits[0]);
            CHECK(info.bits[0] % 8 == 0);
        } else {
            CHECK(info.block_bytes <= (info.layout == FormatLayout::Block ? 16 : 8));
        }
        const bool block = info.layout == FormatLayout::Block;
        CHECK(info.block_width == (block ? 4 : 1));
        CHECK(info.block_height == (block ? 4 : 1));
    }
}

TEST_CASE("depth formats list depth and stencil from the lowest bits up") {
    const auto check = [](Format format, unsigned bytes, std::vector<unsigned> bits) {
        const FormatInfo& info = format_info(format);
        CAPTURE(info.name);
        CHECK(info.layout == FormatLayout::DepthStencil);
        CHECK(info.block_bytes == bytes);
        REQUIRE(info.channel_count <= bits.size());
        for (size_t i = 0; i < bits.size(); ++i)
            CHECK(info.bits[i] == bits[i]);
    };
    check(Format::D16_UNORM, 2, {16});
    check(Format::D24_UNORM_S8_UINT, 4, {24, 8});
    check(Format::S8_UINT_D24_UNORM, 4, {8, 24});
    check(Format::D32_FLOAT, 4, {32});
    check(Format::D32_FLOAT_S8X24_UINT, 8, {32, 8});
    check(Format::S8_UINT, 1, {8});
}

TEST_CASE("docs/rules/formats.md lists every format as the table has it") {
    std::ifstream file("docs/rules/formats.md");
    REQUIRE(file.is_open());
    std::set<std::string> rows;
    for (std::string line; std::getline(file, line);)
        rows.insert(line);
    for (const Format format : all_formats()) {
        const FormatInfo& info = format_info(format);
        std::ostringstream row;
        row << "| " << info.name << " | " << int{info.block_bytes}
            << (info.layout == FormatLayout::Block ? " a block | " : " | ");
        for (unsigned i = 0; i < 4; ++i)
            if (info.bits[i] != 0)
                row << (i == 0 ? "" : " ") << int{info.bits[i]};
        row << " | ";
        for (const Swizzle s : info.swizzle)
            row << "xyzw01"[static_cast<unsigned>(s)];
        row << " |";
        CHECK_MESSAGE(rows.count(row.str()) == 1, row.str());
    }
}

TEST_CASE("a number that is no format has the empty row") {
    CHECK(format_info(static_cast<Format>(255)).name == "None");
    CHECK(format_info(static_cast<Format>(255)).block_bytes == 0);
}
