// Compute: runs the work-groups of a dispatch one after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <array>
#include <cstdint>

namespace valkyr::reference {

class ReferenceComputePipeline final : public raster::ComputePipeline {
public:
    explicit ReferenceComputePipeline(raster::ComputePipelineDesc description)
        : desc(std::move(description)) {}
    raster::ComputePipelineDesc desc;  ///< with a ReferenceShader
};

/// errors  InvalidState: a resource of another device; those of the interpreter
Result<void> execute_dispatch(const raster::DispatchState& state,
                              const std::array<uint32_t, 3>& groups);

}  // namespace valkyr::reference
