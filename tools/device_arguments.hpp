// The options that every command with a raster::Device has: threads, engine, host level, profiling.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <CLI/CLI.hpp>

namespace valkyr::tools {

/// Adds --threads, --engine, --host, --strict-nan and --perf; `options` must outlive the parsing.
void add_device_arguments(CLI::App& command, raster::DeviceOptions& options);

}  // namespace valkyr::tools
