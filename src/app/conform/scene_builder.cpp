// Scene builder: reads expectation, state, clears, draws and blits of a scene.
// SPDX-License-Identifier: MIT
#include "app/conform/scene_builder.hpp"

#include "app/conform/picture.hpp"
#include "app/conform/settings.hpp"

#include <bit>

namespace valkyr::conform {

namespace {

/// The rest of a statement as one text.
std::string sentence(Arguments& a, std::string_view what) {
    std::string text(a.take(what).text);
    while (!a.at_end())
        text += " " + std::string(a.take(what).text);
    return text;
}

}  // namespace

void SceneBuilder::title(Arguments& a) {
    case_.title = sentence(a, "title");
}

void SceneBuilder::tolerance(Arguments& a) {
    case_.tolerance = a.integer("tolerance", 1, 8);
    case_.tolerance_reason = sentence(a, "reason of the tolerance");
}

void SceneBuilder::set(Arguments& a) {
    apply_setting(a, draw_);
}

void SceneBuilder::clear_color(Arguments& a, ClearCommand& command, uint32_t targets) {
    command.info.color_targets = targets;
    const auto first = static_cast<size_t>(std::countr_zero(targets));
    const Index texture = command.framebuffer.color[first].texture;
    exec::Format format = command.framebuffer.color[first].format;
    if (texture != kNone && format == exec::Format::None)
        format = case_.textures[texture].desc.format;
    const exec::ChannelType type = exec::format_info(format).type;
    const bool integer = type == exec::ChannelType::Uint || type == exec::ChannelType::Sint;
    std::array<uint32_t, 4> value{};
    for (uint32_t& component : value)
        component = integer ? a.integer("integer component", INT32_MIN, UINT32_MAX)
                            : std::bit_cast<uint32_t>(a.number("component"));
    command.info.color.fill(value);
}

void SceneBuilder::clear(Arguments& a) {
    ClearCommand command;
    command.framebuffer = draw_.framebuffer;
    const Word what = a.take("color, colorN, depth or stencil");
    const size_t count = draw_.framebuffer.color.size();
    if (what.text == "depth") {
        command.info.depth = true;
        command.info.depth_value = a.number("depth");
    } else if (what.text == "stencil") {
        command.info.stencil = true;
        command.info.stencil_value = static_cast<uint8_t>(a.integer("stencil", 0, 255));
    } else if (what.text == "color" && count > 0) {
        clear_color(a, command, (1U << count) - 1);
    } else if (what.text.size() == 6 && what.text.starts_with("color") && what.text[5] >= '0' &&
               static_cast<size_t>(what.text[5] - '0') < count) {
        clear_color(a, command, 1U << (what.text[5] - '0'));
    } else {
        a.error(what.pos, "'" + std::string(what.text) + "' is no attachment to clear");
    }
    if (a.accept("rect")) {
        raster::Rect rect;
        for (int32_t* edge : {&rect.x0, &rect.y0, &rect.x1, &rect.y1})
            *edge = static_cast<int32_t>(a.integer("edge", -32768, 32767));
        command.info.rect = rect;
    }
    add_command(a, command);
}

void SceneBuilder::draw(Arguments& a) {
    DrawCommand command = draw_;
    raster::DrawInfo& info = command.info;
    info.count = a.integer("number of vertices", 0, kMaxDrawVertices);
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        const auto number = [&](int64_t low, int64_t high) {
            return a.integer_of(pair->value, key, low, high);
        };
        if (key == "first") {
            info.first = static_cast<uint32_t>(number(0, INT32_MAX));
        } else if (key == "instances") {
            info.instance_count = static_cast<uint32_t>(number(0, kMaxDrawVertices));
        } else if (key == "first_instance") {
            info.first_instance = static_cast<uint32_t>(number(0, INT32_MAX));
        } else if (key == "base_vertex") {
            info.base_vertex = static_cast<int32_t>(number(INT32_MIN, INT32_MAX));
        } else if (key == "draw_id") {
            info.draw_id = static_cast<uint32_t>(number(0, INT32_MAX));
        } else if (key == "patch") {
            info.patch_vertices = static_cast<uint32_t>(number(1, exec::kMaxPatchVertices));
        } else if (key == "restart") {
            info.primitive_restart = true;
            info.restart_index = static_cast<uint32_t>(number(0, UINT32_MAX));
        } else {
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of a draw");
        }
    }
    if (uint64_t{info.count} * info.instance_count > kMaxDrawVertices)
        a.error(a.pos(), "too many vertices in one draw");
    if (command.stage(DrawStage::Vertex).shader == kNone)
        a.error(a.pos(), "a draw needs a vertex shader");
    add_command(a, std::move(command));
}

void SceneBuilder::blit_side(Arguments& a, Index& texture, raster::BlitRegion& region) {
    const SurfaceName name = surface(a, a.take("texture"));
    texture = name.texture;
    region.level = name.level;
    region.z = static_cast<int32_t>(name.layer);
    const Word box = a.take("box x,y,width,height");
    const std::vector<int64_t> edges = a.integers_of(box, "box", 4, -65536, 65536);
    region.x = static_cast<int32_t>(edges[0]);
    region.y = static_cast<int32_t>(edges[1]);
    region.width = static_cast<int32_t>(edges[2]);
    region.height = static_cast<int32_t>(edges[3]);
}

void SceneBuilder::blit(Arguments& a) {
    BlitCommand command;
    raster::BlitInfo& info = command.info;
    blit_side(a, command.source, info.source);
    blit_side(a, command.destination, info.destination);
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        if (key == "filter") {
            info.filter = a.choice_of<raster::Filter>(pair->value, key);
        } else if (key == "mask") {
            info.color_mask = a.mask_of(pair->value, key);
        } else if (key == "depth") {
            info.depth = a.flag_of(pair->value, key);
        } else if (key == "stencil") {
            info.stencil = a.flag_of(pair->value, key);
        } else if (key == "source_format") {
            info.source.format = a.format_of(pair->value, key);
        } else if (key == "format") {
            info.destination.format = a.format_of(pair->value, key);
        } else if (key == "scissor") {
            const auto e = a.integers_of(pair->value, key, 4, -32768, 32767);
            info.scissor = raster::Rect{static_cast<int32_t>(e[0]), static_cast<int32_t>(e[1]),
                                        static_cast<int32_t>(e[2]), static_cast<int32_t>(e[3])};
        } else {
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of a blit");
        }
    }
    add_command(a, command);
}

void SceneBuilder::show(Arguments& a) {
    case_.show.clear();
    do
        case_.show.push_back(surface(a, a.take("surface")));
    while (!a.at_end() && a.ok());
}

/// A tolerance is allowed only for directly shown formats: pictures of all others contain raw
/// bytes.
bool SceneBuilder::check_tolerance() {
    if (case_.tolerance == 0)
        return true;
    for (const SurfaceName& surface : case_.show)
        if (surface.texture != kNone &&
            !is_shown_directly(case_.textures[surface.texture].desc.format))
            return false;
    return true;
}

Case SceneBuilder::finish() {
    if (case_.show.empty() && !draw_.framebuffer.color.empty())
        case_.show.push_back(draw_.framebuffer.color[0]);
    if (case_.title.empty())
        diagnostics_.add({1, 1}, "the scene has no title");
    if (case_.commands.empty())
        diagnostics_.add({1, 1}, "the scene has no commands");
    if (case_.show.empty())
        diagnostics_.add({1, 1}, "the scene shows nothing");
    if (!check_tolerance())
        diagnostics_.add({1, 1}, "a tolerance needs targets of 8-bit channels");
    return std::move(case_);
}

}  // namespace valkyr::conform
