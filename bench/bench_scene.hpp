// Benchmark scene: declares the interface of a scene and the list of them.
// SPDX-License-Identifier: MIT
//
// A set of OpenGL programs draws equal scenes (meshes, textures, shaders, state), so that the times
// of both can be compared. Row 0 of the target is the bottom of the picture.
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace valkyr::bench {

/// A scene: made once on a device for a square target, then drawn frame by frame.
class BenchScene {
public:
    virtual ~BenchScene() = default;
    /// Clears and draws, without waiting for the end.
    virtual Result<void> frame(const raster::Framebuffer& target, uint32_t number) = 0;
    /// Makes the picture of a scene whose frames leave their result elsewhere or go on from the
    /// frame before: the result of one frame from the start. Is not timed.
    virtual Result<void> show(const raster::Framebuffer& /*target*/) { return {}; }
};

struct BenchSceneInfo {
    std::string_view name;
    std::string_view title;
    /// The speed of a hand-written prototype relative to llvmpipe, with one and with two threads:
    /// the yardstick of docs/results/benchmarks.md. 0: there is none.
    double limit[2];
    uint32_t samples;  ///< of the target
    Result<std::unique_ptr<BenchScene>> (*create)(raster::Device& device, uint32_t size);
};

/// All scenes.
std::span<const BenchSceneInfo> bench_scenes();
/// The scene of that name, or null.
const BenchSceneInfo* find_bench_scene(std::string_view name);

}  // namespace valkyr::bench
