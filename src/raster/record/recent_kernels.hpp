// Recent kernels: remember the keys and kernels of a pass's last draw for the next one.
// SPDX-License-Identifier: MIT
//
// Draws that follow each other mostly have the same pipeline and textures of the same formats. Keys
// lie in the pass's arena; the pass keeps pipelines and kernels alive.
#pragma once

#include "exec/abi.hpp"
#include "raster/record/pipeline.hpp"

#include <array>

namespace valkyr::raster {

struct RecentVertexKernel {
    const PipelineImpl* pipeline = nullptr;  ///< null: none
    const exec::VertexKey* key = nullptr;
    exec::Kernel kernel;
};

struct RecentFragmentKernels {
    const PipelineImpl* pipeline = nullptr;  ///< null: none
    bool counts_samples = false;             ///< of the BuildContext
    bool counts_killed = false;              ///< of the draw
    /// As DrawRecord has them: with q that varies and with a constant q.
    std::array<const exec::FragmentKey*, 2> key{};
    std::array<exec::Kernel, 2> kernel;
};

struct RecentKernels {
    RecentVertexKernel vertex;
    RecentVertexKernel geometry;
    RecentFragmentKernels fragment;
};

}  // namespace valkyr::raster
