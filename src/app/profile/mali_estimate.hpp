// Mali estimate: cycles that a shader core of a Mali would issue for the counted words.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/profile.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace valkyr::profile {

/// Pipes of a Valhall shader core (Arm, "The Valhall shader core").
enum class Pipe : uint8_t { Fma, Cvt, Sfu, Varying, LoadStore, Texture };
inline constexpr size_t kPipes = 6;
std::string_view pipe_name(Pipe pipe);

/// The work of one shader core in a cycle (docs/guide/profile.md).
struct MaliCore {
    std::string_view name;   ///< "g57"
    std::string_view title;  ///< "Mali-G57"
    unsigned engines;        ///< that execute arithmetic, each with the three pipes
    unsigned sfu_lanes;      ///< of an engine; the other two pipes have a warp's 16
    unsigned varying_words;  ///< 32-bit words that it interpolates for a whole warp
    unsigned texels;         ///< bilinear results
};
/// Cores by name.
std::span<const MaliCore> mali_cores();
std::optional<MaliCore> find_mali_core(std::string_view name);

/// Cycles of each pipe. Pipes work side by side: the fullest one bounds the time from below.
struct PipeCycles {
    std::array<double, kPipes> cycles{};
    [[nodiscard]] double& at(Pipe pipe) { return cycles[static_cast<size_t>(pipe)]; }
    [[nodiscard]] double at(Pipe pipe) const { return cycles[static_cast<size_t>(pipe)]; }
    void add(const PipeCycles& other);
    [[nodiscard]] Pipe fullest() const;
};

/// Cycles of a frame's executions of a word (valhall.xml, attribute unit). Caches, latency, filters
/// other than bilinear, and the fixed functions around shaders are not modelled.
PipeCycles word_cycles(uint64_t word, const WordCount& count, const MaliCore& core);
PipeCycles kernel_cycles(const KernelCost& kernel, const MaliCore& core);

}  // namespace valkyr::profile
