// Benchmark target: owns a scene, its device and targets, and times its frames.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::bench {

struct TargetOptions {
    raster::DeviceOptions device;
    uint32_t size = 1024;  ///< pixels a side
    bool linear = false;   ///< colour and depth are copied to linear rows in every frame
};

/// Owns a device, an RGBA8 and a D24S8 target, and a scene.
class BenchTarget {
public:
    /// errors  those of the device and the scene
    static Result<std::unique_ptr<BenchTarget>> create(const BenchSceneInfo& scene,
                                                       const TargetOptions& options);

    /// Draws a frame and leaves every texel of both targets in memory: pending clears are written,
    /// multisampled colour is resolved.
    Result<void> render(uint32_t number);
    /// The two halves of render(): recording, and the rest.
    Result<void> record(uint32_t number);
    Result<void> finish();
    /// The scene's picture: the colour target, rows from its row 0 (the bottom of the picture),
    /// RGBA8.
    Result<std::vector<uint8_t>> image();

    [[nodiscard]] raster::Device& device() { return *device_; }

private:
    TargetOptions options_;
    uint32_t samples_ = 1;
    std::unique_ptr<raster::Device> device_;
    raster::Framebuffer framebuffer_;
    std::unique_ptr<BenchScene> scene_;
    std::vector<std::byte> rows_[2];
};

/// Times of some frames.
struct FrameTimes {
    std::vector<double> wall_ms;  ///< of each frame
    double cpu_ms = 0;            ///< processor time of the process, all threads, all frames
};

/// How long a measurement lasts: until `milliseconds` have passed, at least three frames and at
/// most `frames`.
struct Duration {
    double milliseconds = 700;
    uint32_t frames = 400;
    uint32_t warm = 2;  ///< warm-up frames, not counted
};
Result<FrameTimes> measure(BenchTarget& target, const Duration& duration);

/// FNV-1a over bytes: equal hashes mean equal pictures.
uint32_t picture_hash(const std::vector<uint8_t>& bytes);

}  // namespace valkyr::bench
