// Model: reads triangle models from Wavefront OBJ files.
// SPDX-License-Identifier: MIT
#include "examples/model.hpp"

#include "examples/model_check.hpp"
#include "examples/model_normals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <sstream>
#include <tiny_obj_loader.h>
#include <unordered_map>

namespace valkyr::examples {

namespace {

/// A text as a stream that reports how much of it has been read.
class CountedText final : public std::streambuf {
public:
    CountedText(std::string& text, const Progress& progress)
        : text_(text)
        , progress_(progress) {}

private:
    int_type underflow() override {
        if (at_ == text_.size())
            return traits_type::eof();
        if (progress_)
            progress_("parsing", static_cast<double>(at_) / static_cast<double>(text_.size()));
        const size_t piece = std::min(text_.size() - at_, size_t{1} << 20);
        char* begin = text_.data() + at_;
        setg(begin, begin, begin + piece);
        at_ += piece;
        return traits_type::to_int_type(*begin);
    }

    std::string& text_;
    const Progress& progress_;
    size_t at_ = 0;
};

/// Reads material libraries within the limits.
class LibraryReader final : public tinyobj::MaterialReader {
public:
    LibraryReader(const ModelFiles& files, const ModelLimits& limits)
        : files_(files)
        , bytes_left_(limits.library_bytes)
        , materials_left_(limits.materials) {}

    bool operator()(const std::string& name,
                    std::vector<tinyobj::material_t>* materials,
                    std::map<std::string, int>* numbers,
                    std::string* warnings,
                    std::string* errors) override {
        const Result<std::string> text = read(name);
        if (!text.has_value()) {
            *warnings += "material library " + name + ": " + text.error().text + "\n";
            return false;
        }
        std::istringstream stream(*text);
        tinyobj::LoadMtl(numbers, materials, &stream, warnings, errors);
        return true;
    }

private:
    /// Reads a text and subtracts its bytes and materials from the limits.
    Result<std::string> read(const std::string& name) {
        VALKYR_TRY(text, files_.library(name, bytes_left_));
        size_t count = 1;  // The parser adds a material at the end of every library.
        for (size_t at = text.find("newmtl"); at != std::string::npos;
             at = text.find("newmtl", at + 1))
            count++;
        if (count > materials_left_)
            return Error{Errc::OutOfRange, {}, "too many materials"};
        bytes_left_ -= text.size();
        materials_left_ -= count;
        return text;
    }

    const ModelFiles& files_;
    uint64_t bytes_left_;
    size_t materials_left_;
};

/// The parser's results.
struct Parsed {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
};

constexpr size_t kMostWarnings = 20;  // of the parser; as many again of pictures

void add_lines(std::vector<std::string>& lines, const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end() &&
            lines.size() < kMostWarnings)
            lines.push_back(line);
}

Result<Parsed> parse(std::string text,
                     const ModelFiles& files,
                     const ModelLimits& limits,
                     const Progress& progress,
                     std::vector<std::string>& warnings) {
    Parsed parsed;
    CountedText counted(text, progress);
    std::istream stream(&counted);
    LibraryReader libraries(files, limits);
    std::string warning;
    std::string error;
    const bool good = tinyobj::LoadObj(&parsed.attributes, &parsed.shapes, &parsed.materials,
                                       &warning, &error, &stream, &libraries, true, false);
    add_lines(warnings, warning);
    if (!good)
        return Error{Errc::Syntax,
                     {},
                     error.empty() ? "cannot be parsed" : error.substr(0, error.find('\n'))};
    return parsed;
}

float limited(float value, float low, float high) {
    return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

Vec3 color(const tinyobj::real_t (&rgb)[3]) {
    return {limited(rgb[0], 0, 1), limited(rgb[1], 0, 1), limited(rgb[2], 0, 1)};
}

/// Reads pictures of materials within the limits.
class PictureReader {
public:
    PictureReader(const ModelFiles& files,
                  const ModelLimits& limits,
                  std::vector<std::string>& warnings)
        : files_(files)
        , limits_(limits)
        , warnings_(warnings) {}

    /// The picture of map_Kd, or nothing and a warning.
    Image read(std::string name) {
        std::replace(name.begin(), name.end(), '\\', '/');
        Result<Image> image = within_limits(name);
        if (image.has_value())
            return std::move(*image);
        if (warnings_.size() < kMostWarnings)
            warnings_.push_back("texture " + image.error().text + "; the plain colour is used");
        return {};
    }

private:
    Result<Image> within_limits(const std::string& name) {
        VALKYR_TRY(image, files_.picture(name, limits_.texture_size));
        if (image.rgba.size() > limits_.texture_bytes - bytes_)
            return Error{Errc::OutOfRange, {}, name + ": the pictures are too large together"};
        bytes_ += image.rgba.size();
        return image;
    }

    const ModelFiles& files_;
    const ModelLimits& limits_;
    std::vector<std::string>& warnings_;
    uint64_t bytes_ = 0;
};

std::vector<ModelMaterial> materials_of(const std::vector<tinyobj::material_t>& from,
                                        PictureReader pictures) {
    std::vector<ModelMaterial> materials;
    for (const tinyobj::material_t& m : from) {
        ModelMaterial material;
        material.name = m.name;
        material.diffuse = color(m.diffuse);
        material.specular = color(m.specular);
        material.emission = color(m.emission);
        material.shininess = limited(m.shininess, 1, 1000);
        material.opacity = limited(m.dissolve, 0, 1);
        if (!m.diffuse_texname.empty())
            material.texture = pictures.read(m.diffuse_texname);
        materials.push_back(std::move(material));
    }
    materials.push_back({});  // for faces without material
    return materials;
}

/// Collects corners as vertices; equal corners share one.
class VertexList {
public:
    explicit VertexList(std::vector<MeshVertex>& vertices)
        : vertices_(vertices) {}

    uint32_t number(const MeshVertex& vertex) {
        Key key;
        std::memcpy(key.words.data(), &vertex, sizeof vertex);
        const auto [at, added] = numbers_.emplace(key, static_cast<uint32_t>(vertices_.size()));
        if (added)
            vertices_.push_back(vertex);
        return at->second;
    }

private:
    struct Key {
        std::array<uint32_t, sizeof(MeshVertex) / 4> words{};
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        size_t operator()(const Key& key) const {
            uint64_t hash = 0;
            for (const uint32_t word : key.words)
                hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            return hash ^ hash >> 29;
        }
    };

    std::vector<MeshVertex>& vertices_;
    std::unordered_map<Key, uint32_t, Hash> numbers_;
};

/// Triangles of all shapes: three corners each, and their materials.
struct Triangles {
    std::vector<tinyobj::index_t> corners;
    std::vector<size_t> materials;
};

Triangles triangles_of(const Parsed& parsed, size_t material_count) {
    Triangles triangles;
    for (const tinyobj::shape_t& shape : parsed.shapes) {
        const tinyobj::mesh_t& mesh = shape.mesh;
        for (size_t i = 0; 3 * i + 2 < mesh.indices.size(); i++) {
            const int material = i < mesh.material_ids.size() ? mesh.material_ids[i] : -1;
            const bool known = material >= 0 && static_cast<size_t>(material) + 1 < material_count;
            triangles.materials.push_back(known ? static_cast<size_t>(material)
                                                : material_count - 1);
            for (size_t k = 0; k < 3; k++)
                triangles.corners.push_back(mesh.indices[3 * i + k]);
        }
    }
    return triangles;
}

MeshVertex
vertex_of(const tinyobj::attrib_t& from, const tinyobj::index_t& index, const Vec3& normal) {
    MeshVertex vertex{};
    const float* place = &from.vertices[3 * static_cast<size_t>(index.vertex_index)];
    std::copy(place, place + 3, vertex.position);
    std::copy(normal.begin(), normal.end(), vertex.normal);
    if (index.texcoord_index >= 0) {
        const float* uv = &from.texcoords[2 * static_cast<size_t>(index.texcoord_index)];
        vertex.uv[0] = uv[0];
        vertex.uv[1] = 1 - uv[1];
    }
    return vertex;
}

/// Numbers of triangles, grouped by material in their original order. Those of material i are
/// triangles[first[i]] up to triangles[first[i + 1]].
struct ByMaterial {
    std::vector<size_t> first;
    std::vector<size_t> triangles;
};

ByMaterial by_material(std::span<const size_t> materials, size_t material_count) {
    ByMaterial order;
    order.first.assign(material_count + 2, 0);
    for (const size_t material : materials)
        order.first[material + 2]++;
    std::partial_sum(order.first.begin(), order.first.end(), order.first.begin());
    order.triangles.resize(materials.size());
    for (size_t i = 0; i < materials.size(); i++)
        order.triangles[order.first[materials[i] + 1]++] = i;
    return order;
}

/// Builds vertices and indices, with triangles grouped by material.
void build_mesh(Model& model,
                const Parsed& parsed,
                const Triangles& triangles,
                const Progress& progress) {
    std::vector<int> places;
    for (const tinyobj::index_t& corner : triangles.corners)
        places.push_back(corner.vertex_index);
    const std::vector<Vec3> smooth = smooth_normals(parsed.attributes.vertices, places, progress);
    const ByMaterial order = by_material(triangles.materials, model.materials.size());
    VertexList list(model.mesh.vertices);
    for (size_t material = 0; material < model.materials.size(); material++) {
        ModelPart part{material, static_cast<uint32_t>(model.mesh.indices.size()), 0};
        for (size_t at = order.first[material]; at < order.first[material + 1]; at++) {
            const size_t begin = 3 * order.triangles[at];
            for (size_t corner = begin; corner < begin + 3; corner++) {
                const tinyobj::index_t& index = triangles.corners[corner];
                const Vec3 normal =
                    given_normal(parsed.attributes.normals, index.normal_index, smooth[corner]);
                model.mesh.indices.push_back(
                    list.number(vertex_of(parsed.attributes, index, normal)));
            }
        }
        part.count = static_cast<uint32_t>(model.mesh.indices.size()) - part.first;
        if (part.count > 0)
            model.parts.push_back(part);
        if (progress)
            progress("arranging", static_cast<double>(material + 1) /
                                      static_cast<double>(model.materials.size()));
    }
}

void measure(Model& model) {
    model.low.fill(HUGE_VALF);
    model.high.fill(-HUGE_VALF);
    for (const MeshVertex& vertex : model.mesh.vertices)
        for (size_t i = 0; i < 3; i++) {
            model.low[i] = std::min(model.low[i], vertex.position[i]);
            model.high[i] = std::max(model.high[i], vertex.position[i]);
        }
}

}  // namespace

Result<Model> read_model(std::string text,
                         const ModelFiles& files,
                         const Progress& progress,
                         const ModelLimits& limits) {
    VALKYR_TRY(checked, check_model_text(std::move(text), limits, progress));
    Model model;
    VALKYR_TRY(parsed, parse(std::move(checked), files, limits, progress, model.warnings));
    model.materials = materials_of(parsed.materials, {files, limits, model.warnings});
    const Triangles triangles = triangles_of(parsed, model.materials.size());
    if (triangles.materials.empty())
        return Error{Errc::InvalidState, {}, "the model has no faces"};
    build_mesh(model, parsed, triangles, progress);
    measure(model);
    if (model.low == model.high)
        return Error{Errc::InvalidState, {}, "all corners of the model are in one place"};
    return model;
}

}  // namespace valkyr::examples
