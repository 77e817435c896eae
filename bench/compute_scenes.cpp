// Compute scenes: time compute shaders, image atomics and indirect draws.
// SPDX-License-Identifier: MIT
#include "bench/compute_scenes.hpp"

#include "bench/random.hpp"
#include "bench/scene_base.hpp"

#include <string>
#include <utility>

namespace valkyr::bench {
namespace {

using namespace raster;
using Groups = std::array<uint32_t, 3>;

constexpr uint32_t kSide = 1024;  // texels of the images that the scenes compute with
constexpr Box kWhole{.width = kSide, .height = kSide};

Result<ComputePipelineRef>
compute_pipeline(Device& device, std::string_view name, uint32_t shared_bytes) {
    const std::string file = std::string(name) + ".comp.tgsi";
    VALKYR_TRY(shader, device.create_shader(shader_text(file), file));
    return device.create_compute_pipeline({shader, shared_bytes});
}

/// Blurs an image of noise to another image, which is copied to the target.
class BlurScene final : public SceneBase {
public:
    BlurScene(Device& device,
              uint32_t size,
              std::string_view shader,
              uint32_t shared_bytes,
              const Groups& groups)
        : SceneBase(device, size)
        , shader_(shader)
        , shared_bytes_(shared_bytes)
        , groups_(groups) {}

    Result<void> prepare() {
        VALKYR_TRY(made, compute_pipeline(device_, shader_, shared_bytes_));
        compute_.pipeline = std::move(made);
        Random random(8);
        std::vector<uint8_t> noise(size_t{4} * kSide * kSide);
        for (uint8_t& byte : noise)
            byte = static_cast<uint8_t>(random.bits());
        for (int i = 0; i < 2; ++i) {
            VALKYR_TRY(image, device_.create_texture({.format = Format::R8G8B8A8_UNORM,
                                                      .width = kSide,
                                                      .height = kSide,
                                                      .render_target = true}));
            VALKYR_TRY_VOID(device_.write_texture(image, 0, kWhole, std::as_bytes(std::span(noise)),
                                                  size_t{4} * kSide));
            compute_.resources.images.push_back({.texture = image});
        }
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(device_.dispatch(compute_, groups_));
        const auto size = static_cast<int32_t>(size_);
        BlitInfo copy;
        copy.source = {
            .texture = compute_.resources.images[1].texture, .width = kSide, .height = kSide};
        copy.destination = {.texture = target.color[0].texture, .width = size, .height = size};
        return device_.blit(copy);
    }

private:
    std::string_view shader_;
    uint32_t shared_bytes_;
    Groups groups_;
    DispatchState compute_;
};

/// A compute shader over buffers of random words.
struct BufferWork {
    std::string_view shader;
    uint32_t shared_bytes;
    uint32_t groups;
    uint32_t bytes;  ///< of each buffer
    bool floats;     ///< numbers in [0, 1), otherwise all words
    // The picture: texels of BUFFER[1] in squares of the target.
    Format shown;
    uint32_t squares;  ///< a side
};

/// Computes with two buffers. Frames go on from the buffers that the frame before left, as those of
/// the compared OpenGL programs do.
class BufferScene final : public SceneBase {
public:
    BufferScene(Device& device, uint32_t size, const BufferWork& work)
        : SceneBase(device, size)
        , work_(work) {}

    Result<void> prepare() {
        VALKYR_TRY(made, compute_pipeline(device_, work_.shader, work_.shared_bytes));
        compute_.pipeline = std::move(made);
        Random random(21);
        for (uint32_t i = 0; i < work_.bytes / 4; ++i)
            if (work_.floats)
                append(words_, {random.unit()});
            else
                words_.push_back(random.bits());
        for (int i = 0; i < 2; ++i) {
            VALKYR_TRY(buffer, device_.create_buffer(work_.bytes, bytes()));
            compute_.resources.storage.push_back({buffer});
        }
        VALKYR_TRY_VOID(upload(make_quads({}), quad_));
        return use_pipeline(gl_pipeline(), "flat", "show_buffer", {Attribute::Position});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        return device_.dispatch(compute_, {work_.groups, 1, 1});
    }

    Result<void> show(const Framebuffer& target) override {
        for (const BufferRange& range : compute_.resources.storage)
            VALKYR_TRY_VOID(device_.write_buffer(range.buffer, 0, bytes()));
        VALKYR_TRY_VOID(frame(target, 0));
        begin(target, size_);
        Words words;
        append(words, {static_cast<float>(work_.squares) / static_cast<float>(size_),
                       static_cast<float>(work_.squares), 0, 0});
        state_.fragment().constants = {std::move(words)};
        TextureView view;
        view.format = work_.shown;
        view.buffer = compute_.resources.storage[1];
        state_.fragment().textures = {view};
        state_.fragment().samplers = {{}};
        return draw(quad_);
    }

private:
    [[nodiscard]] std::span<const std::byte> bytes() const {
        return std::as_bytes(std::span(words_));
    }

    BufferWork work_;
    DispatchState compute_;
    Words words_;  // of both buffers at the start
    Mesh quad_;
};

/// Four layers whose fragments count themselves in an image, and show the count before. Counts go
/// on from frame to frame.
class ImageAtomicScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({.count = 4}), mesh_));
        VALKYR_TRY_VOID(use_pipeline(gl_pipeline(), "flat", "image_atomic", {Attribute::Position}));
        VALKYR_TRY(image, device_.create_texture(
                              {.format = Format::R32_UINT, .width = size_, .height = size_}));
        state_.fragment().images = {{.texture = image}};
        Words rows_as_they_are;
        append(rows_as_they_are, {1, 0, 0, 0});
        state_.fragment().constants = {std::move(rows_as_they_are)};
        return write_zeros();
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

    Result<void> show(const Framebuffer& target) override {
        VALKYR_TRY_VOID(write_zeros());
        return frame(target, 0);
    }

private:
    Result<void> write_zeros() {
        const std::vector<std::byte> zeros(size_t{4} * size_ * size_);
        return device_.write_texture(state_.fragment().images[0].texture, 0,
                                     {.width = size_, .height = size_}, zeros, size_t{4} * size_);
    }

    Mesh mesh_;
};

/// Four thousand draws of two triangles whose parameters lie in a buffer.
class IndirectScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = 64, .jitter = 0.3F, .indexed = false}), mesh_));
        Words draws;
        for (uint32_t i = 0; i < kDraws; ++i)
            draws.insert(draws.end(), {6, 1, i * 6, 0});
        VALKYR_TRY(buffer,
                   device_.create_buffer(draws.size() * 4, std::as_bytes(std::span(draws))));
        info_.buffer = std::move(buffer);
        info_.draw_count = kDraws;
        return use_pipeline(gl_pipeline(), "color", "color",
                            {Attribute::Position, Attribute::Color});
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        state_.vertex_buffers = {{mesh_.vertices}};
        return device_.draw_indirect(state_, info_);
    }

private:
    static constexpr uint32_t kDraws = 4000;
    Mesh mesh_;
    IndirectInfo info_;
};

}  // namespace

SceneResult create_blur_image(Device& device, uint32_t size) {
    return make_scene<BlurScene>(device, size, "blur_image", 0U, Groups{64, 64, 1});
}
SceneResult create_blur_shared(Device& device, uint32_t size) {
    return make_scene<BlurScene>(device, size, "blur_shared", 272U * 16, Groups{4, kSide, 1});
}
SceneResult create_nbody(Device& device, uint32_t size) {
    return make_scene<BufferScene>(
        device, size,
        BufferWork{"nbody", 128 * 16, 32, 4096 * 16, true, Format::R32G32B32A32_FLOAT, 64});
}
SceneResult create_histogram(Device& device, uint32_t size) {
    return make_scene<BufferScene>(
        device, size,
        BufferWork{"histogram", 256 * 4, 256, 1U << 22, false, Format::R8G8B8A8_UNORM, kSide});
}
SceneResult create_scan(Device& device, uint32_t size) {
    return make_scene<BufferScene>(
        device, size,
        BufferWork{"scan", 512 * 4, 2048, 1U << 22, false, Format::R8G8B8A8_UNORM, kSide});
}
SceneResult create_saxpy(Device& device, uint32_t size) {
    return make_scene<BufferScene>(
        device, size, BufferWork{"saxpy", 0, 4096, 1U << 22, true, Format::R8G8B8A8_UNORM, kSide});
}
SceneResult create_image_atomic(Device& device, uint32_t size) {
    return make_scene<ImageAtomicScene>(device, size);
}
SceneResult create_indirect(Device& device, uint32_t size) {
    return make_scene<IndirectScene>(device, size);
}

}  // namespace valkyr::bench
