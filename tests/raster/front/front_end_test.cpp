// Front end test: checks assembly, indices, instances, restart, provoking vertices, clipping.
// SPDX-License-Identifier: MIT
#include "tests/raster/native_scene.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

/// Writes the first word of varying slot 0 at the anchor: the flat value.
void write_flat(const Sample& s) {
    std::memcpy(s.call.color[0] + s.index * 4, s.call.primitive->slots[0].a, 4);
}
/// Writes primitive ID + 1.
void write_id(const Sample& s) {
    const uint32_t id = s.call.primitive->primitive_id + 1;
    std::memcpy(s.call.color[0] + s.index * 4, &id, 4);
}

float as_varying(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Vertices in a zigzag of 8-pixel cells; the varying's bits are the vertex number + 1.
std::vector<TestVertex> zigzag(uint32_t count) {
    std::vector<TestVertex> list;
    for (uint32_t i = 0; i < count; ++i) {
        const auto x = static_cast<float>(i / 2 * 8);
        list.push_back({{x, i % 2 == 0 ? 0.0F : 16.0F, 0, 1}, {as_varying(i + 1), 0, 0, 0}});
    }
    return list;
}

/// Draws with flat varyings and returns the distinct values, ordered by their first column.
std::vector<uint32_t> flat_values(Primitive primitive,
                                  bool first,
                                  const std::vector<TestVertex>& vertices,
                                  uint32_t width = 64) {
    Scene scene(width, 32);
    PipelineDesc desc;
    desc.primitive = primitive;
    desc.rasterizer.flat_shade_first = first;
    scene.pipeline(desc, vertex_stage(vertices, exec::Interpolation::Flat),
                   fragment_stage(write_flat, exec::Interpolation::Flat));
    scene.draw(static_cast<uint32_t>(vertices.size()));
    const std::vector<uint32_t> pixels = scene.read();
    std::vector<uint32_t> found;
    for (uint32_t x = 0; x < width; ++x)
        for (uint32_t y = 0; y < 32; ++y) {
            const uint32_t value = pixels[y * width + x];
            if (value != 0 && std::find(found.begin(), found.end(), value) == found.end())
                found.push_back(value);
        }
    std::sort(found.begin(), found.end());
    return found;
}

using List = std::vector<uint32_t>;

/// A quad of the target's left 16x16 pixels, at row 0.
const std::vector<TestVertex> kSquare{{{0, 0, 0, 1}, {as_varying(1), 0, 0, 0}},
                                      {{16, 0, 0, 1}, {as_varying(2), 0, 0, 0}},
                                      {{16, 16, 0, 1}, {as_varying(3), 0, 0, 0}},
                                      {{0, 16, 0, 1}, {as_varying(4), 0, 0, 0}}};

BufferRef buffer_of(Scene& scene, std::span<const std::byte> bytes) {
    return must(scene.device->create_buffer(bytes.size(), bytes));
}

uint64_t sum(const std::vector<uint32_t>& pixels) {
    uint64_t total = 0;
    for (const uint32_t p : pixels)
        total += p;
    return total;
}

}  // namespace

TEST_CASE("the provoking vertex is the first or the last of each triangle (GL table 13.1)") {
    // Six vertices make strips of triangles 0..3.
    CHECK(flat_values(Primitive::TriangleStrip, true, zigzag(6)) == List{1, 2, 3, 4});
    CHECK(flat_values(Primitive::TriangleStrip, false, zigzag(6)) == List{3, 4, 5, 6});
    CHECK(flat_values(Primitive::Triangles, true, zigzag(6)) == List{1, 4});
    CHECK(flat_values(Primitive::Triangles, false, zigzag(6)) == List{3, 6});
    CHECK(flat_values(Primitive::TriangleFan, true, kSquare) == List{2, 3});
    CHECK(flat_values(Primitive::TriangleFan, false, kSquare) == List{3, 4});
    CHECK(flat_values(Primitive::Quads, true, kSquare) == List{1});
    CHECK(flat_values(Primitive::Quads, false, kSquare) == List{4});
    CHECK(flat_values(Primitive::Polygon, true, kSquare) == List{1});
    CHECK(flat_values(Primitive::Polygon, false, kSquare) == List{1});
    CHECK(flat_values(Primitive::QuadStrip, true, zigzag(6)) == List{1, 3});
    CHECK(flat_values(Primitive::QuadStrip, false, zigzag(6)) == List{4, 6});
}

TEST_CASE("a clipped triangle keeps the flat value of its provoking vertex") {
    // The provoking vertex is far outside of the near plane and is clipped away.
    std::vector<TestVertex> list{{{4, 4, -3, 1}, {as_varying(77), 0, 0, 0}},
                                 {{60, 4, 0.5F, 1}, {as_varying(88), 0, 0, 0}},
                                 {{4, 28, 0.5F, 1}, {as_varying(99), 0, 0, 0}}};
    CHECK(flat_values(Primitive::Triangles, true, list) == List{77});
}

TEST_CASE("primitive kinds cover their square once") {
    const std::vector<TestVertex> strip{kSquare[0], kSquare[1], kSquare[3], kSquare[2]};
    const struct {
        Primitive primitive;
        std::vector<TestVertex> vertices;
    } rows[] = {{Primitive::TriangleStrip, strip},
                {Primitive::TriangleFan, kSquare},
                {Primitive::Quads, kSquare},
                {Primitive::QuadStrip, strip},
                {Primitive::Polygon, kSquare}};
    for (const auto& row : rows) {
        Scene scene(32, 32);
        PipelineDesc desc;
        desc.primitive = row.primitive;
        scene.pipeline(desc, vertex_stage(row.vertices), fragment_stage(count_hit));
        scene.draw(4);
        const std::vector<uint32_t> pixels = scene.read();
        size_t wrong = 0;
        for (uint32_t y = 0; y < 32; ++y)
            for (uint32_t x = 0; x < 32; ++x)
                wrong += pixels[y * 32 + x] != (x < 16 && y < 16 ? 1U : 0U) ? 1 : 0;
        CHECK(wrong == 0);
    }
}

TEST_CASE("indices of every size, with base vertex and offset, name the same vertices") {
    // Two unused vertices come first; base vertex 2 skips them.
    std::vector<TestVertex> vertices{{}, {}};
    vertices.insert(vertices.end(), kSquare.begin(), kSquare.end());
    const auto check = [&](auto example, IndexType type) {
        using Index = decltype(example);
        const std::vector<Index> indices{9, 9, 0, 1, 2, 0, 2, 3};
        Scene scene(32, 32);
        scene.pipeline({}, vertex_stage(vertices), fragment_stage(count_hit));
        scene.state.index_type = type;
        scene.state.index_buffer = {buffer_of(scene, std::as_bytes(std::span(indices))),
                                    sizeof(Index), UINT64_MAX};
        DrawInfo info;
        info.first = 1;
        info.count = 6;
        info.base_vertex = 2;
        must(scene.device->draw(scene.state, info));
        CHECK(sum(scene.read()) == 256);
    };
    check(uint8_t{}, IndexType::U8);
    check(uint16_t{}, IndexType::U16);
    check(uint32_t{}, IndexType::U32);
}

TEST_CASE("indices past the end of their buffer read as 0 and vertices past the end as nothing") {
    Scene scene(32, 32);
    scene.pipeline({}, vertex_stage(kSquare), fragment_stage(count_hit));
    scene.state.index_type = IndexType::U16;
    const std::vector<uint16_t> indices{0, 1, 2, 0, 2, 3};
    scene.state.index_buffer = {buffer_of(scene, std::as_bytes(std::span(indices))), 0, 7};
    DrawInfo info;
    info.count = 3000;
    must(scene.device->draw(scene.state, info));
    CHECK(sum(scene.read()) > 100);  // one triangle; the others have no area
    info.first = 0xFFFFFFF0;
    must(scene.device->draw(scene.state, info));
    scene.state.index_buffer.offset = UINT64_MAX;
    must(scene.device->draw(scene.state, info));
    must(scene.device->finish());
}

TEST_CASE("restart cuts strips and fans, and primitive IDs go on counting") {
    // Two separate fans of a square each, the second 20 pixels to the right.
    std::vector<TestVertex> vertices = kSquare;
    for (TestVertex v : kSquare) {
        v.position[0] += 20;
        vertices.push_back(v);
    }
    const std::vector<uint16_t> indices{0, 1, 2, 3, 0xFFFF, 0xFFFF, 4, 5, 6, 7, 0xFFFF};
    Scene scene(64, 32);
    PipelineDesc desc;
    desc.primitive = Primitive::TriangleFan;
    scene.pipeline(desc, vertex_stage(vertices), fragment_stage(write_id));
    scene.state.index_type = IndexType::U16;
    scene.state.index_buffer = {buffer_of(scene, std::as_bytes(std::span(indices))), 0, UINT64_MAX};
    DrawInfo info;
    info.count = static_cast<uint32_t>(indices.size());
    info.primitive_restart = true;
    info.restart_index = 0xFFFF;
    must(scene.device->draw(scene.state, info));
    const std::vector<uint32_t> pixels = scene.read();
    CHECK(pixels[1 * 64 + 10] == 1);
    CHECK(pixels[10 * 64 + 1] == 2);
    CHECK(pixels[1 * 64 + 30] == 3);
    CHECK(pixels[10 * 64 + 21] == 4);
    CHECK(pixels[8 * 64 + 18] == 0);
}

TEST_CASE("long restart runs and many short ones draw as the same list without restart") {
    // 60000 indices with restarts after runs of every length; the expected result of triangle lists
    // is simple.
    std::vector<uint32_t> indices;
    uint64_t triangles = 0;
    for (uint32_t run = 1; indices.size() < 40000; run = run * 5 % 20011 + 1) {
        for (uint32_t i = 0; i < run; ++i)
            indices.push_back(i % 3);
        triangles += run / 3;
        indices.push_back(0xFFFFFFFF);
    }
    const std::vector<TestVertex> one{
        {{0, 0, 0, 1}, {}}, {{2, 0, 0, 1}, {}}, {{0, 2, 0, 1}, {}}};  // covers only pixel 0,0
    for (const unsigned threads : {1U, 3U}) {
        DeviceOptions options;
        options.threads = threads;
        Scene scene(200, 200, options);
        scene.pipeline({}, vertex_stage(one), fragment_stage(count_hit));
        scene.state.index_type = IndexType::U32;
        scene.state.index_buffer = {buffer_of(scene, std::as_bytes(std::span(indices))), 0,
                                    UINT64_MAX};
        DrawInfo info;
        info.count = static_cast<uint32_t>(indices.size());
        info.primitive_restart = true;
        must(scene.device->draw(scene.state, info));
        CHECK(scene.read()[0] == triangles);
    }
}

TEST_CASE("every instance is drawn") {
    Scene scene(32, 32);
    scene.pipeline({}, vertex_stage(kSquare), fragment_stage(count_hit));
    DrawInfo info;
    info.count = 3;
    info.instance_count = 70;
    must(scene.device->draw(scene.state, info));
    const std::vector<uint32_t> pixels = scene.read();
    CHECK(pixels[0 * 32 + 10] == 70);
    CHECK(scene.device->take_statistics().vertices == 210);
}

TEST_CASE("vertices that triangles of a chunk share are shaded once") {
    // A grid of 16x8 cells: 153 vertices, 256 triangles.
    std::vector<TestVertex> vertices;
    for (uint32_t y = 0; y <= 8; ++y)
        for (uint32_t x = 0; x <= 16; ++x)
            vertices.push_back({{static_cast<float>(x) * 2, static_cast<float>(y) * 2, 0, 1}, {}});
    std::vector<uint16_t> indices;
    for (uint16_t y = 0; y < 8; ++y)
        for (uint16_t x = 0; x < 16; ++x) {
            const auto v = static_cast<uint16_t>(y * 17 + x);
            for (const int offset : {0, 1, 17, 1, 18, 17})
                indices.push_back(static_cast<uint16_t>(v + offset));
        }
    Scene scene(32, 32);
    scene.pipeline({}, vertex_stage(vertices), fragment_stage(count_hit));
    scene.state.index_type = IndexType::U16;
    scene.state.index_buffer = {buffer_of(scene, std::as_bytes(std::span(indices))), 0, UINT64_MAX};
    scene.draw(static_cast<uint32_t>(indices.size()));
    CHECK(sum(scene.read()) == 32 * 16);
    CHECK(scene.device->take_statistics().vertices < 190);
}

namespace {

/// A grid of quads, two triangles each, row by row.
struct Grid {
    std::vector<TestVertex> vertices;
    std::vector<uint32_t> indices;

    Grid(uint32_t columns, uint32_t rows, float cell) {
        for (uint32_t y = 0; y <= rows; ++y)
            for (uint32_t x = 0; x <= columns; ++x)
                vertices.push_back(
                    {{static_cast<float>(x) * cell, static_cast<float>(y) * cell, 0, 1}, {}});
        for (uint32_t y = 0; y < rows; ++y)
            for (uint32_t x = 0; x < columns; ++x) {
                const uint32_t v = y * (columns + 1) + x;
                const uint32_t below = v + columns + 1;
                for (const uint32_t corner : {v, v + 1, below, v + 1, below + 1, below})
                    indices.push_back(corner);
            }
    }
};

template <typename Index>
BufferRange index_buffer(Scene& scene, const std::vector<uint32_t>& indices) {
    const std::vector<Index> words(indices.begin(), indices.end());
    return {buffer_of(scene, std::as_bytes(std::span(words))), 0, UINT64_MAX};
}

}  // namespace

TEST_CASE("vertices that a mesh of many chunks shares are shaded once") {
    // 8190 triangles of about a quarter of a pixel, which the plan divides into four segments.
    const Grid grid(65, 63, 0.75F);
    for (const IndexType type : {IndexType::U16, IndexType::U32})
        for (const int32_t base : {0, -7}) {
            Scene scene(64, 64);
            std::vector<TestVertex> vertices = grid.vertices;
            std::vector<uint32_t> indices = grid.indices;
            for (uint32_t& index : indices)
                index += static_cast<uint32_t>(-base);
            scene.pipeline({}, vertex_stage(vertices), fragment_stage(count_hit));
            scene.state.index_type = type;
            scene.state.index_buffer = type == IndexType::U16
                                           ? index_buffer<uint16_t>(scene, indices)
                                           : index_buffer<uint32_t>(scene, indices);
            DrawInfo info;
            info.count = static_cast<uint32_t>(indices.size());
            info.base_vertex = base;
            must(scene.device->draw(scene.state, info));
            // The grid is 48.75 x 47.25 pixels large; by the top-left rule it covers 49 columns and
            // 47 rows.
            const std::vector<uint32_t> pixels = scene.read();
            CHECK(sum(pixels) == 49 * 47);
            CHECK(*std::max_element(pixels.begin(), pixels.end()) == 1);
            const Statistics statistics = scene.device->take_statistics();
            CHECK(statistics.triangles_in == 65 * 63 * 2);
            // A border between segments lies in one row, and shades at most one row of vertices and
            // two more twice.
            CHECK(statistics.vertices >= 66 * 64);
            CHECK(statistics.vertices <= 66 * 64 + 3 * 68);
        }
}

TEST_CASE(
    "a mesh partly beyond the near plane and the guard band is clipped as its triangles are") {
    Grid grid(40, 40, 1.5F);
    for (size_t i = 0; i < grid.vertices.size(); ++i) {
        if (i % 41 == 3)
            grid.vertices[i].position[2] = -0.5F;  // in front of the near plane
        if (i % 41 == 40)
            grid.vertices[i].position[0] = 30000;  // beyond the guard band
    }
    std::vector<TestVertex> separate;
    for (const uint32_t index : grid.indices)
        separate.push_back(grid.vertices[index]);
    Scene mesh(64, 64);
    mesh.pipeline({}, vertex_stage(grid.vertices), fragment_stage(count_hit));
    mesh.state.index_type = IndexType::U32;
    mesh.state.index_buffer = index_buffer<uint32_t>(mesh, grid.indices);
    mesh.draw(static_cast<uint32_t>(grid.indices.size()));
    Scene triangles(64, 64);
    triangles.pipeline({}, vertex_stage(separate), fragment_stage(count_hit));
    triangles.draw(static_cast<uint32_t>(separate.size()));
    CHECK(mesh.read() == triangles.read());
}

TEST_CASE("indices that lie far apart shade only the vertices that they name") {
    // Triangles of every ninth vertex of a long list.
    constexpr uint32_t kTriangles = 600;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < 3 * kTriangles; ++i)
        indices.push_back(9 * i);
    Scene scene(16, 16);
    const TestVertex corners[3] = {{{0, 0, 0, 1}, {}}, {{16, 0, 0, 1}, {}}, {{0, 16, 0, 1}, {}}};
    std::vector<TestVertex> vertices(size_t{27} * kTriangles);
    for (uint32_t i = 0; i < 3 * kTriangles; ++i)
        vertices[size_t{9} * i] = corners[i % 3];
    scene.pipeline({}, vertex_stage(vertices), fragment_stage(count_hit));
    scene.state.index_type = IndexType::U32;
    scene.state.index_buffer = index_buffer<uint32_t>(scene, indices);
    scene.draw(3 * kTriangles);
    CHECK(scene.read()[0] == kTriangles);
    CHECK(scene.device->take_statistics().vertices == 3 * kTriangles);
}

TEST_CASE("a plane far beyond the guard band covers everything once") {
    // A square of 45000 pixels in each direction, as two triangles whose shared edge runs through
    // the target.
    const float far = 45000;
    for (const float tilt : {0.0F, 17.0F, -333.0F}) {
        const std::vector<TestVertex> plane{{{-far, -far + tilt, 0.5F, 1}, {}},
                                            {{far, -far - tilt, 0.5F, 1}, {}},
                                            {{far, far - tilt, 0.5F, 1}, {}},
                                            {{-far, far + tilt, 0.5F, 1}, {}}};
        Scene scene(300, 200);
        PipelineDesc desc;
        desc.primitive = Primitive::TriangleFan;
        scene.pipeline(desc, vertex_stage(plane), fragment_stage(count_hit));
        scene.draw(4);
        const std::vector<uint32_t> pixels = scene.read();
        CHECK(std::count(pixels.begin(), pixels.end(), 1U) == 300 * 200);
    }
}

TEST_CASE("a floor from behind the eye to the horizon covers what is below the horizon once") {
    // A plane in eye space at height -1, x from -50 to 50, z from -5 (behind the eye) to 1000. The
    // horizon is row 64, and a point at distance w is 64 / w rows below it.
    std::vector<TestVertex> floor;
    for (const auto& [x, w] :
         {std::pair{-50.0F, -5.0F}, {50.0F, -5.0F}, {50.0F, 1000.0F}, {-50.0F, 1000.0F}})
        floor.push_back({{64 * x + 64 * w, 64 * w + 64, w - 0.5F, w}, {}});
    Scene scene(128, 128);
    PipelineDesc desc;
    desc.primitive = Primitive::Quads;
    scene.pipeline(desc, vertex_stage(floor), fragment_stage(count_hit));
    scene.draw(4);
    const std::vector<uint32_t> pixels = scene.read();
    size_t wrong = 0;
    for (uint32_t y = 0; y < 128; ++y)
        for (uint32_t x = 0; x < 128; ++x) {
            // The near plane w = 0.5 projects to row 192: the floor fills all rows below the
            // far edge at 64 + 64/1000, for |x| < 50 at distance 64 / (row - 64).
            const double row = y + 0.5 - 64;
            const double distance = 64 / row;
            const double eye_x = (x + 0.5 - 64) * distance / 64;
            const bool inside = row > 0 && distance < 1000 && std::abs(eye_x) < 50;
            const bool border = row > 0 && std::abs(std::abs(eye_x) - 50) < 0.5;
            wrong += !border && pixels[y * 128 + x] != (inside ? 1U : 0U) ? 1 : 0;
        }
    CHECK(wrong == 0);
}

TEST_CASE("positions that are not numbers draw nothing and do no harm") {
    const float nan = std::nanf("");
    const float inf = INFINITY;
    std::vector<TestVertex> list;
    for (const float bad : {nan, inf, -inf, 3e38F, -3e38F, 0.0F})
        for (unsigned component = 0; component < 4; ++component)
            for (unsigned corner = 0; corner < 3; ++corner)
                for (unsigned k = 0; k < 3; ++k) {
                    TestVertex v = kSquare[k];
                    if (k == corner)
                        v.position[component] = bad;
                    list.push_back(v);
                }
    Scene scene(32, 32);
    scene.pipeline({}, vertex_stage(list), fragment_stage(count_hit));
    scene.draw(static_cast<uint32_t>(list.size()));
    const std::vector<uint32_t> pixels = scene.read();
    for (const uint32_t p : pixels)
        CHECK(p <= list.size() / 3);
    // The first 12 triangles have NaN coordinates; drawn by themselves, they change no pixel.
    scene.clear();
    scene.draw(36);
    CHECK(sum(scene.read()) == 0);
}

TEST_CASE("culling by facing, seen with row 0 at the top") {
    // Clockwise on the screen.
    const std::vector<TestVertex> clockwise{kSquare[0], kSquare[1], kSquare[2]};
    for (const bool front_ccw : {false, true})
        for (const CullFace cull :
             {CullFace::None, CullFace::Front, CullFace::Back, CullFace::FrontAndBack}) {
            Scene scene(32, 32);
            PipelineDesc desc;
            desc.rasterizer.front_ccw = front_ccw;
            desc.rasterizer.cull = cull;
            const auto facing = [](const Sample& s) {
                const uint32_t value = 1 + s.call.primitive->flags;
                std::memcpy(s.call.color[0] + s.index * 4, &value, 4);
            };
            scene.pipeline(desc, vertex_stage(clockwise), fragment_stage(facing));
            scene.draw(3);
            const bool back = front_ccw;
            const bool culled =
                cull == CullFace::FrontAndBack || cull == (back ? CullFace::Back : CullFace::Front);
            CHECK(scene.read()[32 + 10] == (culled ? 0U : back ? 2U : 1U));
        }
}

}  // namespace valkyr::raster::test
