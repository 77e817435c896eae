// Meshes of glTF: converts primitives into triangles with one kind of vertex, and morph targets.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_accessor.hpp"
#include "examples/gltf/gltf_parts.hpp"
#include "examples/model_normals.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace valkyr::examples {

namespace {

using Attributes = std::map<std::string, int>;

/// Triangles and vertices that may still be read.
struct Budget {
    size_t triangles;
    size_t vertices;
};

int find_attribute(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? -1 : found->second;
}

/// Stores one attribute of all vertices, if the primitive has it.
/// widths  the allowed components of an element, the smallest first
template <typename Store>
Result<void> read_attribute(const tinygltf::Model& file,
                            const Attributes& attributes,
                            const char* name,
                            std::array<uint32_t, 2> widths,
                            size_t count,
                            const std::string& what,
                            Store&& store) {
    const int accessor = find_attribute(attributes, name);
    if (accessor < 0)
        return {};
    const std::string place = what + "." + name;
    VALKYR_TRY(array, read_array(file, accessor, place));
    if (array.width < widths[0] || array.width > widths[1] || array.count != count)
        return gltf_error(place, "the accessor has elements of another type or another count");
    for (size_t i = 0; i < count; i++)
        store(i, array.at(i), array.width);
    return {};
}

Result<void> read_joints(const tinygltf::Model& file,
                         const Attributes& attributes,
                         const std::string& what,
                         std::vector<GltfVertex>& vertices) {
    const int accessor = find_attribute(attributes, "JOINTS_0");
    if (accessor < 0)
        return {};
    VALKYR_TRY(joints, read_integers(file, accessor, what + ".JOINTS_0", 4));
    if (joints.size() != 4 * vertices.size())
        return gltf_error(what + ".JOINTS_0", "the accessor has another count of elements");
    for (size_t i = 0; i < joints.size(); i++) {
        if (joints[i] > 0xFFFF)
            return gltf_error(what + ".JOINTS_0", "a joint is above 65535");
        vertices[i / 4].joints[i % 4] = static_cast<uint16_t>(joints[i]);
    }
    return {};
}

/// Makes weights sum to 1 (3.7.3.3), as rounded ones do not, and joints without weight the first.
void normalize_weights(std::vector<GltfVertex>& vertices) {
    for (GltfVertex& vertex : vertices) {
        float sum = 0;
        for (float& weight : vertex.weights)
            sum += weight = std::max(weight, 0.0F);
        if (!(sum > 0 && std::isfinite(sum))) {
            vertex.weights[0] = sum = 1;
            std::fill(vertex.weights + 1, vertex.weights + 4, 0.0F);
        }
        for (size_t k = 0; k < 4; k++) {
            vertex.weights[k] /= sum;
            if (vertex.weights[k] == 0)
                vertex.joints[k] = 0;
        }
    }
}

/// A normal of unit length, or zero.
void set_normal(float (&out)[3], const float* from) {
    const float length = std::sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    for (size_t k = 0; k < 3; k++)
        out[k] = length > 0 && std::isfinite(length) ? from[k] / length : 0;
}

Result<std::vector<GltfVertex>> vertices_of(const tinygltf::Model& file,
                                            const Attributes& attributes,
                                            const std::string& what,
                                            Budget& budget) {
    VALKYR_TRY(positions,
               read_array(file, find_attribute(attributes, "POSITION"), what + ".POSITION", 3));
    const size_t count = positions.count;
    if (count > budget.vertices)
        return Error{Errc::OutOfRange, {}, what + ": the file has too many vertices"};
    budget.vertices -= count;
    std::vector<GltfVertex> out(count);
    for (size_t i = 0; i < count; i++) {
        std::copy_n(positions.at(i), 3, out[i].position);
        std::fill(out[i].color, out[i].color + 4, 1.0F);
    }
    VALKYR_TRY_VOID(read_attribute(
        file, attributes, "NORMAL", {3, 3}, count, what,
        [&](size_t i, const float* value, uint32_t) { set_normal(out[i].normal, value); }));
    const char* const coordinates[] = {"TEXCOORD_0", "TEXCOORD_1"};
    for (size_t set = 0; set < 2; set++)
        VALKYR_TRY_VOID(read_attribute(file, attributes, coordinates[set], {2, 2}, count, what,
                                       [&](size_t i, const float* value, uint32_t) {
                                           std::copy_n(value, 2, out[i].uv + 2 * set);
                                       }));
    VALKYR_TRY_VOID(read_attribute(file, attributes, "COLOR_0", {3, 4}, count, what,
                                   [&](size_t i, const float* value, uint32_t width) {
                                       for (uint32_t k = 0; k < width; k++)
                                           out[i].color[k] = std::clamp(value[k], 0.0F, 1.0F);
                                   }));
    VALKYR_TRY_VOID(read_joints(file, attributes, what, out));
    VALKYR_TRY_VOID(read_attribute(
        file, attributes, "WEIGHTS_0", {4, 4}, count, what,
        [&](size_t i, const float* value, uint32_t) { std::copy_n(value, 4, out[i].weights); }));
    normalize_weights(out);
    return out;
}

/// Lists of triangles from the indices of a list, a strip or a fan (3.7.2.1).
std::vector<uint32_t> triangle_list(const std::vector<uint32_t>& from, int mode) {
    if (mode == TINYGLTF_MODE_TRIANGLES) {
        std::vector<uint32_t> out = from;
        out.resize(out.size() / 3 * 3);
        return out;
    }
    std::vector<uint32_t> out;
    for (size_t i = 0; i + 2 < from.size(); i++)
        if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
            out.insert(out.end(), {from[i + 1], from[i + 2], from[0]});
        else
            out.insert(out.end(), {from[i], from[i + 1 + i % 2], from[i + 2 - i % 2]});
    return out;
}

Result<std::vector<uint32_t>> indices_of(const tinygltf::Model& file,
                                         const tinygltf::Primitive& from,
                                         size_t vertices,
                                         const std::string& what) {
    std::vector<uint32_t> out;
    if (from.indices >= 0) {
        VALKYR_TRY(indices, read_integers(file, from.indices, what + ".indices", 1));
        out = std::move(indices);
    } else {
        out.resize(vertices);
        for (size_t i = 0; i < vertices; i++)
            out[i] = static_cast<uint32_t>(i);
    }
    for (const uint32_t index : out)
        if (index >= vertices)
            return gltf_error(what + ".indices", "there is no vertex " + std::to_string(index));
    return triangle_list(out, from.mode);
}

/// Gives each triangle vertices of its own with the triangle's normal, as section 3.7.2.1 wants it
/// where normals are missing.
void make_flat(GltfPrimitive& primitive) {
    std::vector<float> places;
    std::vector<int> corners;
    std::vector<GltfVertex> vertices;
    for (auto& target : primitive.targets) {
        std::vector<GltfOffset> offsets;
        for (const uint32_t index : primitive.indices)
            offsets.push_back(target[index]);
        target = std::move(offsets);
    }
    for (uint32_t& index : primitive.indices) {
        const GltfVertex& vertex = primitive.vertices[index];
        places.insert(places.end(), vertex.position, vertex.position + 3);
        corners.push_back(static_cast<int>(corners.size()));
        vertices.push_back(vertex);
        index = static_cast<uint32_t>(vertices.size() - 1);
    }
    const std::vector<Vec3> normals = smooth_normals(places, corners, {});
    for (size_t i = 0; i < vertices.size(); i++)
        std::copy_n(normals[i].begin(), 3, vertices[i].normal);
    primitive.vertices = std::move(vertices);
}

Result<std::vector<GltfOffset>> target_of(const tinygltf::Model& file,
                                          const Attributes& attributes,
                                          size_t count,
                                          const std::string& what) {
    std::vector<GltfOffset> out(count);
    VALKYR_TRY_VOID(read_attribute(
        file, attributes, "POSITION", {3, 3}, count, what,
        [&](size_t i, const float* v, uint32_t) { std::copy_n(v, 3, out[i].position.begin()); }));
    VALKYR_TRY_VOID(read_attribute(
        file, attributes, "NORMAL", {3, 3}, count, what,
        [&](size_t i, const float* v, uint32_t) { std::copy_n(v, 3, out[i].normal.begin()); }));
    return out;
}

Result<GltfPrimitive> primitive_of(const tinygltf::Model& file,
                                   const tinygltf::Primitive& from,
                                   const std::string& what,
                                   Budget& budget) {
    GltfPrimitive out;
    VALKYR_TRY(vertices, vertices_of(file, from.attributes, what, budget));
    VALKYR_TRY(indices, indices_of(file, from, vertices.size(), what));
    if (indices.size() / 3 > budget.triangles)
        return Error{Errc::OutOfRange, {}, what + ": the file has too many triangles"};
    budget.triangles -= indices.size() / 3;
    VALKYR_TRY(material, gltf_index(from.material, file.materials.size(), what, "material"));
    out.material = material == kNone ? file.materials.size() : material;
    for (const Attributes& attributes : from.targets) {
        const std::string place = what + "." + gltf_name("targets", out.targets.size());
        if (vertices.size() > budget.vertices)
            return Error{Errc::OutOfRange, {}, place + ": the file has too many vertices"};
        budget.vertices -= vertices.size();
        VALKYR_TRY(target, target_of(file, attributes, vertices.size(), place));
        out.targets.push_back(std::move(target));
    }
    out.vertices = std::move(vertices);
    out.indices = std::move(indices);
    if (from.attributes.count("NORMAL") != 0)
        return out;
    const size_t corners = out.indices.size() * (1 + out.targets.size());
    if (corners > budget.vertices)
        return Error{Errc::OutOfRange, {}, what + ": the file has too many vertices"};
    budget.vertices -= corners;
    make_flat(out);
    return out;
}

bool has_triangles(const tinygltf::Primitive& primitive) {
    return primitive.mode >= TINYGLTF_MODE_TRIANGLES || primitive.mode == -1;
}

}  // namespace

Result<std::vector<GltfMesh>> gltf_meshes(const tinygltf::Model& file,
                                          const ModelLimits& limits,
                                          const Progress& progress,
                                          std::vector<std::string>& warnings) {
    Budget budget{limits.triangles, limits.triangles};
    std::vector<GltfMesh> out;
    bool has_others = false;
    for (const tinygltf::Mesh& from : file.meshes) {
        const std::string what = gltf_name("meshes", out.size());
        if (progress)
            progress("reading",
                     static_cast<double>(out.size()) / static_cast<double>(file.meshes.size()));
        GltfMesh mesh;
        for (size_t i = 0; i < from.primitives.size(); i++) {
            const tinygltf::Primitive& primitive = from.primitives[i];
            has_others |= !has_triangles(primitive);
            if (!has_triangles(primitive) || primitive.attributes.count("POSITION") == 0)
                continue;
            VALKYR_TRY(read, primitive_of(file, primitive, what + "." + gltf_name("primitives", i),
                                          budget));
            if (!mesh.primitives.empty() &&
                read.targets.size() != mesh.primitives[0].targets.size())
                return gltf_error(what, "primitives differ in the number of morph targets");
            mesh.primitives.push_back(std::move(read));
        }
        const size_t targets = mesh.primitives.empty() ? 0 : mesh.primitives[0].targets.size();
        for (size_t i = 0; i < targets; i++)
            mesh.weights.push_back(i < from.weights.size() ? static_cast<float>(from.weights[i])
                                                           : 0.0F);
        out.push_back(std::move(mesh));
    }
    if (has_others)
        warnings.emplace_back("points and lines are left out");
    return out;
}

}  // namespace valkyr::examples
