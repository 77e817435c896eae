// Model: reads triangle models from Wavefront OBJ files.
// SPDX-License-Identifier: MIT
#include "examples/model.hpp"

#include "examples/model_check.hpp"
#include "examples/model_normals.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tiny_obj_loader.h>
#include <unordered_map>

namespace valkyr::examples {

namespace {

namespace fs = std::filesystem;

Error system_error(const std::string& what) {
    return {Errc::System, {}, what};
}

/// The whole of a regular file of at most `limit` bytes.
Result<std::string> read_text(const std::string& path, uint64_t limit, const Progress& progress) {
    std::error_code error;
    if (!fs::exists(path, error))
        return system_error("no such file");
    if (!fs::is_regular_file(path, error))
        return system_error("not a regular file");
    const uint64_t size = fs::file_size(path, error);
    if (size > limit)
        return Error{Errc::OutOfRange, {}, "larger than " + std::to_string(limit) + " bytes"};
    std::ifstream file(path, std::ios::binary);
    std::string text(size, '\0');
    constexpr uint64_t kPiece = uint64_t{4} << 20;
    for (uint64_t at = 0; at < size; at += kPiece) {
        const auto piece = static_cast<std::streamsize>(std::min(kPiece, size - at));
        if (!file.read(text.data() + at, piece))
            return system_error("cannot be read");
        if (progress)
            progress("reading", static_cast<double>(at) / static_cast<double>(size));
    }
    return text;
}

/// A text as a stream that tells how far it has been read.
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

/// Reads material libraries that lie beside the model.
class LibraryReader final : public tinyobj::MaterialReader {
public:
    LibraryReader(fs::path folder, uint64_t limit)
        : folder_(std::move(folder))
        , limit_(limit) {}

    bool operator()(const std::string& name,
                    std::vector<tinyobj::material_t>* materials,
                    std::map<std::string, int>* numbers,
                    std::string* warnings,
                    std::string* errors) override {
        const Result<std::string> text = read_text((folder_ / name).string(), limit_, {});
        if (!text.has_value()) {
            *warnings += "material library " + name + ": " + text.error().text + "\n";
            return false;
        }
        std::istringstream stream(*text);
        tinyobj::LoadMtl(numbers, materials, &stream, warnings, errors);
        return true;
    }

private:
    fs::path folder_;
    uint64_t limit_;
};

/// The parser's results.
struct Parsed {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
};

void add_lines(std::vector<std::string>& lines, const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end() &&
            lines.size() < 20)
            lines.push_back(line);
}

Result<Parsed> parse(std::string text,
                     const fs::path& folder,
                     const ModelLimits& limits,
                     const Progress& progress,
                     std::vector<std::string>& warnings) {
    Parsed parsed;
    CountedText counted(text, progress);
    std::istream stream(&counted);
    LibraryReader libraries(folder, limits.library_bytes);
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

/// The picture of map_Kd, or nothing and a warning.
Image texture(const fs::path& folder,
              std::string name,
              uint32_t limit,
              std::vector<std::string>& warnings) {
    std::replace(name.begin(), name.end(), '\\', '/');
    const std::string path = (folder / name).string();
    std::error_code error;
    Result<Image> image = !fs::exists(path, error) ? system_error(path + ": no such file")
                          : !fs::is_regular_file(path, error)
                              ? system_error(path + ": not a regular file")
                              : read_image(path, limit);
    if (image.has_value())
        return std::move(*image);
    warnings.push_back("texture " + image.error().text + "; the plain colour is used");
    return {};
}

std::vector<ModelMaterial> materials_of(const std::vector<tinyobj::material_t>& from,
                                        const fs::path& folder,
                                        const ModelLimits& limits,
                                        std::vector<std::string>& warnings) {
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
            material.texture = texture(folder, m.diffuse_texname, limits.texture_size, warnings);
        materials.push_back(std::move(material));
    }
    materials.push_back({});  // of faces without one
    return materials;
}

/// Collects corners as vertices, equal ones once.
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

/// Vertices and indices, the triangles of a material side by side.
void build_mesh(Model& model,
                const Parsed& parsed,
                const Triangles& triangles,
                const Progress& progress) {
    std::vector<int> places;
    for (const tinyobj::index_t& corner : triangles.corners)
        places.push_back(corner.vertex_index);
    const std::vector<Vec3> smooth = smooth_normals(parsed.attributes.vertices, places, progress);
    VertexList list(model.mesh.vertices);
    for (size_t material = 0; material < model.materials.size(); material++) {
        ModelPart part{material, static_cast<uint32_t>(model.mesh.indices.size()), 0};
        for (size_t i = 0; i < triangles.materials.size(); i++) {
            if (triangles.materials[i] != material)
                continue;
            for (size_t corner = 3 * i; corner < 3 * i + 3; corner++) {
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

Result<Model>
load_model(const std::string& path, const Progress& progress, const ModelLimits& limits) {
    VALKYR_TRY(text, read_text(path, limits.file_bytes, progress));
    VALKYR_TRY(checked, check_model_text(std::move(text), limits, progress));
    const fs::path folder = fs::path(path).parent_path();
    Model model;
    VALKYR_TRY(parsed, parse(std::move(checked), folder, limits, progress, model.warnings));
    model.materials = materials_of(parsed.materials, folder, limits, model.warnings);
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
