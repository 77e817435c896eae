// Scene data: reads shaders, constants, vertices and indices of a scene.
// SPDX-License-Identifier: MIT
#include "app/conform/scene_builder.hpp"

#include <bit>
#include <cstring>

namespace valkyr::conform {

namespace {

enum class DataType : uint8_t { F32, U32, I32, U16, I16, U8, I8, Hex };
struct TypeRow {
    std::string_view name;
    DataType type;
    unsigned bytes;
    int64_t low, high;  ///< of integers
};
constexpr TypeRow kTypes[] = {
    {"f32", DataType::F32, 4, 0, 0},
    {"u32", DataType::U32, 4, 0, UINT32_MAX},
    {"i32", DataType::I32, 4, INT32_MIN, INT32_MAX},
    {"u16", DataType::U16, 2, 0, UINT16_MAX},
    {"i16", DataType::I16, 2, INT16_MIN, INT16_MAX},
    {"u8", DataType::U8, 1, 0, UINT8_MAX},
    {"i8", DataType::I8, 1, INT8_MIN, INT8_MAX},
    {"hex", DataType::Hex, 1, 0, 0},
};

void append(std::vector<std::byte>& out, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        out.push_back(static_cast<std::byte>(value >> 8 * i & 255));
}

/// Pairs of hexadecimal digits in one word.
void append_hex(Arguments& a, const Word& word, std::vector<std::byte>& out) {
    if (word.text.size() % 2 != 0)
        a.error(word.pos, "bytes have two digits each");
    for (size_t i = 0; i + 1 < word.text.size() && a.ok(); i += 2) {
        const std::optional<int64_t> byte = to_integer("0x" + std::string(word.text.substr(i, 2)));
        if (!byte)
            a.error(word.pos, "'" + std::string(word.text) + "' is not hexadecimal");
        out.push_back(static_cast<std::byte>(byte.value_or(0)));
    }
}

bool is_inside(std::string_view path) {
    return !path.starts_with('/') && path.find("..") == std::string_view::npos;
}

constexpr exec::Format kFloats[] = {exec::Format::R32_FLOAT, exec::Format::R32G32_FLOAT,
                                    exec::Format::R32G32B32_FLOAT,
                                    exec::Format::R32G32B32A32_FLOAT};

}  // namespace

std::string_view SceneBuilder::text_block(Arguments& a, uint32_t& first_line) {
    if (!a.accept("{"))
        a.error(a.pos(), "a block in braces is missing");
    first_line = lines_.line();
    const std::optional<std::string_view> text = a.ok() ? lines_.block() : std::string_view();
    if (!text)
        a.error(a.pos(), "the block has no end: a line of its own with }");
    return text.value_or(std::string_view());
}

std::vector<Word> SceneBuilder::word_block(Arguments& a) {
    uint32_t first_line = 0;
    const std::string_view text = text_block(a, first_line);
    return split_words(text, first_line);
}

std::vector<std::byte> SceneBuilder::data_block(Arguments& a) {
    const Word name = a.take("type of the data");
    const TypeRow* type = nullptr;
    for (const TypeRow& row : kTypes)
        if (row.name == name.text)
            type = &row;
    if (type == nullptr)
        a.error(name.pos,
                "'" + std::string(name.text) + "' is none of f32, u32, i32, u16, i16, u8, i8, hex");
    std::vector<std::byte> bytes;
    for (const Word& word : word_block(a)) {
        if (!a.ok())
            break;
        if (type->type == DataType::Hex)
            append_hex(a, word, bytes);
        else if (type->type == DataType::F32)
            append(bytes, std::bit_cast<uint32_t>(a.number_of(word, "value")), 4);
        else
            append(bytes, static_cast<uint64_t>(a.integer_of(word, "value", type->low, type->high)),
                   type->bytes);
    }
    return bytes;
}

void SceneBuilder::shader(Arguments& a, StageNames& stage) {
    Index& slot = stage.shader;
    if (a.accept("none")) {
        slot = kNone;
        return;
    }
    ShaderText shader;
    if (a.peek() == "{") {
        shader.text = text_block(a, shader.first_line);
    } else {
        const Word path = a.take("shader file or block");
        if (!a.ok())
            return;
        shader.file = path.text;
        if (!is_inside(path.text))
            return a.error(path.pos, "shader files lie inside the suite's directory");
        Result<std::string> text = load_(shader.file);
        if (!text)
            return a.error(path.pos, text.error().text);
        shader.text = std::move(*text);
    }
    if (case_.shaders.size() >= kMaxResources)
        a.error(a.pos(), "too many shaders");
    if (!a.ok())
        return;
    slot = static_cast<Index>(case_.shaders.size());
    case_.shaders.push_back(std::move(shader));
}

void SceneBuilder::constants(Arguments& a, StageNames& stage) {
    uint32_t number = 0;
    if (to_integer(a.peek()))
        number = a.integer("buffer", 0, exec::kMaxConstantBuffers - 1);
    std::vector<std::byte> bytes = data_block(a);
    bytes.resize((bytes.size() + 3) / 4 * 4);
    std::vector<uint32_t> words(bytes.size() / 4);
    if (!bytes.empty())
        std::memcpy(words.data(), bytes.data(), bytes.size());
    auto& buffers = stage.constants;
    if (buffers.size() <= number)
        buffers.resize(number + 1);
    buffers[number] = std::move(words);
}

Index SceneBuilder::add_buffer(Arguments& a, std::vector<std::byte> bytes) {
    if (case_.buffers.size() >= kMaxResources)
        a.error(a.pos(), "too many buffers");
    if (bytes.empty())
        a.error(a.pos(), "the buffer is empty");
    if (!a.ok())
        return kNone;
    case_.buffers.push_back(std::move(bytes));
    return static_cast<Index>(case_.buffers.size() - 1);
}

/// "vertices f32 4 4 {": interleaved attributes in buffer 0.
void SceneBuilder::vertices(Arguments& a) {
    draw_.pipeline.elements.clear();
    uint32_t offset = 0;
    while (!a.at_end() && a.peek() != "{" && a.peek() != "f32") {
        const uint32_t components = a.integer("components of an attribute", 1, 4);
        draw_.pipeline.elements.push_back({0, offset, 0, kFloats[components - 1]});
        offset += 4 * components;
        if (!a.ok() || draw_.pipeline.elements.size() > exec::kMaxAttributes)
            return a.error(a.pos(), "too many attributes");
    }
    if (draw_.pipeline.elements.empty())
        return a.error(a.pos(), "components of an attribute are missing");
    draw_.pipeline.strides = {offset};
    draw_.vertex_buffers = {BufferName{add_buffer(a, data_block(a))}};
}

/// "vertex_buffer SLOT STRIDE [offset=N] TYPE {" or "vertex_buffer SLOT STRIDE buffer=NAME
/// [offset=N]".
void SceneBuilder::vertex_buffer(Arguments& a) {
    const uint32_t slot = a.integer("slot", 0, 15);
    const uint32_t stride = a.integer("stride", 0, 65535);
    BufferName name;
    while (const std::optional<KeyValue> pair = a.key_value()) {
        if (pair->key.text == "offset")
            name.offset = static_cast<uint64_t>(a.integer_of(pair->value, "offset", 0, 1 << 20));
        else if (pair->key.text == "buffer")
            name.buffer = find_buffer(a, pair->value);
        else
            return a.error(pair->key.pos, "a vertex buffer has buffer and offset");
    }
    if (a.ok() && name.buffer == kNone)
        name.buffer = add_buffer(a, data_block(a));
    if (draw_.vertex_buffers.size() <= slot)
        draw_.vertex_buffers.resize(slot + 1);
    if (draw_.pipeline.strides.size() <= slot)
        draw_.pipeline.strides.resize(slot + 1);
    draw_.pipeline.strides[slot] = stride;
    draw_.vertex_buffers[slot] = name;
}

/// "attribute N FORMAT [slot=] [offset=] [divisor=]".
void SceneBuilder::attribute(Arguments& a) {
    const uint32_t number = a.integer("attribute", 0, exec::kMaxAttributes - 1);
    raster::VertexElement element;
    element.format = a.format("format");
    while (const std::optional<KeyValue> pair = a.key_value()) {
        uint32_t* value = pair->key.text == "slot"      ? &element.buffer
                          : pair->key.text == "offset"  ? &element.offset
                          : pair->key.text == "divisor" ? &element.divisor
                                                        : nullptr;
        if (value == nullptr)
            return a.error(pair->key.pos, "an attribute has slot, offset and divisor");
        *value = static_cast<uint32_t>(a.integer_of(pair->value, pair->key.text, 0, 1 << 20));
    }
    if (draw_.pipeline.elements.size() <= number)
        draw_.pipeline.elements.resize(number + 1);
    draw_.pipeline.elements[number] = element;
}

void SceneBuilder::indices(Arguments& a) {
    draw_.index_buffer = {};
    draw_.state.index_type = raster::IndexType::None;
    if (a.accept("none"))
        return;
    const std::string_view type = a.peek();
    draw_.state.index_type = type == "u8"    ? raster::IndexType::U8
                             : type == "u16" ? raster::IndexType::U16
                                             : raster::IndexType::U32;
    if (type != "u8" && type != "u16" && type != "u32")
        return a.error(a.pos(), "indices are u8, u16 or u32");
    draw_.index_buffer = BufferName{add_buffer(a, data_block(a))};
}

}  // namespace valkyr::conform
