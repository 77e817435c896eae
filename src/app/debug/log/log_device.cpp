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

Result<void> LogDevice::work(const Work& work, const DoWork& do_work) {
    if (points_.paused)
        return do_work();
    const bool is_draw = work.draw != nullptr;
    TappedWork tapped;
    tapped.work = {is_draw, points_.work.start(is_draw), points_.work.frame()};
    const bool is_wanted = std::ranges::any_of(points_.specs(), [&](const LogSpec& spec) {
        return spec.allows_work(is_draw, tapped.work.number, tapped.work.frame);
    });
    if (!is_wanted)
        return do_work();
    VALKYR_TRY_VOID(inner().finish());
    describe(tapped, work);
    tap_->begin_work(std::move(tapped));
    Result<void> done = do_work();
    const Result<void> finished = inner().finish();
    tap_->end_work();
    points_.end_work();
    return done.has_value() ? finished : done;
}

void LogDevice::describe(TappedWork& tapped, const Work& work) const {
    tapped.draw = work.draw;
    tapped.dispatch = work.dispatch;
    tapped.patch_vertices = work.patch_vertices;
    if (work.draw != nullptr) {
        tapped.texts = texts_.of(work.draw->pipeline);
        return;
    }
    const auto found = compute_.find(work.dispatch->pipeline);
    if (found != compute_.end())
        tapped.compute = texts_.of(found->second);
}

}  // namespace valkyr::debug
