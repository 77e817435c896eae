// Model: reads triangle models from Wavefront OBJ files.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "examples/image_io.hpp"
#include "examples/mesh.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::examples {

/// The values of an MTL file's material that are used; all colours 0..1.
struct ModelMaterial {
    std::string name;
    Vec3 diffuse{0.8F, 0.8F, 0.8F};  ///< Kd
    Vec3 specular{};                 ///< Ks
    Vec3 emission{};                 ///< Ke
    float shininess = 32;            ///< Ns, 1..1000
    float opacity = 1;               ///< d, or 1 - Tr
    Image texture;                   ///< map_Kd, empty if there is none
};

/// Indices of the mesh that one material is drawn with.
struct ModelPart {
    size_t material = 0;
    uint32_t first = 0;
    uint32_t count = 0;
};

struct Model {
    Mesh mesh;  ///< u to the right, v downwards; normals of unit length
    std::vector<ModelPart> parts;
    std::vector<ModelMaterial> materials;  ///< at least one
    Vec3 low{};                            ///< corners of the box around it
    Vec3 high{};
    std::vector<std::string> warnings;  ///< what was left out or replaced, a line each
};

struct ModelLimits {
    uint64_t file_bytes = uint64_t{512} << 20;
    uint64_t library_bytes = uint64_t{4} << 20;  ///< of an MTL file
    size_t triangles = 20'000'000;
    uint32_t texture_size = 8192;  ///< texels a side
};

/// Told what is being done and how much of it, 0..1.
using Progress = std::function<void(std::string_view what, double part)>;

/// Reads an OBJ file with its materials and pictures. Polygons are cut into triangles. Corners
/// without normals get the mean of the faces around that are turned by less than 60 degrees, by
/// area. Lines, points and curves are left out.
/// errors  System: the file cannot be read; Syntax: numbers that are none or not finite, faces with
///         fewer than 3 corners; OutOfRange: indices that nothing has, limits; InvalidState: a
///         model without faces or extent. The place is the line of the file. Missing or bad
///         material libraries and pictures are warnings.
Result<Model>
load_model(const std::string& path, const Progress& progress = {}, const ModelLimits& limits = {});

}  // namespace valkyr::examples
