// Device arguments: reads the options of commands that make a device (threads, engine, host).
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "raster/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

/// Adds --threads, --engine, --host, --tune, --strict-nan and --perf; `options` must outlive the
/// parsing.
void add_device_arguments(Command command, raster::DeviceOptions& options);

/// The words for engines and for host levels.
std::vector<std::string> engine_names();
std::vector<std::string> host_names();
std::optional<raster::Engine> engine_from_name(const std::string& name);
std::optional<raster::Host> host_from_name(const std::string& name);

}  // namespace valkyr::app
