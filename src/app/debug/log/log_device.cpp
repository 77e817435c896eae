// Log device: draws with log points, and knows which draw their lines belong to.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_device.hpp"

#include "gpu/create_device.hpp"

#include <algorithm>

namespace valkyr::debug {

Result<std::unique_ptr<raster::Device>> LogDevice::create(LogPoints& points,
                                                          raster::DeviceOptions options) {
    auto tap = std::make_shared<LogTap>(points);
    options.threads = 1;
    options.draw_budget_ms = 0;  // the interpreter takes much longer
    options.kernel_tap = tap.get();
    VALKYR_TRY(inside, gpu::create_device(options));
    return std::unique_ptr<raster::Device>(
        std::make_unique<LogDevice>(tap, std::move(inside), points));
}

Result<raster::ShaderRef> LogDevice::create_shader(std::string_view tgsi_text, std::string name) {
    VALKYR_TRY(shader, inner().create_shader(tgsi_text, name));
    texts_.add(shader, std::move(name), tgsi_text);
    return shader;
}

Result<raster::PipelineRef> LogDevice::create_pipeline(const raster::PipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_pipeline(desc));
    texts_.add(pipeline, desc);
    return pipeline;
}

Result<raster::ComputePipelineRef>
LogDevice::create_compute_pipeline(const raster::ComputePipelineDesc& desc) {
    VALKYR_TRY(pipeline, inner().create_compute_pipeline(desc));
    compute_[pipeline] = desc.shader;
    return pipeline;
}

template <typename Describe, typename Command>
Result<void> LogDevice::counted(bool is_draw, Describe&& describe, Command&& command) {
    if (points_.paused)
        return command();
    TappedWork tapped;
    tapped.work = {is_draw, points_.work.start(is_draw), points_.work.frame()};
    const bool is_wanted = std::ranges::any_of(points_.specs(), [&](const LogSpec& spec) {
        return spec.allows_work(is_draw, tapped.work.number, tapped.work.frame);
    });
    if (!is_wanted)
        return command();
    VALKYR_TRY_VOID(inner().finish());
    describe(tapped);
    tap_->begin_work(std::move(tapped));
    Result<void> done = command();
    const Result<void> finished = inner().finish();
    tap_->end_work();
    points_.end_work();
    return done.has_value() ? finished : done;
}

void LogDevice::describe(TappedWork& work,
                         const raster::DrawState& state,
                         uint32_t patch_vertices) const {
    work.texts = texts_.of(state.pipeline);
    work.draw = &state;
    work.patch_vertices = patch_vertices;
}

void LogDevice::describe(TappedWork& work, const raster::DispatchState& state) const {
    const auto found = compute_.find(state.pipeline);
    if (found != compute_.end())
        work.compute = texts_.of(found->second);
    work.dispatch = &state;
}

Result<void> LogDevice::draw(const raster::DrawState& state, const raster::DrawInfo& info) {
    return counted(
        true, [&](TappedWork& work) { describe(work, state, info.patch_vertices); },
        [&] { return inner().draw(state, info); });
}

Result<void> LogDevice::draw_indirect(const raster::DrawState& state,
                                      const raster::IndirectInfo& info) {
    return counted(
        true, [&](TappedWork& work) { describe(work, state, info.patch_vertices); },
        [&] { return inner().draw_indirect(state, info); });
}

Result<void> LogDevice::dispatch(const raster::DispatchState& state,
                                 const std::array<uint32_t, 3>& groups) {
    return counted(
        false, [&](TappedWork& work) { describe(work, state); },
        [&] { return inner().dispatch(state, groups); });
}

Result<void> LogDevice::dispatch_indirect(const raster::DispatchState& state,
                                          const raster::BufferRef& buffer,
                                          uint64_t offset) {
    return counted(
        false, [&](TappedWork& work) { describe(work, state); },
        [&] { return inner().dispatch_indirect(state, buffer, offset); });
}

}  // namespace valkyr::debug
