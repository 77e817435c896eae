// Recent kernels: remember a pipeline's last kernels and their keys for its draws in other passes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/state_keys.hpp"
#include "raster/record/stage_program.hpp"
#include "raster/resource/targets.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace valkyr::raster {

/// The last kernel of a stage before the fragment stage. Its key depends on the pipeline and on the
/// units that the program uses.
struct VertexKernel {
    exec::VertexKey key;
    KernelRef kernel;
};

/// The state, besides units, that the keys of a pipeline's fragment kernels depend on.
struct FragmentKeyInputs {
    std::array<exec::Format, exec::kMaxRenderTargets> color{};
    exec::Format depth_stencil = exec::Format::None;
    uint32_t samples = 1;
    bool count_samples = false;  ///< BuildContext::count_samples
    bool count_killed = false;   ///< BuildContext::count_killed
    friend bool operator==(const FragmentKeyInputs&, const FragmentKeyInputs&) = default;
};

/// The last kernels of a fragment stage.
struct FragmentKernels {
    FragmentKeyInputs inputs;
    exec::FragmentKey key;
    /// The key of primitives whose three q are equal; unused if nothing is divided by q.
    exec::FragmentKey constant_w_key;
    bool has_constant_w = false;
    bool counts_killed = false;
    std::array<KernelRef, 2> kernels;  ///< the second is that of constant_w_key, or the first again
};

/// The last kernels of a pipeline's stages, by DrawStage. Passes keep the ones that their draws
/// use.
struct RecentKernels {
    std::array<std::shared_ptr<const VertexKernel>, kDrawStages> vertex;
    std::shared_ptr<const FragmentKernels> fragment;
};

}  // namespace valkyr::raster
