// Attribution: gives each sample to a host instruction, word and line, or to a function.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/profile.hpp"
#include "raster/state.hpp"

#include <map>
#include <string>

namespace valkyr::profile {

/// The results of a measurement.
struct Collected {
    const KernelTable& table;
    const SampleTimer& timer;
    const TimeTap& times;
    const CountTap& counts;
    const std::map<std::string, std::string>& texts;  ///< of shaders, by name
    const raster::DeviceOptions& device;              ///< that made the kernels
};

/// Fills in the sampled times, kernels and functions of a profile whose frames are known.
/// errors  those of jit::Recompiler
Result<void> attribute(const Collected& collected, Profile& profile);

}  // namespace valkyr::profile
