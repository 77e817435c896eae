// Parts of glTF: converts the arrays of a parsed file, each kind by a function of its own.
// SPDX-License-Identifier: MIT
//
// Every function returns Semantic for what section 3 of the glTF 2.0 specification forbids, with
// the name of the object, as "meshes[2].primitives[0]".
#pragma once

#include "examples/gltf/gltf_model.hpp"
#include "examples/gltf/tiny_gltf.hpp"

namespace valkyr::examples {

/// "kind[number]", which errors begin with.
std::string gltf_name(const char* kind, size_t number);
Error gltf_error(const std::string& what, const std::string& text);
/// The number as an index below `count`, kNone if it is -1.
Result<size_t> gltf_index(int number, size_t count, const std::string& what, const char* kind);

/// Decodes the pictures; one that is missing, bad or too large is empty and a warning.
Result<std::vector<Image>> gltf_images(const tinygltf::Model& file,
                                       const ModelLimits& limits,
                                       const Progress& progress,
                                       std::vector<std::string>& warnings);
/// The materials, and a default one at the end (3.9.6).
Result<std::vector<GltfMaterial>> gltf_materials(const tinygltf::Model& file);
/// Triangles of all meshes; strips and fans become lists. Points and lines are left out.
Result<std::vector<GltfMesh>> gltf_meshes(const tinygltf::Model& file,
                                          const ModelLimits& limits,
                                          const Progress& progress,
                                          std::vector<std::string>& warnings);
/// The nodes of a scene, parents first, and the place in the list of each node of the file.
struct GltfNodes {
    std::vector<GltfNode> nodes;
    std::vector<size_t> places;  ///< kNone for nodes that are not in the scene
};
Result<GltfNodes> gltf_nodes(const tinygltf::Model& file);
/// Skins that no node of the scene uses stay empty.
Result<std::vector<GltfSkin>> gltf_skins(const tinygltf::Model& file, const GltfNodes& nodes);
/// Channels of nodes outside the scene, and without a node, are left out.
Result<std::vector<GltfAnimation>> gltf_animations(const tinygltf::Model& file,
                                                   const GltfNodes& nodes,
                                                   const std::vector<GltfMesh>& meshes);

}  // namespace valkyr::examples
