// Hash works: list all that can be drawn and hashed.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::hashes {

using DeviceMaker = std::function<Result<std::unique_ptr<raster::Device>>()>;

/// One row of the list: "demo/terrain".
struct Work {
    std::string name;
    /// Draws and hashes all bits of the result.
    /// errors  those of the device and of files
    std::function<Result<uint64_t>(const DeviceMaker&)> hash;
};

/// Where works come from.
struct WorkSources {
    std::string root;                 ///< folder of conformance scenes; may not exist
    std::vector<std::string> traces;  ///< recorded programs
    /// A work's name, or the part in front of its first '/', with * and ?; empty: all.
    std::vector<std::string> filters;
};

/// Conformance scenes ("scene/TOPIC/NAME"), demos, benchmark scenes ("bench/NAME") and recorded
/// programs ("trace/FILE", all frames), sorted by name.
/// errors  System: a folder or a trace cannot be read; BadEncoding: of a trace
Result<std::vector<Work>> find_works(const WorkSources& sources);

}  // namespace valkyr::hashes
