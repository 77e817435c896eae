// Scene geometry: makes vertices of eight floats, clip position and one varying.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace valkyr::scenes {

using Float4 = std::array<float, 4>;

/// Vertices for SceneKit::vertices(data, {4, 4}).
class Mesh {
public:
    Mesh& add(const Float4& position, const Float4& value) {
        data_.insert(data_.end(), position.begin(), position.end());
        data_.insert(data_.end(), value.begin(), value.end());
        return *this;
    }
    /// Two triangles over a rectangle of clip space at depth z; `value` at each corner, in the
    /// order (x0,y0), (x1,y0), (x1,y1), (x0,y1).
    Mesh& shaded_rectangle(
        float x0, float y0, float x1, float y1, float z, const std::array<Float4, 4>& value) {
        const Float4 p[4] = {{x0, y0, z, 1}, {x1, y0, z, 1}, {x1, y1, z, 1}, {x0, y1, z, 1}};
        for (const unsigned i : {0U, 1U, 2U, 0U, 2U, 3U})
            add(p[i], value[i]);
        return *this;
    }
    Mesh& rectangle(float x0, float y0, float x1, float y1, float z, const Float4& value) {
        return shaded_rectangle(x0, y0, x1, y1, z, {value, value, value, value});
    }
    [[nodiscard]] const std::vector<float>& data() const { return data_; }
    [[nodiscard]] uint32_t count() const { return static_cast<uint32_t>(data_.size() / 8); }

private:
    std::vector<float> data_;
};

/// Pseudo-random numbers that do not depend on the standard library.
class Random {
public:
    explicit Random(uint32_t seed)
        : bits_(seed) {}
    uint32_t word() { return static_cast<uint32_t>(bits_()); }
    uint32_t below(uint32_t limit) { return word() % limit; }
    /// In [low, high), a multiple of 2^-16 of the width.
    float between(float low, float high) {
        return low + (high - low) * (static_cast<float>(word() >> 16) / 65536.0F);
    }
    Float4 color() { return {between(0, 1), between(0, 1), between(0, 1), between(0.2F, 1)}; }

private:
    std::mt19937 bits_;
};

/// Triangles with random corners in [-reach, reach] of clip space, depth and colours.
inline Mesh random_triangles(uint32_t seed, uint32_t count, float reach = 1.2F) {
    Random random(seed);
    Mesh mesh;
    // One call per statement: compilers differ in the evaluation order of arguments.
    for (uint32_t i = 0; i < 3 * count; i++) {
        const Float4 color = random.color();
        mesh.add({random.between(-reach, reach), random.between(-reach, reach),
                  random.between(-1, 1), 1},
                 color);
    }
    return mesh;
}

/// Triangles of a few pixels or less around random places.
inline Mesh small_triangles(uint32_t seed, uint32_t count, float size) {
    Random random(seed);
    Mesh mesh;
    for (uint32_t i = 0; i < count; i++) {
        const float x = random.between(-1, 1);
        const float y = random.between(-1, 1);
        for (unsigned corner = 0; corner < 3; corner++) {
            const Float4 color = random.color();
            mesh.add({x + random.between(-size, size), y + random.between(-size, size),
                      random.between(-1, 1), 1},
                     color);
        }
    }
    return mesh;
}

/// A floor from behind the eye to the horizon, with w from -1 to 20.
inline Mesh floor_plane() {
    Mesh mesh;
    const Float4 p[4] = {
        {-30, 0.9F, -2, -1}, {30, 0.9F, -2, -1}, {30, 0.9F, 19, 20}, {-30, 0.9F, 19, 20}};
    const Float4 v[4] = {{0, 0, 0, 1}, {1, 0, 0.3F, 1}, {1, 1, 0.7F, 1}, {0, 1, 1, 1}};
    for (const unsigned i : {0U, 1U, 2U, 0U, 2U, 3U})
        mesh.add(p[i], v[i]);
    return mesh;
}

}  // namespace valkyr::scenes
