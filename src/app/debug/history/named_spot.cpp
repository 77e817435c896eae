// Named spot: finds a texel by the name of its texture.
// SPDX-License-Identifier: MIT
#include "app/debug/history/named_spot.hpp"

#include <algorithm>
#include <charconv>

namespace valkyr::debug {

namespace {

Error out_of_range(std::string text) {
    return {Errc::OutOfRange, {}, std::move(text)};
}

std::string size_text(const raster::TextureDesc& desc, uint32_t level) {
    return std::to_string(level_size(desc.width, level)) + "x" +
           std::to_string(level_size(desc.height, level));
}

/// "resource 1 (B8G8R8X8_UNORM, 300x300), ..."; the last ones, if there are many.
std::string list_text(const HistoryRequest& request, const std::vector<KnownTexture>& known) {
    constexpr size_t kMost = 40;
    if (known.empty())
        return request.what + " has no textures";
    std::string text = known.size() > kMost ? "the last textures of " : "the textures of ";
    text += request.what + " are ";
    for (size_t i = known.size() - std::min(known.size(), kMost); i < known.size(); ++i)
        text += known[i].name + " (" + std::string(exec::format_info(known[i].desc.format).name) +
                ", " + size_text(known[i].desc, 0) + (i + 1 < known.size() ? "), " : ")");
    return text;
}

const KnownTexture* find_texture(const std::vector<KnownTexture>& known, std::string_view name) {
    const auto found = std::find_if(known.rbegin(), known.rend(), [&](const KnownTexture& one) {
        return one.name == name || one.name == "texture " + std::string(name);
    });
    return found != known.rend() ? &*found : nullptr;
}

/// Takes ":N" from the end of the text; nothing: it has none.
std::optional<uint32_t> take_number(std::string_view& text) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, number);
    if (error != std::errc() || stop != end || colon + 1 == text.size())
        return std::nullopt;
    text = text.substr(0, colon);
    return number;
}

}  // namespace

Result<Spot> named_spot(const HistoryRequest& request, const std::vector<KnownTexture>& known) {
    std::string_view name = request.resource;
    std::vector<uint32_t> numbers;  // from the last one
    const KnownTexture* texture = find_texture(known, name);
    while (texture == nullptr && numbers.size() < 2) {
        const std::optional<uint32_t> number = take_number(name);
        if (!number)
            break;
        numbers.push_back(*number);
        texture = find_texture(known, name);
    }
    if (texture == nullptr)
        return out_of_range("no texture '" + request.resource + "': " + list_text(request, known));
    const raster::TextureDesc& desc = texture->desc;
    Spot spot{texture->number, 0, request.pixel.first, request.pixel.second, 0};
    if (!numbers.empty())
        spot.level = numbers.back();
    if (numbers.size() == 2)
        spot.z = numbers.front();
    if (spot.level >= desc.levels)
        return out_of_range(texture->name + " has no level " + std::to_string(spot.level) +
                            "; its levels: " + std::to_string(desc.levels));
    if (spot.z >= slices_of(desc, spot.level))
        return out_of_range(texture->name + " has no layer " + std::to_string(spot.z) +
                            "; its layers: " + std::to_string(slices_of(desc, spot.level)));
    if (!is_inside(desc, spot))
        return out_of_range("texel " + std::to_string(spot.x) + "," + std::to_string(spot.y) +
                            " is outside of level " + std::to_string(spot.level) + " of " +
                            texture->name + ", " + size_text(desc, spot.level) + " texels");
    return spot;
}

}  // namespace valkyr::debug
