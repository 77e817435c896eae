// Compiled stage: holds a program, its uniforms, and its kernels by state key.
// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/shader_cache_kernels.hpp"
#include "raster/record/pipeline.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace valkyr::gpu {

/// The kernels of a device: those of a cache, with the device's own figures. For one thread.
class KernelStore {
public:
    KernelStore(std::shared_ptr<KernelCache> cache, KernelTap* tap)
        : cache_(std::move(cache))
        , tap_(tap) {}

    [[nodiscard]] KernelCache& cache() noexcept { return *cache_; }
    [[nodiscard]] bool is_tapped() const noexcept { return tap_ != nullptr; }

    /// Makes a kernel that the cache does not have.
    Result<KernelRef>
    make(const valhall::Program& program, const jit::KernelKey& key, Cancellation cancellation);
    /// Takes a kernel that was made along with its program.
    KernelRef made_before(const valhall::Program& program, const MadeKernel& made);
    void count_hit() noexcept { ++hits_; }
    void count_made() noexcept { ++made_; }
    /// Adds the figures since the last call.
    void take_statistics(Statistics& statistics);

private:
    void note_refusal(const std::string& reason);
    KernelRef tapped(const valhall::Program& program, const jit::KernelKey& key, KernelRef kernel);

    std::shared_ptr<KernelCache> cache_;
    KernelTap* tap_ = nullptr;
    uint64_t made_ = 0;
    uint64_t hits_ = 0;
    uint64_t interpreted_ = 0;
    std::string reason_;
};

/// A stage that makes its kernels when they are asked for. is_new: this device compiled it. The
/// device `owner` must be alive when a kernel is asked for; if it is cancelled, no kernel is made.
StageRef make_compiled_stage(const std::shared_ptr<KernelStore>& store,
                             ProgramRef program,
                             bool is_new,
                             const DeviceTag* owner);

}  // namespace valkyr::gpu
