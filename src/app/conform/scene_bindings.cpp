// Scene bindings: reads buffers, images and viewport arrays of a scene.
// SPDX-License-Identifier: MIT
#include "app/conform/scene_builder.hpp"

#include <algorithm>

namespace valkyr::conform {

namespace {

constexpr int64_t kMaxScissor = 32767;
constexpr int64_t kMaxGroupsOfScene = 1024;

template <typename T>
T& element(std::vector<T>& list, uint32_t index) {
    if (list.size() <= index)
        list.resize(index + 1);
    return list[index];
}

}  // namespace

bool SceneBuilder::take_range(Arguments& a, const KeyValue& pair, BufferName& name) {
    if (pair.key.text != "offset" && pair.key.text != "size")
        return false;
    uint64_t& value = pair.key.text == "offset" ? name.offset : name.size;
    value = static_cast<uint64_t>(a.integer_of(pair.value, pair.key.text, 0, 1 << 24));
    return true;
}

Index SceneBuilder::find_buffer(Arguments& a, const Word& name) {
    const auto found = buffer_names_.find(name.text);
    if (found != buffer_names_.end())
        return found->second;
    a.error(name.pos, "there is no buffer '" + std::string(name.text) + "'");
    return kNone;
}

/// "buffer NAME TYPE {" or "buffer NAME zeros BYTES".
void SceneBuilder::buffer(Arguments& a) {
    const Word name = a.take("name");
    std::vector<std::byte> bytes;
    if (a.accept("zeros"))
        bytes.resize(a.integer("bytes", 1, 1 << 20));
    else
        bytes = data_block(a);
    const Index index = add_buffer(a, std::move(bytes));
    if (a.ok() && !buffer_names_.emplace(std::string(name.text), index).second)
        a.error(name.pos, "there is a buffer '" + std::string(name.text) + "' already");
}

/// "storage SLOT BUFFER [offset=] [size=]"; atomic counters have the same form.
void SceneBuilder::buffer_slot(Arguments& a, std::vector<BufferName>& slots) {
    const uint32_t slot = a.integer("slot", 0, 31);
    BufferName name;
    name.buffer = find_buffer(a, a.take("buffer"));
    while (const std::optional<KeyValue> pair = a.key_value())
        if (!take_range(a, *pair, name))
            a.error(pair->key.pos, "a buffer has offset and size");
    element(slots, slot) = name;
}

void SceneBuilder::storage(Arguments& a, StageNames& stage) {
    buffer_slot(a, stage.storage);
}

void SceneBuilder::counters(Arguments& a, StageNames& stage) {
    buffer_slot(a, stage.counters);
}

/// "bind_buffer UNIT BUFFER FORMAT [offset=] [size=]": a buffer texture.
void SceneBuilder::bind_buffer(Arguments& a, StageNames& stage) {
    const uint32_t unit = a.integer("unit", 0, exec::kMaxTextureUnits - 1);
    TextureBinding binding;
    binding.buffer.buffer = find_buffer(a, a.take("buffer"));
    binding.view.format = a.format("format");
    while (const std::optional<KeyValue> pair = a.key_value())
        if (!take_range(a, *pair, binding.buffer))
            a.error(pair->key.pos, "a buffer has offset and size");
    element(stage.textures, unit) = binding;
}

/// "image UNIT NAME [kind=] [format=] [level=] [layers=FIRST,COUNT]"; with "buffer BUFFER FORMAT"
/// instead of NAME, the image is a buffer.
void SceneBuilder::image(Arguments& a, StageNames& stage) {
    const uint32_t unit = a.integer("unit", 0, exec::kMaxImages - 1);
    ImageBinding binding;
    raster::ImageView& view = binding.view;
    if (a.accept("buffer")) {
        binding.buffer.buffer = find_buffer(a, a.take("buffer"));
        view.format = a.format("format");
    } else {
        binding.texture = find_texture(a, a.take("texture"));
    }
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        if (key == "kind") {
            view.kind = a.choice_of<raster::TextureKind>(pair->value, key);
        } else if (key == "format") {
            view.format = a.format_of(pair->value, key);
        } else if (key == "level") {
            view.level = static_cast<uint8_t>(a.integer_of(pair->value, key, 0, 14));
        } else if (key == "layers") {
            const auto range = a.integers_of(pair->value, key, 2, 0, 12288);
            view.first_layer = static_cast<uint32_t>(range[0]);
            view.layer_count = static_cast<uint32_t>(range[1]);
        } else if (!take_range(a, *pair, binding.buffer)) {
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of an image");
        }
    }
    element(stage.images, unit) = binding;
}

/// "shared=BYTES"
void SceneBuilder::shared_memory(Arguments& a, DispatchCommand& command) {
    while (const std::optional<KeyValue> pair = a.key_value()) {
        if (pair->key.text != "shared")
            a.error(pair->key.pos, "a dispatch has shared= only");
        command.shared_bytes = static_cast<uint32_t>(
            a.integer_of(pair->value, pair->key.text, 0, exec::kMaxSharedBytes));
    }
    if (command.compute.shader == kNone)
        a.error(a.pos(), "a dispatch needs a compute shader");
    add_command(a, std::move(command));
}

/// "dispatch X Y Z [shared=BYTES]"
void SceneBuilder::dispatch(Arguments& a) {
    DispatchCommand command = dispatch_;
    for (uint32_t& groups : command.groups)
        groups = a.integer("groups", 0, kMaxGroupsOfScene);
    shared_memory(a, command);
}

/// "dispatch_indirect BUFFER OFFSET [shared=BYTES]"
void SceneBuilder::dispatch_indirect(Arguments& a) {
    DispatchCommand command = dispatch_;
    command.indirect.buffer = find_buffer(a, a.take("buffer"));
    command.indirect.offset = a.integer("offset", 0, 1 << 24);
    shared_memory(a, command);
}

/// "draw_indirect BUFFER OFFSET [draws=] [stride=] [count=BUFFER] [count_offset=] [restart=]
/// [patch=]"
void SceneBuilder::draw_indirect(Arguments& a) {
    DrawCommand command = draw_;
    command.indirect.buffer = find_buffer(a, a.take("buffer"));
    command.indirect.offset = a.integer("offset", 0, 1 << 24);
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        const auto number = [&](int64_t high) {
            return static_cast<uint32_t>(a.integer_of(pair->value, key, 0, high));
        };
        if (key == "draws") {
            command.draw_count = number(1024);
        } else if (key == "stride") {
            command.stride = number(1 << 16);
        } else if (key == "count") {
            command.indirect_count.buffer = find_buffer(a, pair->value);
        } else if (key == "count_offset") {
            command.indirect_count.offset = number(1 << 24);
        } else if (key == "patch") {
            command.info.patch_vertices = number(exec::kMaxPatchVertices);
        } else if (key == "restart") {
            command.info.primitive_restart = true;
            command.info.restart_index = number(UINT32_MAX);
        } else {
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of indirect draws");
        }
    }
    if (command.stage(DrawStage::Vertex).shader == kNone)
        a.error(a.pos(), "a draw needs a vertex shader");
    add_command(a, std::move(command));
}

/// "viewport_at N X Y W H [NEAR FAR]"; unset viewports with lower numbers cover the whole target.
void SceneBuilder::viewport_at(Arguments& a) {
    const uint32_t number = a.integer("viewport", 0, 15);
    float v[6] = {0, 0, 0, 0, 0, 1};
    for (size_t i = 0; i < 4; i++)
        v[i] = a.number("viewport value");
    for (size_t i = 4; i < 6 && !a.at_end(); i++)
        v[i] = a.number("depth");
    add_viewports(number);
    draw_.state.viewport_array[number] = raster::Viewport::over(v[0], v[1], v[2], v[3], v[4], v[5]);
}

/// "scissor_at N X0 Y0 X1 Y1"
void SceneBuilder::scissor_at(Arguments& a) {
    const uint32_t number = a.integer("viewport", 0, 15);
    raster::Rect rect;
    for (int32_t* edge : {&rect.x0, &rect.y0, &rect.x1, &rect.y1})
        *edge = static_cast<int32_t>(a.integer("edge", -kMaxScissor - 1, kMaxScissor));
    add_viewports(number);
    draw_.state.scissor_array[number] = rect;
    draw_.pipeline.rasterizer.scissor = true;
}

void SceneBuilder::add_viewports(uint32_t last) {
    raster::DrawState& state = draw_.state;
    constexpr auto kEdge = static_cast<int32_t>(kMaxScissor);
    const auto count = std::max<size_t>(state.viewport_array.size(), size_t{last} + 1);
    state.viewport_array.resize(count, state.viewport);
    state.scissor_array.resize(count, raster::Rect{0, 0, kEdge, kEdge});
}

/// "polygon_stipple {" with 32 words, row 0 first.
void SceneBuilder::polygon_stipple(Arguments& a) {
    const std::vector<Word> words = word_block(a);
    auto& rows = draw_.state.polygon_stipple;
    if (a.ok() && words.size() != rows.size())
        return a.error(a.pos(), "polygon_stipple has 32 words");
    for (size_t i = 0; i < rows.size() && a.ok(); i++)
        rows[i] = static_cast<uint32_t>(a.integer_of(words[i], "row", 0, 0xFFFFFFFF));
    draw_.pipeline.rasterizer.polygon_stipple = true;
}

}  // namespace valkyr::conform
