// Scene resources: reads targets, textures and samplers of a scene.
// SPDX-License-Identifier: MIT
#include "app/conform/scene_builder.hpp"
#include "app/conform/settings.hpp"

#include <algorithm>

namespace valkyr::conform {

namespace {

/// "8", "8x4" or "8x4x2".
std::array<uint32_t, 3> parse_extent(Arguments& a, const Word& word) {
    std::array<uint32_t, 3> extent{1, 1, 1};
    size_t at = 0;
    for (size_t i = 0; i < 3; i++) {
        const size_t end = std::min(word.text.find('x', at), word.text.size());
        const Word part{word.text.substr(at, end - at),
                        {word.pos.line, word.pos.column + static_cast<uint32_t>(at)}};
        extent[i] = static_cast<uint32_t>(a.integer_of(part, "size", 1, 16384));
        if (end == word.text.size())
            return extent;
        at = end + 1;
    }
    a.error(word.pos, "a size has at most three numbers");
    return extent;
}

raster::Swizzle swizzle_of(char c) {
    const size_t at = std::string_view("xyzw01").find(c);
    return static_cast<raster::Swizzle>(at == std::string_view::npos ? 0 : at);
}

template <typename T>
T& element(std::vector<T>& list, uint32_t index) {
    if (list.size() <= index)
        list.resize(index + 1);
    return list[index];
}

}  // namespace

Index SceneBuilder::add_texture(Arguments& a, std::string name, const raster::TextureDesc& desc) {
    uint64_t bytes = 0;
    for (uint32_t level = 0; level < desc.levels; level++)
        bytes += level_bytes(desc, level) * desc.samples;
    if (case_.textures.size() >= kMaxResources || texture_bytes_ + bytes > kMaxTextureBytesTotal)
        a.error(a.pos(), "too many or too large textures");
    if (texture_names_.contains(name))
        a.error(a.pos(), "there is a texture '" + name + "' already");
    if (!a.ok())
        return kNone;
    texture_names_.emplace(name, case_.textures.size());
    texture_bytes_ += bytes;
    case_.textures.push_back({std::move(name), desc, {}});
    return static_cast<Index>(case_.textures.size() - 1);
}

Index SceneBuilder::find_texture(Arguments& a, const Word& name) {
    const auto found = texture_names_.find(name.text);
    if (found != texture_names_.end())
        return found->second;
    a.error(name.pos, "there is no texture '" + std::string(name.text) + "'");
    return kNone;
}

SurfaceName SceneBuilder::surface(Arguments& a, const Word& word) {
    SurfaceName surface;
    std::string_view text = word.text;
    if (const size_t at = text.find('@'); at != std::string_view::npos) {
        surface.format = a.format_of({text.substr(at + 1), word.pos}, "format");
        text = text.substr(0, at);
    }
    const auto number = [&](std::string_view digits) {
        return static_cast<uint32_t>(
            a.integer_of({digits, word.pos}, "level, layer or layers", 0, 12288));
    };
    if (const size_t plus = text.find('+'); plus != std::string_view::npos) {
        surface.layer_count = number(text.substr(plus + 1));
        text = text.substr(0, plus);
    }
    const size_t colon = std::min(text.find(':'), text.size());
    surface.texture = find_texture(a, {text.substr(0, colon), word.pos});
    size_t at = colon;
    for (uint32_t* part : {&surface.level, &surface.layer}) {
        if (at >= text.size())
            break;
        const size_t end = std::min(text.find(':', at + 1), text.size());
        *part = number(text.substr(at + 1, end - at - 1));
        at = end;
    }
    if (a.ok()) {
        const raster::TextureDesc& desc = case_.textures[surface.texture].desc;
        if (surface.level >= desc.levels || surface.layer >= level_size(desc, surface.level).slices)
            a.error(word.pos, "the texture has no such level or layer");
    }
    return surface;
}

void SceneBuilder::size(Arguments& a) {
    const std::array<uint32_t, 3> extent = parse_extent(a, a.take("size"));
    width_ = std::min(extent[0], kMaxTargetSize);
    height_ = std::min(extent[1], kMaxTargetSize);
    samples_ = 1;
    if (a.accept("samples"))
        samples_ = a.integer("samples", 1, 16);
    draw_.state.viewport =
        raster::Viewport::over(0, 0, static_cast<float>(width_), static_cast<float>(height_));
}

void SceneBuilder::add_attachment(Arguments& a, bool is_depth) {
    raster::TextureDesc desc;
    desc.format = a.format("format");
    desc.kind = samples_ > 1 ? raster::TextureKind::Tex2DMs : raster::TextureKind::Tex2D;
    desc.width = width_;
    desc.height = height_;
    desc.samples = samples_;
    desc.render_target = true;
    std::vector<SurfaceName>& color = draw_.framebuffer.color;
    if (!is_depth && color.size() >= exec::kMaxRenderTargets)
        a.error(a.pos(), "too many colour targets");
    const std::string name = is_depth ? "depth" : "color" + std::to_string(color_count_++);
    SurfaceName surface;
    surface.texture = add_texture(a, name, desc);
    if (is_depth)
        draw_.framebuffer.depth_stencil = surface;
    else
        color.push_back(surface);
    if (color.size() == 1 && draw_.state.viewport == raster::Viewport{})
        draw_.state.viewport =
            raster::Viewport::over(0, 0, static_cast<float>(width_), static_cast<float>(height_));
}

void SceneBuilder::color(Arguments& a) {
    add_attachment(a, false);
}

void SceneBuilder::depth(Arguments& a) {
    add_attachment(a, true);
}

void SceneBuilder::framebuffer(Arguments& a) {
    draw_.framebuffer = {};
    while (!a.at_end() && a.ok()) {
        if (const std::optional<KeyValue> pair = a.key_value()) {
            if (pair->key.text != "depth")
                a.error(pair->key.pos, "'" + std::string(pair->key.text) + "' is no attachment");
            draw_.framebuffer.depth_stencil = surface(a, pair->value);
        } else if (draw_.framebuffer.color.size() >= exec::kMaxRenderTargets) {
            a.error(a.pos(), "too many colour targets");
        } else if (a.accept("none")) {
            draw_.framebuffer.color.emplace_back();
        } else {
            draw_.framebuffer.color.push_back(surface(a, a.take("surface")));
        }
    }
}

void SceneBuilder::texture_keys(Arguments& a, raster::TextureDesc& desc) {
    desc.render_target = a.accept("target");
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        if (key == "layers")
            desc.layers = static_cast<uint32_t>(a.integer_of(pair->value, key, 1, 2048));
        else if (key == "levels")
            desc.levels = static_cast<uint32_t>(a.integer_of(pair->value, key, 1, 15));
        else if (key == "samples")
            desc.samples = static_cast<uint32_t>(a.integer_of(pair->value, key, 1, 16));
        else
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of a texture");
    }
}

void SceneBuilder::texture(Arguments& a) {
    const std::string name(a.take("name").text);
    raster::TextureDesc desc;
    desc.kind = a.choice<raster::TextureKind>("kind");
    desc.format = a.format("format");
    const std::array<uint32_t, 3> extent = parse_extent(a, a.take("size"));
    desc.width = extent[0];
    desc.height = extent[1];
    desc.depth = extent[2];
    if (desc.kind == raster::TextureKind::Cube)
        desc.layers = 6;
    texture_keys(a, desc);
    add_texture(a, name, desc);
}

Pattern SceneBuilder::pattern(Arguments& a) {
    const auto rgba = [&] {
        Rgba color{};
        for (float& component : color)
            component = a.number("component");
        return color;
    };
    const Word kind = a.take("pattern");
    if (kind.text == "solid")
        return solid(rgba());
    if (kind.text == "checker") {
        const uint32_t cell = a.integer("size of a cell", 1, 1024);
        const Rgba first = rgba();
        return checker(cell, first, rgba());
    }
    if (kind.text == "gradient")
        return gradient();
    if (kind.text == "noise")
        return noise(a.integer("seed", 0, INT32_MAX));
    a.error(kind.pos, "'" + std::string(kind.text) +
                          "' is none of solid, checker, gradient, noise, random, data");
    return solid({});
}

std::vector<uint8_t>
SceneBuilder::literal_level(Arguments& a, const raster::TextureDesc& desc, uint32_t level) {
    const std::vector<std::byte> data = data_block(a);
    std::vector<uint8_t> bytes;
    bytes.reserve(data.size());
    for (const std::byte b : data)
        bytes.push_back(static_cast<uint8_t>(b));
    if (bytes.size() != level_bytes(desc, level))
        a.error(a.pos(), "the level has " + std::to_string(level_bytes(desc, level)) +
                             " bytes, not " + std::to_string(bytes.size()));
    return bytes;
}

void SceneBuilder::fill(Arguments& a) {
    const Index index = find_texture(a, a.take("texture"));
    const bool all = a.accept("*");
    const uint32_t first = all ? 0 : a.integer("level", 0, 14);
    if (index == kNone)
        return a.error(a.pos(), "no texture");
    TextureResource& texture = case_.textures[index];
    if (first >= texture.desc.levels)
        return a.error(a.pos(), "the texture has no such level");
    const uint32_t last = all ? texture.desc.levels - 1 : first;
    if (a.accept("data")) {
        texture.contents.push_back({first, literal_level(a, texture.desc, first)});
        return;
    }
    if (a.accept("random")) {
        const uint32_t seed = a.integer("seed", 0, INT32_MAX);
        for (uint32_t level = first; level <= last; level++)
            texture.contents.push_back(
                {level, random_bytes(level_bytes(texture.desc, level), seed + level)});
        return;
    }
    const Pattern made = pattern(a);
    float range[2] = {0, 1};
    if (a.accept("range"))
        for (float& end : range)
            end = a.number("end of the range");
    if (!is_encodable(texture.desc.format))
        a.error(a.pos(), "textures of this format take random or data");
    for (uint32_t level = first; level <= last && a.ok(); level++)
        texture.contents.push_back(
            {level, fill_level(texture.desc, level, made, range[0], range[1])});
}

void SceneBuilder::bind(Arguments& a, StageNames& stage) {
    const uint32_t unit = a.integer("unit", 0, exec::kMaxTextureUnits - 1);
    TextureBinding binding;
    binding.texture = a.accept("none") ? kNone : find_texture(a, a.take("texture"));
    raster::TextureView& view = binding.view;
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        if (key == "kind") {
            view.kind = a.choice_of<raster::TextureKind>(pair->value, key);
        } else if (key == "format") {
            view.format = a.format_of(pair->value, key);
        } else if (key == "levels") {
            const auto range = a.integers_of(pair->value, key, 2, 0, 255);
            view.first_level = static_cast<uint8_t>(range[0]);
            view.level_count = static_cast<uint8_t>(range[1]);
        } else if (key == "layers") {
            const auto range = a.integers_of(pair->value, key, 2, 0, 12288);
            view.first_layer = static_cast<uint32_t>(range[0]);
            view.layer_count = static_cast<uint32_t>(range[1]);
        } else if (key == "swizzle" && pair->value.text.size() == 4) {
            for (size_t c = 0; c < 4; c++)
                view.swizzle[c] = swizzle_of(pair->value.text[c]);
        } else {
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of a view");
        }
    }
    element(stage.textures, unit) = binding;
}

void SceneBuilder::sampler(Arguments& a, StageNames& stage) {
    const uint32_t unit = a.integer("unit", 0, exec::kMaxTextureUnits - 1);
    raster::SamplerState state;
    apply_sampler_keys(a, state);
    element(stage.samplers, unit) = state;
}

}  // namespace valkyr::conform
