// Work device: hands all draws and dispatches of a device to one function.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/forwarding_device.hpp"

#include <functional>

namespace valkyr::app {

/// Base of devices that do something before and after the work of shaders.
class WorkDevice : public ForwardingDevice {
public:
    using ForwardingDevice::ForwardingDevice;

    Result<void> draw(const raster::DrawState& state, const raster::DrawInfo& info) final {
        return work({&state, nullptr, &info, info.patch_vertices},
                    [&] { return inner().draw(state, info); });
    }
    Result<void> draw_indirect(const raster::DrawState& state,
                               const raster::IndirectInfo& info) final {
        return work({&state, nullptr, nullptr, info.patch_vertices},
                    [&] { return inner().draw_indirect(state, info); });
    }
    Result<void> dispatch(const raster::DispatchState& state,
                          const std::array<uint32_t, 3>& groups) final {
        return work({nullptr, &state}, [&] { return inner().dispatch(state, groups); });
    }
    Result<void> dispatch_indirect(const raster::DispatchState& state,
                                   const raster::BufferRef& buffer,
                                   uint64_t offset) final {
        return work({nullptr, &state},
                    [&] { return inner().dispatch_indirect(state, buffer, offset); });
    }

protected:
    /// A draw or a dispatch.
    struct Work {
        const raster::DrawState* draw = nullptr;          ///< null: it is a dispatch
        const raster::DispatchState* dispatch = nullptr;  ///< null: it is a draw
        const raster::DrawInfo* info = nullptr;           ///< null: a buffer has the sizes
        uint32_t patch_vertices = 0;                      ///< of a draw
    };
    /// Does the work on the inner device.
    using DoWork = std::function<Result<void>()>;
    /// Called for each draw and dispatch.
    virtual Result<void> work(const Work& work, const DoWork& do_work) = 0;
};

}  // namespace valkyr::app
