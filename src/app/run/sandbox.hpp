// Sandbox: gives up the system calls that a server of strangers does not need.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

namespace valkyr::app {

/// Rights that the server keeps in the sandbox.
struct SandboxNeeds {
    bool open_files = false;  ///< --record, --screenshot, --dump-shaders and --perf write files
};

/// Restricts the calling thread and all that it starts: no programs, no files that are not open, no
/// sockets but those that it accepts, no memory that is writable and executable at once, no new
/// privileges. A refused call fails with EPERM. Irrevocable. Builds with sanitizers, whose run time
/// needs more, stay as they are.
/// errors  System: the kernel refuses
Result<void> enter_sandbox(const SandboxNeeds& needs);

}  // namespace valkyr::app
