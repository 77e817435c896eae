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

template <typename Command>
Result<void> TrapDevice::alone(bool is_draw, Command&& command) {
    VALKYR_TRY_VOID(inner().finish());
    tap_->set_work(is_draw, log_.start_work(is_draw));
    VALKYR_TRY_VOID(command());
    return inner().finish();
}

Result<raster::ShaderRef> TrapDevice::create_shader(std::string_view tgsi_text, std::string name) {
    return inner().create_shader(tgsi_text, tap_->add_text(name, tgsi_text));
}

Result<void> TrapDevice::draw(const raster::DrawState& state, const raster::DrawInfo& info) {
    return alone(true, [&] { return inner().draw(state, info); });
}

Result<void> TrapDevice::draw_indirect(const raster::DrawState& state,
                                       const raster::IndirectInfo& info) {
    return alone(true, [&] { return inner().draw_indirect(state, info); });
}

Result<void> TrapDevice::dispatch(const raster::DispatchState& state,
                                  const std::array<uint32_t, 3>& groups) {
    return alone(false, [&] { return inner().dispatch(state, groups); });
}

Result<void> TrapDevice::dispatch_indirect(const raster::DispatchState& state,
                                           const raster::BufferRef& buffer,
                                           uint64_t offset) {
    return alone(false, [&] { return inner().dispatch_indirect(state, buffer, offset); });
}

}  // namespace valkyr::debug
