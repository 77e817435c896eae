// Accessor of glTF: reads typed arrays out of buffers, with their ranges checked.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_accessor.hpp"

#include "examples/gltf/tiny_gltf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace valkyr::examples {

namespace {

Error semantic(const std::string& what, const std::string& text) {
    return {Errc::Semantic, {}, what + ": " + text};
}

/// A component type (3.6.2.2) and how its bytes become a float.
struct ComponentType {
    int type;
    uint32_t bytes;
    float largest;  ///< that normalized integers are divided by; 0: a float
    bool is_signed;
    double (*read)(const uint8_t* bytes);
};

template <typename T>
double read_as(const uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

constexpr std::array<ComponentType, 6> kComponentTypes{{
    {TINYGLTF_COMPONENT_TYPE_BYTE, 1, 127, true, read_as<int8_t>},
    {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, 1, 255, false, read_as<uint8_t>},
    {TINYGLTF_COMPONENT_TYPE_SHORT, 2, 32767, true, read_as<int16_t>},
    {TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, 2, 65535, false, read_as<uint16_t>},
    {TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, 4, 0, false, read_as<uint32_t>},
    {TINYGLTF_COMPONENT_TYPE_FLOAT, 4, 0, true, read_as<float>},
}};

const ComponentType* component_type(int type) {
    const auto* const found = std::find_if(kComponentTypes.begin(), kComponentTypes.end(),
                                           [=](const auto& known) { return known.type == type; });
    return found == kComponentTypes.end() ? nullptr : found;
}

/// Rows and columns of an element.
struct Shape {
    uint32_t rows = 0;
    uint32_t columns = 1;
};

std::optional<Shape> shape_of(int type) {
    switch (type) {
    case TINYGLTF_TYPE_SCALAR: return Shape{1, 1};
    case TINYGLTF_TYPE_VEC2: return Shape{2, 1};
    case TINYGLTF_TYPE_VEC3: return Shape{3, 1};
    case TINYGLTF_TYPE_VEC4: return Shape{4, 1};
    case TINYGLTF_TYPE_MAT2: return Shape{2, 2};
    case TINYGLTF_TYPE_MAT3: return Shape{3, 3};
    case TINYGLTF_TYPE_MAT4: return Shape{4, 4};
    default: return std::nullopt;
    }
}

/// How the elements of an accessor lie in memory.
struct Layout {
    const ComponentType* component = nullptr;
    Shape shape;
    uint32_t column_bytes = 0;  ///< columns of matrices begin at multiples of four bytes (3.6.2.4)

    [[nodiscard]] uint32_t width() const { return shape.rows * shape.columns; }
    [[nodiscard]] uint64_t bytes() const {
        return uint64_t{column_bytes} * (shape.columns - 1) +
               uint64_t{component->bytes} * shape.rows;
    }
    [[nodiscard]] uint64_t stride() const { return uint64_t{column_bytes} * shape.columns; }
};

Result<Layout> layout_of(const tinygltf::Accessor& accessor, const std::string& what) {
    Layout layout;
    layout.component = component_type(accessor.componentType);
    const std::optional<Shape> shape = shape_of(accessor.type);
    if (layout.component == nullptr || !shape)
        return semantic(what, "the accessor has an unknown type");
    layout.shape = *shape;
    layout.column_bytes = layout.component->bytes * shape->rows;
    if (shape->columns > 1)
        layout.column_bytes = (layout.column_bytes + 3) / 4 * 4;
    return layout;
}

/// Elements in a view.
struct Elements {
    const uint8_t* data = nullptr;
    uint64_t stride = 0;
};

Result<Elements> elements_of(const tinygltf::Model& file,
                             int view,
                             uint64_t offset,
                             uint64_t count,
                             const Layout& layout,
                             const std::string& what) {
    VALKYR_TRY(bytes, read_view(file, view, what));
    const uint64_t given = file.bufferViews[static_cast<size_t>(view)].byteStride;
    const uint64_t stride = given != 0 ? given : layout.stride();
    if (stride < layout.bytes())
        return semantic(what, "elements overlap in the buffer view");
    // Each of these numbers is below 2^63, and `count` is limited by the division.
    const bool fits = offset <= bytes.size && layout.bytes() <= bytes.size - offset &&
                      (count - 1) <= (bytes.size - offset - layout.bytes()) / stride;
    if (!fits)
        return semantic(what, "the accessor exceeds its buffer view");
    return Elements{bytes.data + offset, stride};
}

template <typename Store>
void for_each_component(const Elements& elements, const Layout& layout, size_t n, Store&& store) {
    const uint8_t* element = elements.data + n * elements.stride;
    for (uint32_t column = 0; column < layout.shape.columns; column++)
        for (uint32_t row = 0; row < layout.shape.rows; row++)
            store(column * layout.shape.rows + row,
                  layout.component->read(element + size_t{column} * layout.column_bytes +
                                         size_t{row} * layout.component->bytes));
}

Result<const tinygltf::Accessor*>
find_accessor(const tinygltf::Model& file, int number, const std::string& what) {
    if (number < 0 || static_cast<size_t>(number) >= file.accessors.size())
        return semantic(what, "there is no accessor " + std::to_string(number));
    return &file.accessors[static_cast<size_t>(number)];
}

/// Replaces the elements that the sparse part lists (3.6.2.3).
Result<void> read_sparse(const tinygltf::Model& file,
                         const tinygltf::Accessor& accessor,
                         const Layout& layout,
                         const std::string& what,
                         std::vector<double>& values) {
    const auto& sparse = accessor.sparse;
    const uint64_t count = sparse.count < 0 ? 0 : static_cast<uint64_t>(sparse.count);
    Layout index_layout;
    index_layout.component = component_type(sparse.indices.componentType);
    index_layout.shape = {1, 1};
    if (count == 0 || sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0 ||
        index_layout.component == nullptr || index_layout.component->is_signed)
        return semantic(what, "the sparse part of the accessor is wrong");
    index_layout.column_bytes = index_layout.component->bytes;
    VALKYR_TRY(indices, elements_of(file, sparse.indices.bufferView,
                                    static_cast<uint64_t>(sparse.indices.byteOffset), count,
                                    index_layout, what + ": sparse indices"));
    VALKYR_TRY(changes, elements_of(file, sparse.values.bufferView,
                                    static_cast<uint64_t>(sparse.values.byteOffset), count, layout,
                                    what + ": sparse values"));
    for (size_t i = 0; i < count; i++) {
        const double index = index_layout.component->read(indices.data + i * indices.stride);
        if (index >= static_cast<double>(accessor.count))
            return semantic(what, "a sparse index exceeds the accessor");
        double* element = &values[static_cast<size_t>(index) * layout.width()];
        for_each_component(changes, layout, i, [&](uint32_t k, double v) { element[k] = v; });
    }
    return {};
}

/// The largest count of an accessor without a view. Its elements are zero (3.6.2.3) and cost the
/// file nothing, but the vertices that they belong to have other attributes of 4 bytes or more.
uint64_t most_zeros(const tinygltf::Model& file) {
    uint64_t bytes = 0;
    for (const tinygltf::Buffer& buffer : file.buffers)
        bytes += buffer.data.size();
    return bytes / 4;
}

/// The components as they stand in the file.
struct Components {
    Layout layout;
    size_t count = 0;
    std::vector<double> values;
};

Result<Components> read_components(const tinygltf::Model& file,
                                   const tinygltf::Accessor& accessor,
                                   const std::string& what) {
    Components out;
    VALKYR_TRY(layout, layout_of(accessor, what));
    out.layout = layout;
    out.count = accessor.count;
    if (out.count == 0 || (accessor.bufferView < 0 && out.count > most_zeros(file)))
        return semantic(what, "the accessor has too few or too many elements");
    std::optional<Elements> elements;
    if (accessor.bufferView >= 0) {
        VALKYR_TRY(found, elements_of(file, accessor.bufferView, accessor.byteOffset, out.count,
                                      out.layout, what));
        elements = found;
    }
    out.values.resize(out.count * out.layout.width());
    if (elements)
        for (size_t i = 0; i < out.count; i++)
            for_each_component(*elements, out.layout, i, [&](uint32_t k, double value) {
                out.values[i * out.layout.width() + k] = value;
            });
    if (accessor.sparse.isSparse)
        VALKYR_TRY_VOID(read_sparse(file, accessor, out.layout, what, out.values));
    return out;
}

}  // namespace

Result<GltfBytes> read_view(const tinygltf::Model& file, int view, const std::string& what) {
    if (view < 0 || static_cast<size_t>(view) >= file.bufferViews.size())
        return semantic(what, "there is no buffer view " + std::to_string(view));
    const tinygltf::BufferView& found = file.bufferViews[static_cast<size_t>(view)];
    if (found.buffer < 0 || static_cast<size_t>(found.buffer) >= file.buffers.size())
        return semantic(what, "there is no buffer " + std::to_string(found.buffer));
    const std::vector<unsigned char>& bytes = file.buffers[static_cast<size_t>(found.buffer)].data;
    if (found.byteOffset > bytes.size() || found.byteLength > bytes.size() - found.byteOffset)
        return semantic(what, "the buffer view " + std::to_string(view) + " exceeds its buffer");
    return GltfBytes{bytes.data() + found.byteOffset, found.byteLength};
}

Result<GltfArray> read_array(const tinygltf::Model& file, int accessor, const std::string& what) {
    VALKYR_TRY(found, find_accessor(file, accessor, what));
    VALKYR_TRY(components, read_components(file, *found, what));
    GltfArray out;
    out.count = components.count;
    out.width = components.layout.width();
    const double scale = found->normalized && components.layout.component->largest > 0
                             ? 1.0 / static_cast<double>(components.layout.component->largest)
                             : 1.0;
    out.values.reserve(components.values.size());
    for (const double value : components.values) {
        const double scaled = scale == 1 ? value : std::max(value * scale, -1.0);
        if (!std::isfinite(scaled))
            return semantic(what, "a value is not finite");
        out.values.push_back(static_cast<float>(scaled));
    }
    return out;
}

Result<GltfArray>
read_array(const tinygltf::Model& file, int accessor, const std::string& what, uint32_t width) {
    VALKYR_TRY(array, read_array(file, accessor, what));
    if (array.width != width)
        return semantic(what, "the accessor has elements of another type");
    return array;
}

Result<std::vector<uint32_t>>
read_integers(const tinygltf::Model& file, int accessor, const std::string& what, uint32_t width) {
    VALKYR_TRY(found, find_accessor(file, accessor, what));
    VALKYR_TRY(components, read_components(file, *found, what));
    if (components.layout.component->is_signed || found->normalized ||
        components.layout.width() != width)
        return semantic(what, "the accessor has elements of another type");
    std::vector<uint32_t> out;
    out.reserve(components.values.size());
    for (const double value : components.values)
        out.push_back(static_cast<uint32_t>(value));
    return out;
}

}  // namespace valkyr::examples
