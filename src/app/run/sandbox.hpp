// Sandbox: gives up the system calls that a server of unknown clients does not need.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

namespace valkyr::app {

/// Rights that the server keeps in the sandbox.
struct SandboxNeeds {
    bool open_files = false;  ///< --record, --screenshot, --dump-shaders and --perf write files
};

/// Restricts the calling thread and all threads that it starts: no programs, no files that are not
/// open yet, no sockets but accepted ones, no memory that is both writable and executable, no new
/// privileges. A refused call fails with EPERM. The restriction is irrevocable. Builds with
/// sanitizers are not restricted, since their run time needs more calls.
/// errors  System: the kernel refuses
Result<void> enter_sandbox(const SandboxNeeds& needs);

}  // namespace valkyr::app
