// Profile: what a frame costs, by kernel, line of text, Valhall word and host instruction.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_listing.hpp"
#include "app/profile/kernel_table.hpp"
#include "app/profile/taps.hpp"
#include "jit/recompiler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::profile {

/// Seconds of a frame.
struct Seconds {
    double own = 0;       ///< in host code of the kernel
    double routines = 0;  ///< in message routines that it calls
    [[nodiscard]] double all() const { return own + routines; }
    void add(const Seconds& other) {
        own += other.own;
        routines += other.routines;
    }
};

/// A host instruction of a kernel.
struct HostCost {
    jit::HostLine line;
    Seconds seconds;
};

/// A Valhall word of a kernel.
struct WordCost {
    WordCount count;  ///< in a frame
    Seconds seconds;
};

/// A kernel that ran in the frame.
struct KernelCost {
    KernelSource source;
    std::string text;   ///< of the shader; empty if the renderer made it
    std::string stage;  ///< "fragment", "uniform prologue"
    debug::GlslListing glsl;
    std::vector<HostCost> host;
    std::vector<WordCost> words;
    Seconds seconds;
    /// Executions of the word that ran most often.
    [[nodiscard]] uint64_t warps() const;
    /// Costs of a line of the text, from 1: its words' time; executions of the word with the most.
    [[nodiscard]] WordCost line(uint32_t number) const;
    /// Costs of a line of the GLSL: of all lines of the text that come from it.
    [[nodiscard]] WordCost glsl_line(uint32_t number) const;
};

/// A function outside of kernels.
struct FunctionCost {
    std::string name;
    double seconds = 0;  ///< of a frame
};

/// Time between two finished draws.
struct DrawCost {
    std::string what;    ///< "triangles of 36"
    double seconds = 0;  ///< median of the frames
};

struct Profile {
    std::string what;     ///< "demo:cube"; "gears.trace, frame 2"
    double seconds = 0;   ///< of a frame, by the clock: the mean
    double sampled = 0;   ///< of a frame, by the samples
    uint64_t frames = 0;  ///< that were timed
    uint64_t samples = 0;
    double period = 0;                    ///< seconds from one sample to the next
    std::vector<KernelCost> kernels;      ///< that took longest first
    std::vector<FunctionCost> functions;  ///< that took longest first
    std::vector<DrawCost> draws;          ///< if asked for: all of the frame, in order
};

}  // namespace valkyr::profile
