// Front worker: holds the state that sources and emitters of one worker share.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/shade_vertices.hpp"
#include "raster/front/clip.hpp"
#include "raster/front/front_output.hpp"
#include "raster/front/front_shapes.hpp"
#include "raster/support/memory.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Output and scratch memory that sources and emitters share.
struct FrontWorker {
    FrontWorker(const HostLoops& ops, uint32_t number, uint64_t* message_calls)
        : kernels{0, number, message_calls} {
        output.ops = &ops;
    }
    FrontWorker(const FrontWorker&) = delete;
    FrontWorker& operator=(const FrontWorker&) = delete;

    KernelWorker kernels;
    FrontOutput output;
    ShapeEmitter shapes{output};
    Clipper clipper;
    uint32_t tiles_per_layer = 0;
    Arena scratch{size_t{2} << 20};  ///< records of which only varyings are kept
    std::array<uint32_t, kChunkVertices + 2 * exec::kLanes> codes{};  ///< of a chunk's vertices
    std::array<Survivor, kChunkPrimitives> survivors;                 ///< of one emitter call
};

}  // namespace valkyr::raster
