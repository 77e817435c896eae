// Recent draws: remember what the draws of a pass were made of, for the draws behind them.
// SPDX-License-Identifier: MIT
//
// A pipeline remembers its last draw of the pass, and the pass the tables of each stage. Each of
// them has the versions of the state that it was made from (state_groups.hpp), and only what has
// other versions now is made anew. All of it lies in the pass's arena and ends with the pass, which
// keeps alive what it points to.
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"
#include "raster/state_groups.hpp"

#include <cstdint>
#include <span>

namespace valkyr::raster {

/// Buffers of one stage whose addresses and sizes its uniforms hold.
struct StageBuffers {
    std::span<const exec::BufferDescriptor> storage;
    std::span<const exec::BufferDescriptor> counters;
};

/// Resources of one stage; the tables are without attributes.
struct BoundTables {
    uint32_t units_version = 0;  ///< 0: none
    uint32_t constants_version = 0;
    exec::ResourceTables tables;
    StageBuffers buffers;
};

/// The last draw of a pipeline.
struct RecentDraw {
    uint64_t pass = 0;  ///< number of the pass; 0: none
    StateVersions versions;
    const DrawRecord* draw = nullptr;
    DrawInfo info;
    bool indexed = false;
    bool counts_samples = false;  ///< BuildContext::count_samples
};

}  // namespace valkyr::raster
