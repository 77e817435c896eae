// Kernel plan: holds the decisions about a kernel, made before its code is emitted.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"
#include "jit/registers/homes.hpp"

namespace valkyr::jit {

/// Pixel positions in the frame that the expansions of a fragment program read.
struct PositionNeeds {
    bool centre = false;
    bool corner = false;
    bool reciprocal_q = false;
    /// Only early tests need centres, and compute them themselves.
    bool computed_centre = false;
    [[nodiscard]] bool any() const { return centre || corner || computed_centre; }
};

/// The part of a plan that only fragment kernels have.
struct FragmentPlan {
    unsigned samples = 1;
    PositionNeeds needs;
    bool early = false;           ///< depth and stencil are tested before shading
    bool inline_tests = false;    ///< depth and stencil are tested by host code, early or late
    bool inline_early = false;    ///< early, by host code
    bool plain_coverage = false;  ///< one sample, one invocation a pixel
    /// Every pixel block stores its window position in the frame's warp. Otherwise each call of a
    /// routine computes it.
    bool locates_warp = false;
    /// The second loop, which takes calls with several primitives.
    exec::Batching batching = exec::Batching::None;
};

/// Made by plan_kernel(), and constant from then on.
struct KernelPlan : KernelSource {
    explicit KernelPlan(const KernelSource& source)
        : KernelSource(source) {}

    RegSet entry_live;          ///< read before written: preloaded registers, or zero
    Homes homes;                ///< where values lie between basic blocks
    unsigned parts = 1;         ///< host registers a value
    unsigned rounds = 1;        ///< times the body runs for a warp
    unsigned pixel_blocks = 1;  ///< pixel blocks that are shaded in step (block_pairs.hpp)
    unsigned invariants = 0;    ///< host registers that keep values over the loop of a call
    unsigned strip_rows = 0;    ///< host registers that hold an image strip (image_strips.hpp)
    bool strict_nan = false;    ///< a NaN result of a float operation becomes the quiet NaN
    FragmentPlan fragment;

    /// Whether Gp::Running can lack lanes.
    [[nodiscard]] bool lanes_can_be_inactive() const {
        return program.starts_partial || program.needs_running_mask();
    }
};

}  // namespace valkyr::jit
