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

/// The supported values of an MTL material; colours are 0..1.
struct ModelMaterial {
    std::string name;
    Vec3 diffuse{0.8F, 0.8F, 0.8F};  ///< Kd
    Vec3 specular{};                 ///< Ks
    Vec3 emission{};                 ///< Ke
    float shininess = 32;            ///< Ns, 1..1000
    float opacity = 1;               ///< d, or 1 - Tr
    Image texture;                   ///< map_Kd, empty if there is none
};

/// The range of the mesh's indices that is drawn with one material.
struct ModelPart {
    size_t material = 0;
    uint32_t first = 0;
    uint32_t count = 0;
};

struct Model {
    Mesh mesh;  ///< u to the right, v downwards; normals of unit length
    std::vector<ModelPart> parts;
    std::vector<ModelMaterial> materials;  ///< at least one
    Vec3 low{};                            ///< corners of the bounding box
    Vec3 high{};
    std::vector<std::string> warnings;  ///< parts that were left out or replaced, a line each
};

struct ModelLimits {
    uint64_t file_bytes = uint64_t{512} << 20;
    size_t libraries = 1024;                      ///< names of MTL files
    uint64_t library_bytes = uint64_t{16} << 20;  ///< of all MTL files together
    size_t materials = 16384;
    size_t triangles = 20'000'000;
    uint32_t texture_size = 8192;                ///< texels a side
    uint64_t texture_bytes = uint64_t{4} << 30;  ///< of all pictures together, four a texel
};

/// Loads the files that a model names.
struct ModelFiles {
    /// The text of a material library of at most `limit` bytes.
    std::function<Result<std::string>(const std::string& name, uint64_t limit)> library;
    /// A picture with sides of at most `limit` texels.
    std::function<Result<Image>(const std::string& name, uint32_t limit)> picture;
};

/// Called with the current work and its done part, 0..1.
using Progress = std::function<void(std::string_view what, double part)>;

/// Reads the text of an OBJ file, and its materials and pictures by `files`. Polygons are cut into
/// triangles. A corner without normal gets the mean of the adjacent faces, weighted by area, that
/// are turned by less than 60 degrees against its own. Lines, points and curves are left out.
/// errors  Syntax: a word that is not a finite number, a face with fewer than 3 corners;
///         OutOfRange: an index without element, a limit; InvalidState: a model without faces or
///         extent. The place is the line of the text. Material libraries and pictures that are
///         missing, bad or beyond a limit are warnings.
Result<Model> read_model(std::string text,
                         const ModelFiles& files,
                         const Progress& progress = {},
                         const ModelLimits& limits = {});

/// Reads a regular file of at most `limit` bytes.
/// errors  System: it cannot be read; OutOfRange: it is larger
Result<std::string>
read_model_file(const std::string& path, uint64_t limit, const Progress& progress = {});

/// read_model() of a file, with libraries and pictures from its folder.
/// errors  also System: the file cannot be read
Result<Model>
load_model(const std::string& path, const Progress& progress = {}, const ModelLimits& limits = {});

}  // namespace valkyr::examples
