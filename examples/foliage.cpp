// Foliage: draws a meadow with trees in the wind.
// SPDX-License-Identifier: MIT
//
// Shows alpha to coverage: grass and leaves are pictures on crossed squares, whose alpha decides
// how many samples of a pixel they cover. That needs no sorting and gives smooth edges. All meshes
// are instanced; the vertex shader bends vertices by their height above the ground.
#include "examples/procedural_texture.hpp"
#include "examples/random.hpp"
#include "examples/scene_base.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kSize = 128;  // of the pictures
constexpr float kMeadow = 9;     // its radius
constexpr Float4 kTrees[] = {{-2.2F, 0, -1.4F, 1.25F}, {2.4F, 0, -2.6F, 1.5F},
                             {0.4F, 0, -5.6F, 1.6F},   {-5.2F, 0, -4.2F, 1.4F},
                             {5.4F, 0, 0.6F, 1.2F},    {-4.4F, 0, 3.0F, 1.1F}};

/// A place with a size; the angle's cosine and sine; a tint 0..1; 0.
struct Plant {
    Float4 place;
    Float4 turn;
};

Plant plant(float x, float z, float size, double angle, float tint) {
    return {{x, 0, z, size},
            {static_cast<float>(cosine(angle)), static_cast<float>(sine(angle)), tint, 0}};
}

/// Blades: each bends to a side and gets thinner upwards.
uint32_t grass_texel(uint32_t x, uint32_t y) {
    Dice dice(11);
    const double height = 1 - (y + 0.5) / kSize;
    double best = 0;
    double shade = 0.5;
    for (int i = 0; i < 26; i++) {
        const double root = 0.12 + 0.76 * static_cast<double>(dice.next());
        const double bend = 0.7 * (static_cast<double>(dice.next()) - root);  // stays inside
        const double top = 0.45 + 0.52 * static_cast<double>(dice.next());
        const double tone = static_cast<double>(dice.next());
        if (height > top)
            continue;
        const double rest = 1 - height / top;
        const double distance = std::abs((x + 0.5) / kSize - root - bend * height * height);
        const double alpha = std::clamp((0.022 * rest + 0.004 - distance) * kSize + 0.5, 0.0, 1.0);
        if (alpha >= best && alpha > 0) {
            best = alpha;
            shade = tone;
        }
    }
    const double light = (0.35 + 0.65 * height) * (0.75 + 0.5 * shade);
    return rgba_of(0.42 * light, 0.68 * light, 0.18 * light, best);
}

/// Leaves: ellipses in all directions.
uint32_t leaf_texel(uint32_t x, uint32_t y) {
    Dice dice(3);
    double best = 0;
    double shade = 0.5;
    for (int i = 0; i < 44; i++) {
        const double radius = 0.36 * std::sqrt(static_cast<double>(dice.next()));
        const double around = 2 * kPi * static_cast<double>(dice.next());
        const double turn = 2 * kPi * static_cast<double>(dice.next());
        const double tone = static_cast<double>(dice.next());
        const double dx = (x + 0.5) / kSize - 0.5 - radius * cosine(around);
        const double dy = (y + 0.5) / kSize - 0.5 - radius * sine(around);
        const double along = (dx * cosine(turn) + dy * sine(turn)) / 0.095;
        const double across = (dy * cosine(turn) - dx * sine(turn)) / 0.042;
        const double alpha = std::clamp((1 - along * along - across * across) * 4, 0.0, 1.0);
        if (alpha > 0) {
            best = std::max(best, alpha);
            shade = tone - 0.25 * (std::abs(across) < 0.12 ? 1 : 0);
        }
    }
    const double light = 0.75 + 0.45 * shade;
    return rgba_of(0.36 * light, 0.56 * light, 0.16 * light, best);
}

/// Earth and moss, dark under the trees.
uint32_t floor_texel(uint32_t x, uint32_t y) {
    const double u = (x + 0.5) / 256 * 24 - 12;
    const double v = (y + 0.5) / 256 * 24 - 12;
    double light = 1;
    for (const Float4& tree : kTrees) {
        const double dx = u - static_cast<double>(tree[0]) + 0.5;
        const double dz = v - static_cast<double>(tree[2]) - 0.2;
        light *= 1 - 0.55 / (1 + 1.6 * (dx * dx + dz * dz) * (dx * dx + dz * dz));
    }
    const double moss = fractal_noise(x / 9.0, y / 9.0, 4);
    return rgba_of(light * (0.30 - 0.10 * moss), light * (0.30 + 0.10 * moss), light * 0.12);
}

uint32_t bark_texel(uint32_t x, uint32_t y) {
    const double grain = fractal_noise(x / 4.0, y / 24.0, 4);
    return rgba_of(0.26 + 0.34 * grain, 0.19 + 0.26 * grain, 0.13 + 0.18 * grain);
}

/// Adds a square that is visible from both sides.
void add_card(
    Mesh& mesh, const Vec3& centre, const Vec3& right, const Vec3& up, const Vec3& normal) {
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    for (const float v : {-1.0F, 1.0F})
        for (const float u : {-1.0F, 1.0F}) {
            MeshVertex vertex{{}, {normal[0], normal[1], normal[2]}, {(u + 1) / 2, (1 - v) / 2}};
            for (size_t i = 0; i < 3; i++)
                vertex.position[i] = centre[i] + u * right[i] + v * up[i];
            mesh.vertices.push_back(vertex);
        }
    for (const uint32_t corner : {0U, 1U, 2U, 2U, 1U, 3U})
        mesh.indices.push_back(first + corner);
}

/// A ground plane up to the horizon. Its picture, 24 wide, lies in the middle; the texture's border
/// colour covers the rest.
Mesh meadow() {
    constexpr float kSides = 40;
    Mesh mesh = ground(kSides, 0);
    for (MeshVertex& vertex : mesh.vertices)
        for (float& coordinate : vertex.uv)
            coordinate = 0.5F + (coordinate - 0.5F) * (kSides / 12);
    return mesh;
}

/// Three crossing squares with the normals of the ground.
Mesh tuft() {
    Mesh mesh;
    for (int i = 0; i < 3; i++) {
        const auto c = static_cast<float>(0.5 * cosine(kPi / 3 * i));
        const auto s = static_cast<float>(0.5 * sine(kPi / 3 * i));
        add_card(mesh, {0, 0.5F, 0}, {c, 0, s}, {0, 0.5F, 0}, {0, 1, 0});
    }
    return mesh;
}

/// Squares all over a sphere high above the ground, with the sphere's normals.
Mesh crown() {
    Dice dice(21);
    Mesh mesh;
    while (mesh.vertices.size() < size_t{4} * 110) {
        const Vec3 at = {dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)};
        const float length = std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        if (length > 1 || length < 0.45F)
            continue;
        const double turn = kPi * static_cast<double>(dice.next());
        const double tilt = 1.2 * (static_cast<double>(dice.next()) - 0.5);
        const auto c = static_cast<float>(0.42 * cosine(turn));
        const auto s = static_cast<float>(0.42 * sine(turn));
        const auto lean = static_cast<float>(0.42 * sine(tilt));
        const auto high = static_cast<float>(0.42 * cosine(tilt));
        add_card(mesh, {0.72F * at[0], 1.62F + 0.62F * at[1], 0.72F * at[2]}, {c, 0, s},
                 {-s * lean / 0.42F, high, c * lean / 0.42F},
                 {at[0] / length, at[1] / length, at[2] / length});
    }
    return mesh;
}

std::vector<Plant> make_grass() {
    Dice dice(7);
    std::vector<Plant> grass;
    while (grass.size() < 1500) {
        const float x = dice.between(-kMeadow, kMeadow);
        const float z = dice.between(-kMeadow, kMeadow);
        const float size = dice.between(0.35F, 0.7F);
        const double angle = 2 * kPi * static_cast<double>(dice.next());
        if (x * x + z * z < kMeadow * kMeadow)
            grass.push_back(plant(x, z, size, angle, dice.next()));
    }
    return grass;
}

std::vector<Plant> make_trees() {
    std::vector<Plant> trees;
    for (const Float4& tree : kTrees)
        trees.push_back(plant(tree[0], tree[2], tree[3], 5.0 * static_cast<double>(tree[0]),
                              0.5F + 0.1F * tree[0]));
    return trees;
}

class Foliage final : public MeshScene {
public:
    explicit Foliage(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        constexpr std::array<float, 2> kTrunk[] = {
            {0.2F, -0.02F}, {0.12F, 0.15F}, {0.09F, 0.6F}, {0.07F, 1.2F}, {0.03F, 1.8F}};
        const std::vector<Plant> one = {plant(0, 0, 1, 0, 0)};
        VALKYR_TRY_VOID(add_kind(meadow(), one, 256, floor_texel, false));
        VALKYR_TRY_VOID(add_kind(lathe(kTrunk, 12), make_trees(), 64, bark_texel, false));
        VALKYR_TRY_VOID(add_kind(crown(), make_trees(), kSize, leaf_texel, true));
        VALKYR_TRY_VOID(add_kind(tuft(), make_grass(), kSize, grass_texel, true));
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        sampler.wrap_s = sampler.wrap_t = Wrap::ClampToEdge;
        state_.fragment().samplers = {sampler};
        state_.alpha_reference = 0.1F;
        VALKYR_TRY(sky, screen_pipeline("gradient.frag"));
        sky_ = sky;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        constexpr Float4 kHaze = {0.80F, 0.84F, 0.82F, 0};
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const Eye from = eye({.distance = 6.4,
                              .pitch = 0.2,
                              .yaw = 0.12 * sine(0.3 * seconds),
                              .target = {0, 1.1F, 0},
                              .z_far = 60},
                             width, height);
        VALKYR_TRY_VOID(
            draw_sky(sky_, from, Constants().add(kHaze).add(Float4{0.25F, 0.47F, 0.78F, 0})));
        const Constants light = Constants()
                                    .add(direction(0.55F, 0.62F, 0.35F))
                                    .add(Float4{1.5F, 1.36F, 1.02F, 0})
                                    .add(Float4{0.28F, 0.36F, 0.42F, 0})
                                    .add(float4(from.place, 0.0035F))
                                    .add(kHaze)
                                    .add(Float4{1.25F, 0.95F, 0.6F, 0});
        for (const Kind& kind : kinds_)
            VALKYR_TRY_VOID(draw_kind(kind, from, light, seconds));
        return {};
    }

private:
    /// A mesh with its picture and the places of its instances.
    struct Kind {
        DeviceMesh mesh;
        BufferRef plants;
        uint32_t count;
        TextureRef picture;
        PipelineRef pipeline;
        bool bends;
    };

    Result<void> add_kind(const Mesh& mesh,
                          const std::vector<Plant>& plants,
                          uint32_t size,
                          const TexelFunction& texel,
                          bool leaves) {
        VALKYR_TRY(uploaded, upload(device_, mesh));
        const auto bytes = std::as_bytes(std::span(plants));
        VALKYR_TRY(buffer, device_.create_buffer(bytes.size(), bytes));
        VALKYR_TRY(picture, create_mipmapped_texture(device_, size, texel));
        VALKYR_TRY(desc, mesh_pipeline("foliage.vert", "foliage.frag"));
        desc.elements.push_back({1, offsetof(Plant, place), 1, Format::R32G32B32A32_FLOAT});
        desc.elements.push_back({1, offsetof(Plant, turn), 1, Format::R32G32B32A32_FLOAT});
        desc.strides.push_back(sizeof(Plant));
        if (leaves) {
            desc.rasterizer.cull = CullFace::None;
            desc.blend.alpha_to_coverage = true;
            // With one sample, alpha to coverage has no effect: the alpha test cuts out the shapes.
            desc.depth_stencil.alpha_test = true;
            desc.depth_stencil.alpha_func = CompareFunc::Greater;
        }
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        kinds_.push_back(
            {uploaded, buffer, static_cast<uint32_t>(plants.size()), picture, pipeline, leaves});
        return {};
    }

    Result<void>
    draw_kind(const Kind& kind, const Eye& from, const Constants& light, double seconds) {
        // The angle of a plant is also its phase: sin(t + a) = sin t cos a + cos t sin a.
        const auto s = static_cast<float>(sine(1.7 * seconds));
        const auto c = static_cast<float>(cosine(1.7 * seconds));
        const auto gust = static_cast<float>(1.1 + 0.7 * sine(0.6 * seconds));
        state_.vertex_buffers = {{}, {kind.plants}};
        state_.fragment().textures = {{kind.picture}};
        state_.pipeline = kind.pipeline;
        state_.vertex_buffers[0] = {kind.mesh.vertices};
        state_.index_buffer = {kind.mesh.indices};
        state_.index_type = IndexType::U32;
        state_.vertex().constants = {Constants()
                                         .add(from.view_projection)
                                         .add(Float4{s, c, gust, kind.bends ? 0.06F : 0})
                                         .add(direction(0.9F, 0, 0.4F))
                                         .words()};
        state_.fragment().constants = {light.words()};
        DrawInfo info;
        info.count = kind.mesh.count;
        info.instance_count = kind.count;
        return device_.draw(state_, info);
    }

    std::vector<Kind> kinds_;
    PipelineRef sky_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_foliage(Device& device) {
    auto scene = std::make_unique<Foliage>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
