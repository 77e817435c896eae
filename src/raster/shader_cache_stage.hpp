// Compiled stages: a program with its uniforms, and its kernels by state key.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "jit/recompiler.hpp"
#include "raster/lru_cache.hpp"
#include "raster/pipeline.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace valkyr::raster {

/// Makes kernels with the device's engine.
class KernelMaker {
public:
    /// recompiler  null: the interpreter runs everything
    KernelMaker(std::unique_ptr<jit::Recompiler> recompiler, const DeviceOptions& options)
        : recompiler_(std::move(recompiler))
        , tap_(options.kernel_tap)
        , strict_nan_(options.strict_nan) {}

    /// The interpreter gives the same bits where code cannot be made: an instruction that only it
    /// knows, or no executable memory.
    Result<KernelRef> make(const valhall::Program& program, jit::KernelKey key);

private:
    Result<KernelRef> make_untapped(const valhall::Program& program, const jit::KernelKey& key);

    std::unique_ptr<jit::Recompiler> recompiler_;
    KernelTap* tap_ = nullptr;
    bool strict_nan_ = false;
};

/// Kernels of all programs, least recently used first to go.
struct KernelStore {
    /// Kernels that are kept when no pipeline holds them any more.
    static constexpr size_t kMaxKernels = 4096;

    KernelStore(std::unique_ptr<jit::Recompiler> recompiler, const DeviceOptions& options)
        : maker(std::move(recompiler), options) {}

    KernelMaker maker;
    LruCache<std::string, KernelRef> kernels{kMaxKernels};
    uint64_t next_program = 0;
    uint64_t made = 0;
    uint64_t hits = 0;
};

/// Compiles the same shader with colour 0 going to so many render targets.
using Broadcast = std::function<Result<valhall::Program>(uint8_t color_targets)>;

/// A stage that makes its kernels when they are asked for.
/// program  writes colour 0 to one target
Result<StageRef> make_compiled_stage(const std::shared_ptr<KernelStore>& store,
                                     valhall::Program program,
                                     Broadcast broadcast);

}  // namespace valkyr::raster
