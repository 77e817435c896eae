// Accessor of glTF: reads typed arrays out of buffers, with their ranges checked.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "examples/math3d.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tinygltf {
class Model;
}  // namespace tinygltf

namespace valkyr::examples {

/// Values of an accessor (3.6.2) as floats; normalized integers are divided (3.6.2.2).
struct GltfArray {
    size_t count = 0;
    uint32_t width = 0;         ///< components of an element; matrices: columns after each other
    std::vector<float> values;  ///< count * width

    [[nodiscard]] const float* at(size_t element) const { return &values[element * width]; }
};

/// Reads an accessor, with its sparse part.
/// what    names the user of the accessor in errors
/// errors  Semantic: no such accessor, views or buffers that it exceeds, a forbidden type
Result<GltfArray> read_array(const tinygltf::Model& file, int accessor, const std::string& what);

/// read_array() of elements with `width` components.
/// errors  also Semantic: another width
Result<GltfArray>
read_array(const tinygltf::Model& file, int accessor, const std::string& what, uint32_t width);

/// Reads an accessor of unsigned integers: indices, joints.
/// errors  Semantic as read_array(), also signed, normalized and floating-point components
Result<std::vector<uint32_t>>
read_integers(const tinygltf::Model& file, int accessor, const std::string& what, uint32_t width);

/// A part of a buffer, its range checked.
struct GltfBytes {
    const uint8_t* data = nullptr;
    size_t size = 0;
};
/// errors  Semantic: no such view or buffer, or the view exceeds it
Result<GltfBytes> read_view(const tinygltf::Model& file, int view, const std::string& what);

}  // namespace valkyr::examples
