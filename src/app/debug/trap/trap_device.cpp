// Trap device: draws with a trap set, and knows which draw each finding belongs to.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_device.hpp"

#include "gpu/create_device.hpp"

namespace valkyr::debug {

Result<std::unique_ptr<raster::Device>> TrapDevice::create(TrapLog& log,
                                                           raster::DeviceOptions options) {
    auto tap = std::make_shared<TrapTap>(log);
    options.threads = 1;
    options.engine = raster::Engine::Valhall;
    options.host = raster::Host::Auto;
    options.draw_budget_ms = 0;  // the interpreter takes much longer
    options.kernel_tap = tap.get();
    VALKYR_TRY(inside, gpu::create_device(options));
    return std::unique_ptr<raster::Device>(
        std::make_unique<TrapDevice>(tap, std::move(inside), log));
}

Result<raster::ShaderRef> TrapDevice::create_shader(std::string_view tgsi_text, std::string name) {
    return inner().create_shader(tgsi_text, tap_->add_text(name, tgsi_text));
}

Result<void> TrapDevice::work(const Work& work, const DoWork& do_work) {
    const bool is_draw = work.draw != nullptr;
    VALKYR_TRY_VOID(inner().finish());
    tap_->set_work(is_draw, log_.start_work(is_draw));
    VALKYR_TRY_VOID(do_work());
    return inner().finish();
}

}  // namespace valkyr::debug
