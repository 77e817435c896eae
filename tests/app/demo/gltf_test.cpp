// Test of glTF: checks values that are read, poses computed by hand, and errors with their objects.
// SPDX-License-Identifier: MIT
#include "examples/gltf/gltf_model.hpp"
#include "examples/gltf/gltf_pose.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace valkyr::demos {
namespace {

using namespace examples;
using Folder = tests::TemporaryFolder;

/// Text of a file that is put together from parts, with one buffer in a file of its own.
struct Text {
    std::string bytes;  ///< of the buffer
    std::vector<std::string> views;
    std::vector<std::string> accessors;
    std::string scene = R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}])";
    std::string attributes;
    std::string primitive;  ///< more members of the primitive
    std::string more;       ///< more members of the file

    template <typename T>
    int view(const std::vector<T>& values, const std::string& members = {}) {
        bytes.resize((bytes.size() + 3) / 4 * 4);
        const size_t size = values.size() * sizeof(T);
        views.push_back(R"({"buffer": 0, "byteOffset": )" + std::to_string(bytes.size()) +
                        R"(, "byteLength": )" + std::to_string(size) + members + "}");
        bytes.append(reinterpret_cast<const char*>(values.data()), size);
        return static_cast<int>(views.size()) - 1;
    }
    int accessor(int view,
                 int component,
                 const std::string& type,
                 size_t count,
                 const std::string& members = {}) {
        accessors.push_back(R"({"bufferView": )" + std::to_string(view) + R"(, "componentType": )" +
                            std::to_string(component) + R"(, "type": ")" + type +
                            R"(", "count": )" + std::to_string(count) + members + "}");
        return static_cast<int>(accessors.size()) - 1;
    }
    int floats(const std::string& type, size_t count, const std::vector<float>& values) {
        return accessor(view(values), 5126, type, count);
    }
    void attribute(const std::string& name, int number) {
        attributes += (attributes.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(number);
    }
    [[nodiscard]] static std::string list(const std::vector<std::string>& items) {
        std::string out = "[";
        for (const std::string& item : items)
            out += (out.size() > 1 ? ", " : "") + item;
        return out + "]";
    }
    [[nodiscard]] std::string text() const {
        return R"({"asset": {"version": "2.0"}, )" + scene +
               R"(, "meshes": [{"primitives": [{"attributes": {)" + attributes + "}" + primitive +
               R"(}]}], "buffers": [{"uri": "b%20in", "byteLength": )" +
               std::to_string(bytes.size()) + R"(}], "bufferViews": )" + list(views) +
               R"(, "accessors": )" + list(accessors) + more + "}";
    }
    [[nodiscard]] Result<GltfModel> load(const ModelLimits& limits = {}) const {
        const Folder folder;
        folder.write("b in", bytes);
        return load_gltf(folder.write("m.gltf", text()), {}, limits);
    }
};

const std::vector<float> kCorners{0, 0, 0, 2, 0, 0, 0, 1, 0};

Text triangle() {
    Text text;
    text.attribute("POSITION", text.floats("VEC3", 3, kCorners));
    return text;
}

void check_near(const float* actual, const std::vector<float>& expected) {
    for (size_t i = 0; i < expected.size(); i++) {
        CAPTURE(i);
        CHECK(actual[i] == doctest::Approx(expected[i]).epsilon(1e-5));
    }
}

TEST_CASE("gltf: attributes are read with their types; what is missing has defaults") {
    Text text = triangle();
    text.attribute("NORMAL", text.floats("VEC3", 3, {0, 0, 2, 0, 3, 4, 0, 0, 1}));
    // Elements of two bytes, four apart.
    const int coordinates = text.view(std::vector<uint8_t>{0, 255, 9, 9, 51, 102, 9, 9, 255, 0},
                                      R"(, "byteStride": 4)");
    text.attribute("TEXCOORD_0",
                   text.accessor(coordinates, 5121, "VEC2", 3, R"(, "normalized": true)"));
    const int colors =
        text.view(std::vector<uint16_t>{65535, 0, 0, 0, 0, 65535, 0, 0, 0, 0, 65535, 0});
    text.attribute("COLOR_0", text.accessor(colors, 5123, "VEC4", 3, R"(, "normalized": true)"));
    const auto model = text.load();
    REQUIRE(model.has_value());
    CHECK(model->triangles() == 1);
    const GltfPrimitive& primitive = model->meshes[0].primitives[0];
    CHECK(primitive.indices == std::vector<uint32_t>{0, 1, 2});
    check_near(primitive.vertices[1].position, {2, 0, 0});
    check_near(primitive.vertices[1].normal, {0, 0.6F, 0.8F});
    check_near(primitive.vertices[0].uv, {0, 1, 0, 0});
    check_near(primitive.vertices[1].uv, {0.2F, 0.4F, 0, 0});
    check_near(primitive.vertices[0].color, {1, 0, 0, 0});
    check_near(primitive.vertices[2].color, {0, 0, 1, 0});
    check_near(primitive.vertices[2].weights, {1, 0, 0, 0});
    CHECK(model->materials.size() == 1);
    CHECK(primitive.material == 0);
}

TEST_CASE("gltf: strips and fans become lists with the same winding; normals are made flat") {
    Text text;
    text.attribute("POSITION", text.floats("VEC3", 4, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}));
    text.primitive = R"(, "mode": 5)";
    const auto strip = text.load();
    REQUIRE(strip.has_value());
    // Without normals every corner has a vertex of its own.
    const GltfPrimitive& primitive = strip->meshes[0].primitives[0];
    REQUIRE(primitive.indices.size() == 6);
    const std::vector<std::vector<float>> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                                  {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (size_t i = 0; i < 6; i++) {
        check_near(primitive.vertices[primitive.indices[i]].position, corners[i]);
        check_near(primitive.vertices[primitive.indices[i]].normal, {0, 0, 1});
    }
    text.primitive = R"(, "mode": 6)";
    text.attribute("NORMAL", text.floats("VEC3", 4, std::vector<float>(12, 1)));
    const auto fan = text.load();
    REQUIRE(fan.has_value());
    CHECK(fan->meshes[0].primitives[0].indices == std::vector<uint32_t>{1, 2, 0, 2, 3, 0});
    text.primitive = R"(, "mode": 1)";
    const auto lines = text.load();
    REQUIRE(!lines.has_value());
    CHECK(lines.error().code == Errc::InvalidState);
}

TEST_CASE("gltf: a sparse accessor changes some elements") {
    Text text;
    const int base = text.view(kCorners);
    const int indices = text.view(std::vector<uint8_t>{2});
    const int values = text.view(std::vector<float>{7, 8, 9});
    const auto sparse = [&](int index_view) {
        return R"(, "sparse": {"count": 1, "indices": {"bufferView": )" +
               std::to_string(index_view) +
               R"(, "componentType": 5121}, "values": {"bufferView": )" + std::to_string(values) +
               "}}";
    };
    text.attribute("POSITION", text.accessor(base, 5126, "VEC3", 3, sparse(indices)));
    text.attribute("NORMAL", text.floats("VEC3", 3, std::vector<float>(9, 1)));
    const auto model = text.load();
    REQUIRE(model.has_value());
    check_near(model->meshes[0].primitives[0].vertices[1].position, {2, 0, 0});
    check_near(model->meshes[0].primitives[0].vertices[2].position, {7, 8, 9});
    const int wrong = text.view(std::vector<uint8_t>{3});
    text.accessors[0] = R"({"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3)" +
                        sparse(wrong) + "}";
    CHECK(text.load().error().text ==
          "meshes[0].primitives[0].POSITION: a sparse index exceeds the accessor");
}

TEST_CASE("gltf: children are placed by their parents, translation after rotation after scale") {
    Text text = triangle();
    text.scene = R"("scene": 1, "scenes": [{"nodes": [2]}, {"nodes": [1]}], "nodes": [
        {"mesh": 0, "translation": [1, 0, 0]},
        {"children": [0], "translation": [0, 0, 5], "rotation": [0, 0, 0.70710678, 0.70710678],
         "scale": [2, 3, 4]},
        {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 9, 9, 1]}])";
    const auto model = text.load();
    REQUIRE(model.has_value());
    REQUIRE(model->nodes.size() == 2);  // of scene 1 alone, the parent first
    CHECK(model->nodes[1].parent == 0);
    const GltfPose pose = gltf_pose(*model, kNone, 0);
    // (1, 0, 0) is scaled to (2, 0, 0), turned by 90 degrees to (0, 2, 0), and moved.
    check_near(pose.world[1][3].data(), {0, 2, 5, 1});
    check_near(pose.world[1][1].data(), {-3, 0, 0, 0});
    const GltfBounds bounds = gltf_bounds(*model, pose);
    check_near(bounds.low.data(), {-3, 2, 5});
    check_near(bounds.high.data(), {0, 6, 5});
}

/// Channels of node 0 with keys at 1 and 3 seconds.
Text animated(const std::string& path,
              const std::string& interpolation,
              const std::string& type,
              const std::vector<float>& values) {
    Text text = triangle();
    const int times = text.floats("SCALAR", 2, {1, 3});
    const size_t width = type == "VEC3" ? 3 : type == "VEC4" ? 4 : 1;
    const int output = text.floats(type, values.size() / width, values);
    text.more = R"(, "animations": [{"name": "a", "channels": [{"sampler": 0, "target": {"node": 0,
        "path": ")" +
                path + R"("}}], "samplers": [{"input": )" + std::to_string(times) +
                R"(, "output": )" + std::to_string(output) + R"(, "interpolation": ")" +
                interpolation + R"("}]}])";
    return text;
}

Vec3 translation_at(const GltfModel& model, double seconds) {
    return gltf_pose(model, 0, seconds).transforms[0].translation;
}

TEST_CASE("gltf: animations step, run straight, follow splines, and keep their ends") {
    const auto step = animated("translation", "STEP", "VEC3", {1, 2, 3, 5, 6, 7}).load();
    REQUIRE(step.has_value());
    CHECK(step->animations[0].duration == 3);
    CHECK(translation_at(*step, 0) == Vec3{1, 2, 3});
    CHECK(translation_at(*step, 2.9) == Vec3{1, 2, 3});
    CHECK(translation_at(*step, 3) == Vec3{5, 6, 7});
    const auto linear = animated("scale", "LINEAR", "VEC3", {1, 2, 3, 5, 6, 7}).load();
    REQUIRE(linear.has_value());
    CHECK(gltf_pose(*linear, 0, 1.5).transforms[0].scale == Vec3{2, 3, 4});
    CHECK(gltf_pose(*linear, 0, 99).transforms[0].scale == Vec3{5, 6, 7});
    CHECK(gltf_pose(*linear, kNone, 2).transforms[0].scale == Vec3{1, 1, 1});
    // From 0 with slope 1 a second to 4 with slope 0: at the middle 4 / 2 + 2 * (1 - 0) / 8.
    const auto spline = animated("translation", "CUBICSPLINE", "VEC3",
                                 {9, 9, 9, 0, 0, 0, 1, 1, 1, 0, 0, 0, 4, 4, 4, 9, 9, 9})
                            .load();
    REQUIRE(spline.has_value());
    CHECK(translation_at(*spline, 2) == Vec3{2.25F, 2.25F, 2.25F});
    CHECK(translation_at(*spline, 3) == Vec3{4, 4, 4});
}

TEST_CASE("math: the arc cosine is that of the C library, without its last bits") {
    for (int i = 0; i <= 1000; i++) {
        const double value = i / 1000.0;
        CAPTURE(value);
        CHECK(std::abs(arc_cosine(value) - std::acos(value)) < 1e-9);
    }
    CHECK(arc_cosine(1) == 0);
}

TEST_CASE("gltf: rotations take the shorter arc at a constant speed") {
    // From 0 to 90 degrees around z, the second key with all signs turned.
    const auto model =
        animated("rotation", "LINEAR", "VEC4", {0, 0, 0, 1, 0, 0, -0.70710678F, -0.70710678F})
            .load();
    REQUIRE(model.has_value());
    for (const double part : {0.25, 0.5, 0.75}) {
        const auto rotation = gltf_pose(*model, 0, 1 + 2 * part).transforms[0].rotation;
        const double angle = part * kPi / 4;
        check_near(rotation.data(), {0, 0, static_cast<float>(std::sin(angle)),
                                     static_cast<float>(std::cos(angle))});
    }
}

TEST_CASE("gltf: joints move vertices by their weights, wherever the node is") {
    Text text = triangle();
    const int joints = text.view(std::vector<uint8_t>{0, 1, 9, 9, 1, 0, 9, 9, 0, 0, 9, 9});
    text.attribute("JOINTS_0", text.accessor(joints, 5121, "VEC4", 3));
    text.attribute("WEIGHTS_0", text.floats("VEC4", 3, {0.5F, 0.5F, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}));
    const int matrices = text.floats("MAT4", 2, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                                 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1});
    text.scene = R"("scenes": [{"nodes": [0, 1]}], "nodes": [
        {"mesh": 0, "skin": 0, "translation": [100, 0, 0]}, {"children": [2]},
        {"translation": [1, 10, 0]}])";
    text.more = R"(, "skins": [{"joints": [1, 2], "inverseBindMatrices": )" +
                std::to_string(matrices) + "}]";
    const auto model = text.load();
    REQUIRE(model.has_value());
    const GltfVertex& vertex = model->meshes[0].primitives[0].vertices[0];
    CHECK(vertex.joints[2] == 0);  // without weight
    const GltfPose pose = gltf_pose(*model, kNone, 0);
    const auto palette = gltf_palette(*model, pose, 0);
    REQUIRE(palette.size() == 2);
    check_near(palette[1][3].data(), {0, 10, 0, 1});
    // (0, 0, 0) half moved by 10; (2, 0, 0) by all of it; (0, 1, 0) not at all.
    const GltfBounds bounds = gltf_bounds(*model, pose);
    check_near(bounds.low.data(), {0, 1, 0});
    check_near(bounds.high.data(), {2, 10, 0});
    text.more = R"(, "skins": [{"joints": [1]}])";
    CHECK(text.load().error().text == "meshes[0]: a vertex has a joint that the skin has not");
}

TEST_CASE("gltf: morph targets add their offsets, by weights of mesh, node or animation") {
    Text text = triangle();
    text.attribute("NORMAL", text.floats("VEC3", 3, {0, 0, 1, 0, 0, 1, 0, 0, 1}));
    const int target = text.floats("VEC3", 3, {0, 0, 4, 0, 0, 0, 8, 0, 0});
    text.primitive = R"(, "targets": [{"POSITION": )" + std::to_string(target) + "}]";
    text.scene = R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "weights": [0.25]}])";
    const auto model = text.load();
    REQUIRE(model.has_value());
    const GltfPose pose = gltf_pose(*model, kNone, 0);
    CHECK(pose.weights[0] == std::vector<float>{0.25F});
    const auto vertices = gltf_morph(model->meshes[0].primitives[0], pose.weights[0]);
    check_near(vertices[0].position, {0, 0, 1});
    check_near(vertices[2].position, {2, 1, 0});
}

TEST_CASE("gltf: materials with textures, their transforms, samplers and pictures") {
    const Folder folder;
    const Image picture{1, 1, {1, 2, 3, 255}};
    REQUIRE(write_image(folder.path("p 1.png"), picture));
    Text text = triangle();
    text.primitive = R"(, "material": 0)";
    text.more = R"(, "images": [{"uri": "p%201.png"}, {"uri": "none.png"}],
        "samplers": [{"wrapS": 33071, "minFilter": 9728, "magFilter": 9728}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}],
        "materials": [{"alphaMode": "MASK", "alphaCutoff": 0.3, "doubleSided": true,
            "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5,
                "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {
                    "offset": [0.5, 0.25], "rotation": 1.5707963267948966, "scale": [2, 3],
                    "texCoord": 1}}}},
            "emissiveTexture": {"index": 1}, "emissiveFactor": [1, 0.5, 0],
            "extensions": {"KHR_materials_unlit": {},
                           "KHR_materials_emissive_strength": {"emissiveStrength": 4}}}],
        "extensionsUsed": ["KHR_materials_unlit", "EXT_other"])";
    folder.write("b in", text.bytes);
    const auto model = load_gltf(folder.write("m.gltf", text.text()));
    REQUIRE(model.has_value());
    REQUIRE(model->materials.size() == 2);
    const GltfMaterial& material = model->materials[0];
    CHECK(material.base_color == std::array<float, 4>{0.1F, 0.2F, 0.3F, 0.4F});
    CHECK(material.metallic == 0.5F);
    CHECK(material.roughness == 1);
    CHECK(material.emissive == Vec3{4, 2, 0});
    CHECK(material.alpha_mode == AlphaMode::Mask);
    CHECK(material.alpha_cutoff == 0.3F);
    CHECK(material.double_sided);
    CHECK(material.unlit);
    const GltfTextureUse& use = material.textures[kBaseColor];
    CHECK(use.srgb);
    CHECK(use.sampler.wrap_s == raster::Wrap::ClampToEdge);
    CHECK(use.sampler.wrap_t == raster::Wrap::Repeat);
    CHECK(use.sampler.mag_filter == raster::Filter::Nearest);
    CHECK(use.sampler.mip_filter == raster::MipFilter::None);
    // A quarter turn, counter-clockwise with v downwards: u' = 3 v + 0.5, v' = -2 u + 0.25.
    check_near(use.rows[0].data(), {0, 0, 0, 3});
    check_near(use.rows[1].data(), {0, 0, -2, 0});
    check_near(use.offset.data(), {0.5F, 0.25F});
    CHECK(model->images[0] == picture);
    CHECK(model->images[1].rgba.empty());
    CHECK(material.textures[kNormal].image == kNone);
    REQUIRE(!model->warnings.empty());
    const auto warns = [&](const std::string& part) {
        return std::any_of(model->warnings.begin(), model->warnings.end(),
                           [&](const std::string& w) { return w.find(part) != std::string::npos; });
    };
    CHECK(warns("images[1]"));
    CHECK(warns("EXT_other"));
    CHECK(!warns("unlit"));
}

TEST_CASE("gltf: binary files and data URIs hold buffers; broken ones are errors") {
    const std::string json =
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":36}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":36}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}]})";
    const auto word = [](size_t value) {
        const auto bits = static_cast<uint32_t>(value);
        return std::string(reinterpret_cast<const char*>(&bits), 4);
    };
    std::string padded = json + std::string((4 - json.size() % 4) % 4, ' ');
    const std::string buffer(reinterpret_cast<const char*>(kCorners.data()), 36);
    const std::string binary = "glTF" + word(2) + word(28 + padded.size() + 36) +
                               word(padded.size()) + "JSON" + padded + word(36) +
                               std::string("BIN\0", 4) + buffer;
    const auto model = read_gltf(binary, ".");
    REQUIRE(model.has_value());
    check_near(model->meshes[0].primitives[0].vertices[1].position, {2, 0, 0});
    for (size_t size = 0; size < binary.size(); size += 7)
        CHECK(!read_gltf(binary.substr(0, size), ".").has_value());
    std::string inlined = json;
    // 36 zero bytes.
    inlined.insert(inlined.find(R"("byteLength":36)"),
                   R"("uri":"data:application/octet-stream;base64,)" + std::string(48, 'A') +
                       "\",");
    const auto zeros = read_gltf(inlined, ".");
    REQUIRE(zeros.has_value());
    check_near(zeros->meshes[0].primitives[0].vertices[1].position, {0, 0, 0});
}

/// The error of a triangle's text after one replacement.
Error error_after(const std::string& from, const std::string& to) {
    Text text = triangle();
    const int indices = text.view(std::vector<uint16_t>{0, 1, 2});
    text.primitive = R"(, "indices": )" + std::to_string(text.accessor(indices, 5123, "SCALAR", 3));
    std::string json = text.text();
    const size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    json.replace(at, from.size(), to);
    const Folder folder;
    folder.write("b in", text.bytes);
    const auto model = load_gltf(folder.write("m.gltf", json));
    REQUIRE(!model.has_value());
    return model.error();
}

TEST_CASE("gltf: errors name the object") {
    struct Case {
        const char* from;
        const char* to;
        Errc code;
        const char* text;
    };
    for (const Case& c : {
             Case{R"("2.0")", R"("1.0")", Errc::Unsupported, "glTF 1.0"},
             Case{R"("POSITION": 0)", R"("POSITION": 9)", Errc::Semantic,
                  "meshes[0].primitives[0].POSITION: there is no accessor 9"},
             Case{R"("count": 3)", R"("count": 4)", Errc::Semantic,
                  "the accessor exceeds its buffer view"},
             Case{R"("count": 3)", R"("count": 18446744073709551615)", Errc::Semantic, "exceeds"},
             Case{R"("count": 3)", R"("count": 4294967296)", Errc::Semantic, "exceeds"},
             Case{R"("VEC3")", R"("VEC2")", Errc::Semantic, "elements of another type"},
             Case{R"("byteLength": 36})", R"("byteLength": 99})", Errc::Semantic,
                  "the buffer view 0 exceeds its buffer"},
             Case{R"("buffer": 0)", R"("buffer": 7)", Errc::Semantic, "there is no buffer 7"},
             Case{R"("mesh": 0)", R"("mesh": 1)", Errc::Semantic, "nodes[0]: there is no mesh 1"},
             Case{R"("mesh": 0)", R"("children": [0])", Errc::Semantic, "twice"},
             Case{R"("nodes": [0])", R"("nodes": [5])", Errc::Semantic, "there is no node 5"},
             Case{R"("nodes": [0])", R"("nodes": [])", Errc::InvalidState, "no triangles"},
             Case{R"("scenes")",
                  R"("extensionsRequired": ["KHR_draco_mesh_compression"], "scenes")",
                  Errc::Unsupported, "KHR_draco_mesh_compression"},
             Case{"b%20in", "none.bin", Errc::Syntax, "none.bin"},
             Case{R"("indices": 1)", R"("indices": 0)", Errc::Semantic, "another type"},
             Case{R"({"asset")", R"(["asset")", Errc::Syntax, ""},
         }) {
        CAPTURE(c.to);
        const Error error = error_after(c.from, c.to);
        CHECK(error.code == c.code);
        CHECK_MESSAGE(error.text.find(c.text) != std::string::npos, error.text);
    }
}

TEST_CASE("gltf: an empty picture is an error") {
    Text text = triangle();
    text.more = R"(, "images": [{"uri": "data:image/png;base64,"}])";
    CHECK(text.load().error().code == Errc::Syntax);
}

TEST_CASE("gltf: an index beyond the vertices, deep nesting and limits are errors") {
    Text text = triangle();
    const int indices = text.view(std::vector<uint16_t>{0, 1, 3});
    text.primitive = R"(, "indices": )" + std::to_string(text.accessor(indices, 5123, "SCALAR", 3));
    CHECK(text.load().error().text == "meshes[0].primitives[0].indices: there is no vertex 3");
    Text deep = triangle();
    deep.more = R"(, "extras": )" + std::string(100000, '[') + std::string(100000, ']');
    CHECK(deep.load().error().code == Errc::Syntax);
    Text zeros = triangle();
    zeros.accessors[0] = R"({"componentType": 5126, "type": "VEC3", "count": 1000000000})";
    CHECK(zeros.load().error().code == Errc::Semantic);
    ModelLimits limits;
    limits.triangles = 2;
    CHECK(triangle().load(limits).error().code == Errc::OutOfRange);
    limits = {};
    limits.file_bytes = 20;
    CHECK(triangle().load(limits).error().code == Errc::OutOfRange);
    CHECK(load_gltf("none.gltf").error().code == Errc::System);
}

}  // namespace
}  // namespace valkyr::demos
