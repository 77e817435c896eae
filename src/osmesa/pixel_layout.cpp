// Pixel layout: says how pixels of a format and type of OSMesa lie in memory.
// SPDX-License-Identifier: MIT
#include "osmesa/pixel_layout.hpp"

#include "osmesa/names.hpp"

#include <algorithm>
#include <array>

namespace valkyr::osmesa {

namespace {

struct Format {
    unsigned name;
    unsigned gl;  ///< the format of glReadPixels
    unsigned components;
};

constexpr std::array<Format, 6> kFormats = {{
    {kRgba, kGlRgba, 4},
    {kBgra, kGlBgra, 4},
    {kArgb, kGlRgba, 4},
    {kRgb, kGlRgb, 3},
    {kBgr, kGlBgr, 3},
    {kRgb565, kGlRgb, 1},
}};

struct Type {
    unsigned gl;
    unsigned bytes;
};
constexpr std::array<Type, 3> kTypes = {
    {{kGlUnsignedByte, 1}, {kGlUnsignedShort, 2}, {kGlFloat, 4}}};

const Format* find_format(unsigned name) {
    const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                     [&](const Format& format) { return format.name == name; });
    return found != kFormats.end() ? found : nullptr;
}

}  // namespace

bool is_format(unsigned format) {
    return find_format(format) != nullptr;
}

std::optional<PixelLayout> pixel_layout(unsigned format, unsigned type) {
    const Format* found = find_format(format);
    if (found == nullptr)
        return std::nullopt;
    if (format == kRgb565)
        return type == kGlUnsignedShort565 ? std::optional(PixelLayout{found->gl, type, 2})
                                           : std::nullopt;
    for (const Type& t : kTypes)
        if (t.gl == type)
            return PixelLayout{found->gl, type, found->components * t.bytes,
                               format == kArgb ? t.bytes : 0, t.bytes > 1};
    return std::nullopt;
}

void move_components(const PixelLayout& layout, uint8_t* row, unsigned pixels) {
    if (layout.moved == 0)
        return;
    for (unsigned i = 0; i < pixels; ++i, row += layout.bytes)
        std::rotate(row, row + layout.bytes - layout.moved, row + layout.bytes);
}

}  // namespace valkyr::osmesa
