// Host check: tests the features of processor and kernel that the server needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/finding.hpp"

namespace valkyr::app {

/// Rows of the host level, executable memory, threads and the sandbox.
Findings host_findings();

}  // namespace valkyr::app
