// Model test: checks values that are read, values that are computed, and errors with their lines.
// SPDX-License-Identifier: MIT
#include "examples/model.hpp"
#include "examples/model_check.hpp"
#include "examples/model_normals.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

namespace valkyr::demos {
namespace {

using examples::Model;
using examples::Vec3;
using Folder = tests::TemporaryFolder;

Result<Model> load(const std::string& text, const examples::ModelLimits& limits = {}) {
    const Folder folder;
    return examples::load_model(folder.write("m.obj", text), {}, limits);
}

constexpr char kTriangle[] = "v 0 0 0\nv 2 0 0\nv 0 1 0\n";

TEST_CASE("model: a triangle without normals gets that of its plane") {
    const auto model = load(std::string(kTriangle) + "f 1 2 3\n");
    REQUIRE_MESSAGE(model.has_value(), model.error().text);
    CHECK(model->mesh.indices.size() == 3);
    REQUIRE(model->mesh.vertices.size() == 3);
    for (const auto& vertex : model->mesh.vertices) {
        CHECK(vertex.normal[0] == 0);
        CHECK(vertex.normal[1] == 0);
        CHECK(vertex.normal[2] == 1);
    }
    CHECK(model->low == Vec3{0, 0, 0});
    CHECK(model->high == Vec3{2, 1, 0});
    CHECK(model->warnings.empty());
}

TEST_CASE("model: given normals are kept, made unit length; v runs downwards") {
    const auto model =
        load(std::string(kTriangle) + "vt 0.25 0.75\nvn 0 3 4\nf -3/1/1 -2/1/1 -1/1/1\n");
    REQUIRE_MESSAGE(model.has_value(), model.error().text);
    const auto& vertex = model->mesh.vertices[0];
    CHECK(vertex.normal[1] == doctest::Approx(0.6));
    CHECK(vertex.normal[2] == doctest::Approx(0.8));
    CHECK(vertex.uv[0] == 0.25F);
    CHECK(vertex.uv[1] == 0.25F);
}

TEST_CASE("model: corners that are equal are one vertex, a square is two triangles") {
    const auto model = load("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    REQUIRE(model.has_value());
    CHECK(model->mesh.vertices.size() == 4);
    CHECK(model->mesh.indices.size() == 6);
}

TEST_CASE("model: edges of more than 60 degrees stay sharp, others are smooth") {
    // Two squares that share the edge x = 1, the second turned by an angle around it.
    const auto bent = [](double degrees) {
        const double angle = degrees * 3.14159265358979 / 180;
        const std::string x = std::to_string(1 + std::cos(angle));
        const std::string z = std::to_string(-std::sin(angle));
        return load("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv " + x + " 0 " + z + "\nv " + x + " 1 " +
                    z + "\nf 1 2 3 4\nf 2 5 6 3\n");
    };
    const auto sharp = bent(90);
    REQUIRE(sharp.has_value());
    CHECK(sharp->mesh.vertices.size() == 8);
    const auto smooth = bent(30);
    REQUIRE(smooth.has_value());
    CHECK(smooth->mesh.vertices.size() == 6);
    // Normals at the edge lie between those of the two planes, whose x are 0 and sin 30 degrees.
    const auto between = [](const examples::MeshVertex& vertex) {
        return vertex.normal[0] > 0.1F && vertex.normal[0] < 0.4F;
    };
    CHECK(std::count_if(smooth->mesh.vertices.begin(), smooth->mesh.vertices.end(), between) == 2);
}

TEST_CASE("model: materials come with their colours; faces are grouped by them") {
    const Folder folder;
    folder.write("m.mtl", "newmtl red\nKd 1 0 0\nKs 0.5 0.5 0.5\nNs 90\nKe 0 0 2\nd 0.5\n"
                          "newmtl odd\nKd nan -3 7\nNs 1e30\nmap_Kd none.png\n");
    const auto model = examples::load_model(folder.write(
        "m.obj", "mtllib m.mtl\n" + std::string(kTriangle) +
                     "usemtl odd\nf 1 2 3\nusemtl red\nf 1 2 3\nusemtl odd\nf 3 2 1\nf 1 3 2\n"));
    REQUIRE_MESSAGE(model.has_value(), model.error().text);
    REQUIRE(model->parts.size() == 2);
    CHECK(model->materials[model->parts[0].material].name == "red");
    CHECK(model->parts[0].count == 3);
    CHECK(model->parts[1].count == 9);
    const auto& red = model->materials[model->parts[0].material];
    CHECK(red.diffuse == Vec3{1, 0, 0});
    CHECK(red.specular == Vec3{0.5F, 0.5F, 0.5F});
    CHECK(red.emission == Vec3{0, 0, 1});
    CHECK(red.shininess == 90);
    CHECK(red.opacity == 0.5F);
    const auto& odd = model->materials[model->parts[1].material];
    CHECK(odd.diffuse[1] == 0);
    CHECK(odd.diffuse[2] == 1);
    CHECK(odd.shininess == 1000);
    CHECK(odd.texture.rgba.empty());
    REQUIRE(model->warnings.size() == 1);
    CHECK(model->warnings[0].find("none.png: no such file") != std::string::npos);
}

TEST_CASE("model: pictures are read, broken ones are a warning") {
    const Folder folder;
    REQUIRE(examples::write_image(folder.path("good.png"), {2, 1, {1, 2, 3, 4, 5, 6, 7, 8}}));
    folder.write("bad.png", "not a picture");
    folder.write("m.mtl",
                 "newmtl a\nmap_Kd good.png\nnewmtl b\nmap_Kd bad.png\nnewmtl c\nmap_Kd .\n");
    const auto model = examples::load_model(
        folder.write("m.obj", "mtllib m.mtl\n" + std::string(kTriangle) + "usemtl a\nf 1 2 3\n"));
    REQUIRE(model.has_value());
    CHECK(model->materials[0].texture.width == 2);
    CHECK(model->materials[0].texture.rgba[5] == 6);
    CHECK(model->materials[1].texture.rgba.empty());
    CHECK(model->warnings.size() == 2);
}

TEST_CASE("model: a material library that is missing is a warning") {
    const auto model =
        load("mtllib nowhere.mtl\n" + std::string(kTriangle) + "usemtl x\nf 1 2 3\n");
    REQUIRE(model.has_value());
    REQUIRE_FALSE(model->warnings.empty());
    CHECK(model->warnings[0].find("nowhere.mtl") != std::string::npos);
    CHECK(model->parts.size() == 1);
}

TEST_CASE("model: errors name their line") {
    struct Bad {
        const char* text;
        Errc code;
        uint32_t line;
        const char* says;
    };
    const Bad bad[] = {
        {"v 0 0 0\nv 1 0 0\nf 1 2 3\n", Errc::OutOfRange, 3, "there is no vertex 3: 2 come before"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", Errc::OutOfRange, 4, "there is no vertex 0"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", Errc::OutOfRange, 4, "there is no vertex -4"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2 3\n", Errc::OutOfRange, 4, "texture coordinate 1"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//9 2 3\n", Errc::OutOfRange, 4, "normal 9"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", Errc::OutOfRange, 4, "vertex"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", Errc::Syntax, 4, "2 corners"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", Errc::Syntax, 4, "'x' is not an index"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3/\n", Errc::Syntax, 4, "'3/'"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3/1/1/1\n", Errc::OutOfRange, 4, "texture"},
        {"v 0 0 0\nv nan 0 0\n", Errc::Syntax, 2, "'nan' is not a finite number"},
        {"v 0 0 0\n\nv 1e999 0 0\n", Errc::Syntax, 3, "'1e999' is not a finite number"},
        {"v 0 0 0\nv 1 2\n", Errc::Syntax, 2, "has 2 numbers, 3 are needed"},
        {"v 0 0 zero\n", Errc::Syntax, 1, "'zero' is not a number"},
        {"vt\n", Errc::Syntax, 1, "has 0 numbers, 1 are needed"},
        {"v 0 0 0\nl 1 1\n", Errc::InvalidState, 0, "no faces"},
        {"", Errc::InvalidState, 0, "no faces"},
        {"v 1 1 1\nf 1 1 1\n", Errc::InvalidState, 0, "in one place"},
    };
    for (const Bad& b : bad) {
        CAPTURE(b.text);
        const auto model = load(b.text);
        REQUIRE_FALSE(model.has_value());
        CHECK(model.error().code == b.code);
        CHECK(model.error().pos.line == b.line);
        CHECK_MESSAGE(model.error().text.find(b.says) != std::string::npos, model.error().text);
    }
}

TEST_CASE("model: limits are kept") {
    const std::string two = std::string(kTriangle) + "f 1 2 3\nf 3 2 1\n";
    examples::ModelLimits limits;
    limits.triangles = 1;
    auto model = load(two, limits);
    REQUIRE_FALSE(model.has_value());
    CHECK(model.error().pos.line == 5);
    CHECK(model.error().text == "more than 1 triangles");
    limits = {};
    limits.file_bytes = 10;
    model = load(two, limits);
    REQUIRE_FALSE(model.has_value());
    CHECK(model.error().code == Errc::OutOfRange);
    std::string many = "f";
    for (int i = 0; i < 256; i++)
        many += " 1";
    CHECK_FALSE(load("v 0 0 0\n" + many + "\n").has_value());
    CHECK_FALSE(examples::load_model("/no/such.obj").has_value());
    CHECK_FALSE(examples::load_model("/").has_value());
}

TEST_CASE("model: statements that models are not made of are left out before parsing") {
    const auto text = examples::check_model_text(
        "t x 99999999/99999999/9\nvw 0 1 2\nv 0 0 0 # a comment\nf 1 1 1\n", {}, {});
    REQUIRE(text.has_value());
    CHECK(*text == "                       \n        \nv 0 0 0            \nf 1 1 1\n");
}

// The parser ends a line at a lone carriage return, and reads on behind a #: it would use unchecked
// corners there.
TEST_CASE("model: the parser sees no corner that was not checked") {
    CHECK_FALSE(load(std::string(kTriangle) + "f 1 2 3\no a\rf 7 8 9\n").has_value());
    CHECK_FALSE(load(std::string(kTriangle) + "f 1 2 3\n# a comment\rf 7 8 9\n").has_value());
    const auto commented = load(std::string(kTriangle) + "f 1 2 3# 7 8 9\n");
    REQUIRE(commented.has_value());
    CHECK(commented->mesh.indices.size() == 3);
}

TEST_CASE("model: lines end with \\n, \\r or both") {
    for (const char* end : {"\n", "\r", "\r\n"}) {
        const auto text = examples::check_model_text(
            std::string("v 0 0 0") + end + "usemtl a#b" + end + "f 1 1 1" + end, {}, {});
        REQUIRE(text.has_value());
        CHECK(std::count(text->begin(), text->end(), '\n') == 3);
        CHECK(text->find("usemtl a#b") != std::string::npos);
    }
}

// The parser computes zero times infinity.
TEST_CASE("model: a number with an exponent that the parser cannot use is refused") {
    for (const char* number : {"0e400", "0E+99999999999", "0.0e-400"})
        CHECK_FALSE(
            load(std::string("v 0 0 ") + number + "\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").has_value());
    CHECK(load("v 0 0 0e+00\nv 1E+01 0 0\nv 0 1e-2 0\nf 1 2 3\n").has_value());
}

/// A model of two triangles with a library that holds `text`.
Result<Model> load_with_library(const std::string& text, const examples::ModelLimits& limits) {
    examples::ModelFiles files;
    files.library = [&](const std::string& /*name*/, uint64_t /*limit*/) {
        return Result<std::string>(text);
    };
    files.picture = [](const std::string& /*name*/, uint32_t /*limit*/) {
        return Result<examples::Image>(examples::Image{2, 2, std::vector<uint8_t>(16)});
    };
    return examples::read_model("mtllib a b c d\nmtllib e\n" + std::string(kTriangle) +
                                    "f 1 2 3\nusemtl m\nf 3 2 1\n",
                                files, {}, limits);
}

TEST_CASE("model: material libraries are limited in number and size") {
    examples::ModelLimits limits;
    limits.libraries = 5;
    CHECK(load_with_library("newmtl m\nKd 1 0 0\n", limits)->parts.size() == 2);
    limits.libraries = 4;
    const auto names = load_with_library("newmtl m\n", limits);
    REQUIRE_FALSE(names.has_value());
    CHECK(names.error().code == Errc::OutOfRange);
    CHECK(names.error().pos.line == 2);
    limits = {};
    limits.materials = 2;
    const auto model = load_with_library("newmtl m\nnewmtl n\n", limits);
    REQUIRE(model.has_value());
    CHECK(model->materials.size() == 1);
    CHECK(model->warnings.at(0) == "material library a: too many materials");
}

TEST_CASE("model: pictures are limited together") {
    examples::ModelLimits limits;
    limits.texture_bytes = 40;
    const auto model =
        load_with_library("newmtl a\nmap_Kd a\nnewmtl b\nmap_Kd b\nnewmtl c\nmap_Kd c\n", limits);
    REQUIRE(model.has_value());
    CHECK(model->materials.at(1).texture.width == 2);
    CHECK(model->materials.at(2).texture.width == 0);
    CHECK(model->warnings.back() ==
          "texture c: the pictures are too large together; the plain colour is used");
}

// Regression: each material once iterated over all triangles.
TEST_CASE("model: many materials and many triangles take no product of both") {
    std::string library;
    std::string text = "mtllib a\n" + std::string(kTriangle);
    for (int i = 0; i < 16000; i++)
        library += "newmtl m" + std::to_string(i) + "\n";
    for (int i = 0; i < 16000; i++)
        text += "usemtl m" + std::to_string(15999 - i) + "\nf 1 2 3\n";
    examples::ModelFiles files;
    files.library = [&](const std::string& /*name*/, uint64_t /*limit*/) {
        return Result<std::string>(library);
    };
    const auto model = examples::read_model(text, files);
    REQUIRE(model.has_value());
    CHECK(model->parts.size() == 16000);
    CHECK(model->parts[0].material == 0);
}

TEST_CASE("model: texts that end anywhere are read or refused") {
    const std::string whole =
        "mtllib m.mtl\n" + std::string(kTriangle) +
        "vt 0 1\nvn 0 0 1\no thing\ng a b\ns 1\nusemtl x\nf 1/1/1 2/1/1 3/1/1\n";
    for (size_t size = 0; size <= whole.size(); size++)
        (void)load(whole.substr(0, size));
    for (size_t at = 0; at < whole.size(); at++) {
        std::string broken = whole;
        broken[at] = static_cast<char>(at * 37);
        (void)load(broken);
    }
}

}  // namespace
}  // namespace valkyr::demos
