// Fuzz target: reads bytes as an OBJ text and, after a line "---", as its material libraries.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "examples/model.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace valkyr::fuzz {

using namespace examples;

namespace {

constexpr std::string_view kSeparator = "\n---\n";

ModelLimits small_obj_limits() {
    ModelLimits limits;
    limits.libraries = 8;
    limits.library_bytes = 8192;
    limits.materials = 64;
    limits.triangles = 2000;
    limits.texture_size = 16;
    limits.texture_bytes = 1024;
    return limits;
}

/// Every library is `text`. The width of a picture is the length of its name.
ModelFiles files_of(std::string_view text) {
    ModelFiles files;
    files.library = [text](const std::string& name, uint64_t limit) -> Result<std::string> {
        if (text.size() > limit || name.size() % 7 == 0)
            return Error{Errc::System, {}, "refused"};
        return std::string(text);
    };
    files.picture = [](const std::string& name, uint32_t limit) -> Result<Image> {
        if (name.size() > limit)
            return Error{Errc::OutOfRange, {}, "refused"};
        const auto width = static_cast<uint32_t>(name.size());
        return Image{width, 1, std::vector<uint8_t>(size_t{width} * 4)};
    };
    return files;
}

bool within(float value, float low, float high) {
    return value >= low && value <= high;
}

void check_material(const ModelMaterial& material) {
    for (size_t i = 0; i < 3; i++) {
        VALKYR_CHECK(within(material.diffuse[i], 0, 1) && within(material.specular[i], 0, 1));
        VALKYR_CHECK(within(material.emission[i], 0, 1));
    }
    VALKYR_CHECK(within(material.shininess, 1, 1000) && within(material.opacity, 0, 1));
    const Image& texture = material.texture;
    VALKYR_CHECK(texture.rgba.size() == size_t{4} * texture.width * texture.height);
}

void check_mesh(const Model& model) {
    const Mesh& mesh = model.mesh;
    for (const uint32_t index : mesh.indices)
        VALKYR_CHECK(index < mesh.vertices.size());
    for (const MeshVertex& vertex : mesh.vertices) {
        double square = 0;
        for (size_t i = 0; i < 3; i++) {
            VALKYR_CHECK(within(vertex.position[i], model.low[i], model.high[i]));
            square += double{vertex.normal[i]} * vertex.normal[i];
        }
        VALKYR_CHECK(std::abs(square - 1) < 1e-5);
    }
}

void check_model(const Model& model, const ModelLimits& limits) {
    VALKYR_CHECK(!model.mesh.indices.empty() && model.mesh.indices.size() <= 3 * limits.triangles);
    VALKYR_CHECK(!model.materials.empty() && model.materials.size() <= limits.materials + 1);
    VALKYR_CHECK(model.warnings.size() < 100);
    check_mesh(model);
    uint64_t pictures = 0;
    for (const ModelMaterial& material : model.materials) {
        check_material(material);
        pictures += material.texture.rgba.size();
    }
    VALKYR_CHECK(pictures <= limits.texture_bytes);
    size_t next = 0;
    for (const ModelPart& part : model.parts) {
        VALKYR_CHECK(part.first == next && part.count > 0 && part.count % 3 == 0);
        VALKYR_CHECK(part.material < model.materials.size());
        next += part.count;
    }
    VALKYR_CHECK(next == model.mesh.indices.size());
}

}  // namespace

void obj_model(std::span<const uint8_t> bytes) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const size_t end = std::min(all.find(kSeparator), all.size());
    const std::string_view libraries = all.substr(std::min(end + kSeparator.size(), all.size()));
    const ModelLimits limits = small_obj_limits();
    const auto model = read_model(std::string(all.substr(0, end)), files_of(libraries), {}, limits);
    if (model.has_value()) {
        check_model(*model, limits);
        return;
    }
    const Error& error = model.error();
    const auto lines =
        std::count_if(all.begin(), all.end(), [](char c) { return c == '\n' || c == '\r'; });
    VALKYR_CHECK(error.pos.line <= static_cast<size_t>(lines) + 1);
    VALKYR_CHECK(!error.text.empty() && error.text.size() < 1000);
}

}  // namespace valkyr::fuzz
