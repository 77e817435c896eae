// Model of glTF: reads a glTF 2.0 file with the library tinygltf, within limits.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_model.hpp"

#include "base/caught_error.hpp"
#include "examples/gltf/gltf_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace valkyr::examples {

namespace {

constexpr size_t kDeepestJson = 64;
constexpr size_t kMostWarnings = 20;

/// Extensions whose effect load_gltf() or the scene has.
constexpr std::array<std::string_view, 4> kExtensions{
    "KHR_texture_transform", "KHR_materials_unlit", "KHR_materials_emissive_strength",
    "KHR_mesh_quantization"};

/// The library reads objects within objects recursively.
bool is_too_deep(std::string_view json) {
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < json.size(); i++) {
        const char c = json[i];
        if (in_string) {
            i += c == '\\' ? 1 : 0;
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepestJson)
                return true;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return false;
}

constexpr size_t kBinaryHeader = 12;
constexpr size_t kChunkHeader = 8;

bool is_binary(std::string_view bytes) {
    return bytes.substr(0, 4) == "glTF";
}

/// The JSON text of either form of a file; as much as there is if the length of a binary file's
/// first chunk is wrong, which the library finds.
std::string_view json_of(std::string_view bytes) {
    if (!is_binary(bytes) || bytes.size() < kBinaryHeader + kChunkHeader)
        return bytes;
    uint32_t length = 0;
    std::memcpy(&length, bytes.data() + kBinaryHeader, sizeof length);
    return bytes.substr(kBinaryHeader + kChunkHeader, length);
}

/// The bytes of files that the model names.
struct Files {
    uint64_t bytes_left;
};

bool keep_encoded(tinygltf::Image* image,
                  int /*number*/,
                  std::string* /*error*/,
                  std::string* /*warning*/,
                  int /*width*/,
                  int /*height*/,
                  const unsigned char* bytes,
                  int size,
                  void* /*files*/) {
    // The bytes of a buffer view are read later, after its range has been checked.
    if (image->bufferView < 0 && size > 0)
        image->image.assign(bytes, bytes + size);
    return true;
}

bool file_exists(const std::string& path, void* /*files*/) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

std::string same_path(const std::string& path, void* /*files*/) {
    return path;
}

bool read_whole_file(std::vector<unsigned char>* bytes,
                     std::string* error,
                     const std::string& path,
                     void* data) {
    Files& files = *static_cast<Files*>(data);
    const Result<std::string> text = read_model_file(path, files.bytes_left);
    if (!text.has_value()) {
        *error += path + ": " + text.error().text + "\n";
        return false;
    }
    files.bytes_left -= text->size();
    bytes->assign(text->begin(), text->end());
    return true;
}

bool write_nothing(std::string* /*error*/,
                   const std::string& /*path*/,
                   const std::vector<unsigned char>& /*bytes*/,
                   void* /*files*/) {
    return false;
}

/// The first line of the library's messages, without a final stop.
std::string first_line(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    while (!line.empty() &&
           (line.back() == '.' || std::isspace(static_cast<unsigned char>(line.back())) != 0))
        line.pop_back();
    return line;
}

void add_lines(std::vector<std::string>& lines, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (end > at)
            lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
}

/// Has the library read the bytes. It throws for empty pictures and others that it does not expect.
bool load(tinygltf::TinyGLTF& loader,
          const std::string& bytes,
          const std::string& folder,
          tinygltf::Model& file,
          std::string& error,
          std::string& warning) try {
    const auto size = static_cast<unsigned>(bytes.size());
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    return is_binary(bytes)
               ? loader.LoadBinaryFromMemory(&file, &error, &warning, data, size, folder)
               : loader.LoadASCIIFromString(&file, &error, &warning, bytes.data(), size, folder);
} catch (const std::logic_error&) {
    error += "a buffer or a picture is empty, or a number is out of range";
    return false;
}

Result<tinygltf::Model> parse(const std::string& bytes,
                              const std::string& folder,
                              uint64_t file_bytes,
                              std::vector<std::string>& warnings) {
    if (is_too_deep(json_of(bytes)))
        return Error{
            Errc::Syntax, {}, "JSON is nested deeper than " + std::to_string(kDeepestJson)};
    Files files{file_bytes};
    tinygltf::TinyGLTF loader;
    loader.SetImageLoader(keep_encoded, nullptr);
    loader.SetFsCallbacks({file_exists, same_path, read_whole_file, write_nothing, &files});
    tinygltf::Model file;
    std::string error;
    std::string warning;
    const bool good = load(loader, bytes, folder, file, error, warning);
    add_lines(warnings, warning);
    if (!good)
        return Error{Errc::Syntax, {}, error.empty() ? "cannot be parsed" : first_line(error)};
    return file;
}

Result<void> check_asset(const tinygltf::Model& file, std::vector<std::string>& warnings) {
    if (file.asset.version.substr(0, 2) != "2.")
        return Error{Errc::Unsupported, {}, "glTF " + file.asset.version + " instead of 2.0"};
    const auto is_known = [](const std::string& name) {
        return std::find(kExtensions.begin(), kExtensions.end(), name) != kExtensions.end();
    };
    for (const std::string& name : file.extensionsRequired)
        if (!is_known(name))
            return Error{Errc::Unsupported, {}, "the file requires the extension " + name};
    for (const std::string& name : file.extensionsUsed)
        if (!is_known(name))
            warnings.push_back("extension " + name + " is left out");
    return {};
}

/// Joints that a vertex uses are in the skin of each node that shows it.
Result<void> check_joints(const GltfModel& model) {
    for (const GltfNode& node : model.nodes) {
        if (node.mesh == kNone || node.skin == kNone)
            continue;
        const size_t joints = model.skins[node.skin].joints.size();
        for (const GltfPrimitive& primitive : model.meshes[node.mesh].primitives)
            for (const GltfVertex& vertex : primitive.vertices)
                if (*std::max_element(vertex.joints, vertex.joints + 4) >= joints)
                    return gltf_error(gltf_name("meshes", node.mesh),
                                      "a vertex has a joint that the skin has not");
    }
    return {};
}

Result<GltfModel> convert(const tinygltf::Model& file,
                          const ModelLimits& limits,
                          const Progress& progress,
                          std::vector<std::string> warnings) {
    VALKYR_TRY_VOID(check_asset(file, warnings));
    GltfModel out;
    VALKYR_TRY(images, gltf_images(file, limits, progress, warnings));
    VALKYR_TRY(materials, gltf_materials(file));
    VALKYR_TRY(meshes, gltf_meshes(file, limits, progress, warnings));
    VALKYR_TRY(nodes, gltf_nodes(file));
    VALKYR_TRY(skins, gltf_skins(file, nodes));
    VALKYR_TRY(animations, gltf_animations(file, nodes, meshes));
    out.images = std::move(images);
    out.materials = std::move(materials);
    out.meshes = std::move(meshes);
    out.nodes = std::move(nodes.nodes);
    out.skins = std::move(skins);
    out.animations = std::move(animations);
    warnings.resize(std::min(warnings.size(), kMostWarnings));
    out.warnings = std::move(warnings);
    if (out.triangles() == 0)
        return Error{Errc::InvalidState, {}, "the scene has no triangles"};
    VALKYR_TRY_VOID(check_joints(out));
    return out;
}

template <typename Count>
size_t sum_over_meshes(const GltfModel& model, Count&& count) {
    size_t sum = 0;
    for (const GltfNode& node : model.nodes)
        if (node.mesh != kNone)
            for (const GltfPrimitive& primitive : model.meshes[node.mesh].primitives)
                sum += count(primitive);
    return sum;
}

}  // namespace

std::string gltf_name(const char* kind, size_t number) {
    return kind + ("[" + std::to_string(number) + "]");
}

Error gltf_error(const std::string& what, const std::string& text) {
    return {Errc::Semantic, {}, what + ": " + text};
}

Result<size_t> gltf_index(int number, size_t count, const std::string& what, const char* kind) {
    if (number == -1)
        return kNone;
    if (number < 0 || static_cast<size_t>(number) >= count)
        return gltf_error(what, std::string("there is no ") + kind + " " + std::to_string(number));
    return static_cast<size_t>(number);
}

size_t GltfModel::triangles() const {
    return sum_over_meshes(*this,
                           [](const auto& primitive) { return primitive.indices.size() / 3; });
}

size_t GltfModel::vertices() const {
    return sum_over_meshes(*this, [](const auto& primitive) { return primitive.vertices.size(); });
}

bool is_gltf_path(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending == ".gltf" || ending == ".glb";
}

Result<GltfModel> read_gltf(const std::string& bytes,
                            const std::string& folder,
                            const Progress& progress,
                            const ModelLimits& limits) try {
    std::vector<std::string> warnings;
    VALKYR_TRY(file, parse(bytes, folder, limits.file_bytes, warnings));
    return convert(file, limits, progress, std::move(warnings));
} catch (...) {
    return caught_error();
}

Result<GltfModel>
load_gltf(const std::string& path, const Progress& progress, const ModelLimits& limits) {
    VALKYR_TRY(bytes, read_model_file(path, limits.file_bytes, progress));
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return read_gltf(bytes, folder.empty() ? "." : folder, progress, limits);
}

}  // namespace valkyr::examples
