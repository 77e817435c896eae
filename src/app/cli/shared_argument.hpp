// Shared argument: reads --shared, the size of the memory that a work-group shares.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"

namespace valkyr::app {

/// Adds the option. `bytes` is the largest size when this is called, and stays so without the
/// option; it must outlive the parsing.
void add_shared_argument(Command command, uint32_t& bytes);

}  // namespace valkyr::app
