// Contents: saves in a trace what draws and transfers have made of a context, and restores it.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capture/trace.hpp"
#include "virgl/commands/context.hpp"

namespace valkyr::virgl {

/// Writes chunks of the host storage of all resources, positions and results.
/// errors  those of the device
Result<void> save_context(Context& context, uint32_t client, TraceWriter& writer);

/// Executes a Contents, Stream or Query chunk. The objects and resources are there already.
/// errors  BadEncoding: no such resource or object, or bytes outside of it; those of the device
Result<void> restore_chunk(Context& context, const TraceChunk& chunk);

}  // namespace valkyr::virgl
