// Folder check: tries the folder that `run` makes, and the library that it preloads from there.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/finding.hpp"

namespace valkyr::app {

/// Rows of the temporary folder of `run` and of the library in it.
Findings folder_findings();

}  // namespace valkyr::app
