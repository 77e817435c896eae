// Benchmark target: owns a scene, its device and targets, and times its frames.
// SPDX-License-Identifier: MIT
#include "bench/bench_target.hpp"

#include "gpu/create_device.hpp"

#include <array>
#include <chrono>
#include <ctime>
#include <span>
#include <utility>

namespace valkyr::bench {

using namespace raster;

namespace {

double process_cpu_ms() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double wall_ms() {
    const std::chrono::duration<double, std::milli> now =
        std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

Result<Surface> create_surface(Device& device, Format format, uint32_t size, uint32_t samples) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.format = format;
    desc.width = desc.height = size;
    desc.samples = samples;
    desc.render_target = true;
    VALKYR_TRY(texture, device.create_texture(desc));
    return Surface{texture};
}

}  // namespace

Result<std::unique_ptr<BenchTarget>> BenchTarget::create(const BenchSceneInfo& scene,
                                                         const TargetOptions& options) {
    auto target = std::make_unique<BenchTarget>();
    target->options_ = options;
    target->samples_ = scene.samples;
    VALKYR_TRY(device, gpu::create_device(options.device));
    target->device_ = std::move(device);
    Device& owner = *target->device_;
    VALKYR_TRY(color, create_surface(owner, Format::R8G8B8A8_UNORM, options.size, scene.samples));
    VALKYR_TRY(depth,
               create_surface(owner, Format::D24_UNORM_S8_UINT, options.size, scene.samples));
    target->framebuffer_.color = {color};
    target->framebuffer_.depth_stencil = depth;
    VALKYR_TRY(made, scene.create(owner, options.size));
    target->scene_ = std::move(made);
    for (auto& rows : target->rows_)
        rows.resize(size_t{4} * options.size * options.size);
    return target;
}

Result<void> BenchTarget::render(uint32_t number) {
    VALKYR_TRY_VOID(record(number));
    return finish();
}

Result<void> BenchTarget::record(uint32_t number) {
    return scene_->frame(framebuffer_, number);
}

Result<void> BenchTarget::finish() {
    VALKYR_TRY_VOID(device_->finish());
    const std::array<const Surface*, 2> surfaces{&framebuffer_.color[0],
                                                 &framebuffer_.depth_stencil};
    const size_t stride = size_t{4} * options_.size;
    for (size_t i = 0; i < surfaces.size(); ++i) {
        const TextureRef& texture = surfaces[i]->texture;
        if (samples_ > 1 && i == 1)
            continue;
        if (options_.linear || samples_ > 1) {  // reading all rows resolves samples
            Box all;
            all.width = all.height = options_.size;
            VALKYR_TRY_VOID(device_->read_texture(texture, 0, all, rows_[i], stride));
        } else {
            VALKYR_TRY_VOID(device_->eliminate_fast_clears(texture));
        }
    }
    return {};
}

Result<std::vector<uint8_t>> BenchTarget::image() {
    VALKYR_TRY_VOID(scene_->show(framebuffer_));
    std::vector<uint8_t> bytes(size_t{4} * options_.size * options_.size);
    Box box;
    box.width = box.height = options_.size;
    VALKYR_TRY_VOID(device_->read_texture(framebuffer_.color[0].texture, 0, box,
                                          std::as_writable_bytes(std::span(bytes)),
                                          size_t{4} * options_.size));
    return bytes;
}

Result<FrameTimes> measure(BenchTarget& target, const Duration& duration) {
    constexpr uint32_t kLeast = 3;
    for (uint32_t i = 0; i < duration.warm; ++i)
        VALKYR_TRY_VOID(target.render(i));
    FrameTimes times;
    const double start = wall_ms();
    const double cpu = process_cpu_ms();
    for (uint32_t i = 0; i < duration.frames; ++i) {
        const double before = wall_ms();
        if (i >= kLeast && before - start >= duration.milliseconds)
            break;
        VALKYR_TRY_VOID(target.render(i));
        times.wall_ms.push_back(wall_ms() - before);
    }
    times.cpu_ms = process_cpu_ms() - cpu;
    return times;
}

uint32_t picture_hash(const std::vector<uint8_t>& bytes) {
    uint32_t hash = 2166136261U;
    for (const uint8_t byte : bytes)
        hash = (hash ^ byte) * 16777619U;
    return hash;
}

}  // namespace valkyr::bench
