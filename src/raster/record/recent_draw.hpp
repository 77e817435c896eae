// Recent draws: remember the versions of state that a pass's draws were made from.
// SPDX-License-Identifier: MIT
//
// A pipeline remembers its last draw of the pass, and the pass remembers the tables of each stage.
// Each has the versions of the state that it was made from (state_groups.hpp); only parts whose
// versions differ are made anew. The data lies in the pass's arena and ends with the pass, which
// keeps alive the objects that it points to.
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"
#include "raster/state_groups.hpp"

#include <cstdint>
#include <span>

namespace valkyr::raster {

/// Buffers of one stage; its uniforms hold their addresses and sizes.
struct StageBuffers {
    std::span<const exec::BufferDescriptor> storage;
    std::span<const exec::BufferDescriptor> counters;
};

/// Resource tables of one stage, without attributes.
struct BoundTables {
    uint32_t units_version = 0;      ///< 0: none
    uint32_t constants_version = 0;  ///< of the last program that read the table of constants
    exec::ResourceTables tables;
    StageBuffers buffers;
};

/// The last draw of a pipeline.
struct RecentDraw {
    uint64_t pass = 0;     ///< number of the pass; 0: none
    uint32_t version = 0;  ///< StateVersions::now() of the draw
    const DrawRecord* draw = nullptr;
    DrawInfo info;
    bool indexed = false;
    bool counts_samples = false;  ///< BuildContext::count_samples
};

}  // namespace valkyr::raster
