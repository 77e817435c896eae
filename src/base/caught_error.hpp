// Caught error: turns an exception of the standard library into an error value.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"

namespace valkyr {

/// The error that the exception being handled stands for. Call it in `catch (...)`, at the
/// boundaries that docs/architecture.md "Errors" names. It takes no memory where there is none.
/// returns  OutOfMemory: std::bad_alloc, or std::length_error (more than can be addressed);
///          System: std::system_error, such as a thread that cannot be started
/// Any other exception is a broken invariant: prints it and aborts.
VALKYR_API Error caught_error() noexcept;

}  // namespace valkyr
