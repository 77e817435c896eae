// Device implementation: makes compute pipelines and runs dispatches.
// SPDX-License-Identifier: MIT
#include "base/caught_error.hpp"
#include "raster/device/device_impl.hpp"
#include "raster/device/validate.hpp"
#include "raster/record/dispatch_builder.hpp"
#include "raster/record/hazards.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace valkyr::raster {

Result<ComputePipelineRef>
DeviceImpl::create_compute_pipeline(const ComputePipelineDesc& desc) try {
    if (desc.shared_bytes > exec::kMaxSharedBytes)
        return Error{Errc::OutOfRange,
                     {},
                     "compute pipeline: " + std::to_string(desc.shared_bytes) +
                         " bytes of shared memory, at most " +
                         std::to_string(exec::kMaxSharedBytes)};
    const exec::FloatEnvironment environment;  // the compiler folds constants in floats
    VALKYR_TRY(program, shaders_->link(this, desc));
    VALKYR_TRY_VOID(renderer_->reserve_groups(*program));
    return ComputePipelineRef(std::make_shared<ComputePipelineImpl>(this, std::move(program)));
} catch (...) {
    return caught_error();
}

namespace {

Result<void> validate_groups(const std::array<uint32_t, 3>& groups) {
    if (std::ranges::all_of(groups, [](uint32_t size) { return size <= kMaxGroups; }))
        return {};
    return Error{Errc::OutOfRange,
                 {},
                 "dispatch: " + std::to_string(groups[0]) + "x" + std::to_string(groups[1]) + "x" +
                     std::to_string(groups[2]) + " work-groups, at most " +
                     std::to_string(kMaxGroups) + " in each dimension"};
}

}  // namespace

Result<void> DeviceImpl::dispatch(const DispatchState& state,
                                  const std::array<uint32_t, 3>& groups) try {
    const ComputePipelineImpl* pipeline = own_pipeline(state.pipeline, this);
    if (pipeline == nullptr)
        return Error{Errc::InvalidState, {}, "dispatch: no pipeline, or one of another device"};
    if (cancelled())
        return {};
    VALKYR_TRY_VOID(validate_groups(groups));
    VALKYR_TRY_VOID(validate_constants(state.resources.constants, "dispatch"));
    VALKYR_TRY_VOID(validate_units(state.resources, "dispatch"));
    if (std::ranges::find(groups, 0U) != groups.end())
        return {};
    if (!pass_.draws.empty() && must_wait(state.resources, *pipeline, pass_))
        flush();
    return run_dispatch(*pipeline, state.resources, groups);
} catch (...) {
    return caught_error();
}

/// Runs a checked dispatch, and waits for it.
Result<void> DeviceImpl::run_dispatch(const ComputePipelineImpl& pipeline,
                                      const StageResources& resources,
                                      const std::array<uint32_t, 3>& groups) {
    const exec::FloatEnvironment environment;  // uniform prologues run here
    dispatch_arena_.reset();
    VALKYR_TRY(record, build_dispatch({this, renderer_->tls(), &watch}, pipeline, resources, groups,
                                      dispatch_arena_));
    const Timed timed(*this);
    mark_written(resources, pipeline);
    VALKYR_TRY_VOID(renderer_->dispatch(record));
    incomplete_ |= watch.runaway.exchange(0) != 0;
    ++dispatches_;
    return {};
}

}  // namespace valkyr::raster
