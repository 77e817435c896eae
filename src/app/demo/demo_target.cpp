// Demo target: owns a scene, its device and its framebuffer.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_target.hpp"

#include "app/debug/log/log_device.hpp"
#include "app/debug/trap/trap_device.hpp"
#include "gpu/create_device.hpp"

#include <utility>

namespace valkyr::app {

namespace {

double milliseconds_since(uint64_t begin_ns) {
    return static_cast<double>(raster::timeline_clock_ns() - begin_ns) * 1e-6;
}

Result<std::unique_ptr<raster::Device>> create_device(const DrawMode& mode) {
    if (mode.trap != nullptr)
        return debug::TrapDevice::create(*mode.trap, mode.device);
    if (mode.log != nullptr)
        return debug::LogDevice::create(*mode.log, mode.device);
    return gpu::create_device(mode.device);
}

}  // namespace

Exhibit exhibit_of(const examples::SceneInfo& info) {
    return {std::string(info.name), std::string(info.title), info.create, info.samples, info.depth};
}

Result<std::unique_ptr<DemoTarget>> DemoTarget::create(const Exhibit& exhibit,
                                                       const DrawMode& mode) {
    auto target = std::make_unique<DemoTarget>();
    target->mode_ = mode;
    target->samples_ = mode.samples == 0 ? exhibit.samples : mode.samples;
    VALKYR_TRY(device, create_device(mode));
    target->device_ = std::make_unique<OverrideDevice>(std::move(device), mode.overrides);
    target->device_->on_picture = [self = target.get()] { return self->start_picture(); };
    if (mode.trap == nullptr && mode.log == nullptr)
        VALKYR_TRY_VOID(raster::record_timeline(target->device_->inner(), &target->timeline_));
    VALKYR_TRY(picture, examples::PictureTarget::create(*target->device_, mode.width, mode.height,
                                                        target->samples_, exhibit.depth));
    target->target_ = std::move(picture);
    VALKYR_TRY(scene, exhibit.create(*target->device_));
    target->scene_ = std::move(scene);
    return target;
}

/// Finishes the draws to other targets, so that only the picture's tiles are left in the timeline.
Result<void> DemoTarget::start_picture() {
    if (!mode_.tiles)
        return {};
    VALKYR_TRY_VOID(device_->finish());
    collect_times();
    return {};
}

void DemoTarget::collect_times() {
    figures_.front_ms += timeline_.total_ms(raster::kTimelineSegment);
    figures_.tiles_ms += timeline_.total_ms(raster::kTimelineTile);
    timeline_.reset(static_cast<unsigned>(timeline_.events().size()));
}

Result<void> DemoTarget::render(double seconds, const examples::View& view) {
    const uint64_t begin = raster::timeline_clock_ns();
    figures_ = {};
    scene_->look(view);
    VALKYR_TRY_VOID(device_->begin_picture(target_.framebuffer()));
    VALKYR_TRY_VOID(scene_->draw(target_.framebuffer(), mode_.width, mode_.height, seconds));
    figures_.record_ms = milliseconds_since(begin);
    VALKYR_TRY_VOID(target_.read(*device_, image_));
    if (mode_.overrides.overdraw)
        color_overdraw(image_);
    if (mode_.tiles)
        color_tiles(image_, timeline_);
    collect_times();
    figures_.statistics = device_->take_statistics();
    figures_.frame_ms = milliseconds_since(begin);
    return {};
}

}  // namespace valkyr::app
