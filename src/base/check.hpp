// Checks: abort on broken invariants. A failed check is a bug in Valkyr, never bad input.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"

namespace valkyr {

/// Prints place and text to stderr and aborts. Only for broken invariants.
[[noreturn]] VALKYR_API void check_failed(const char* file, int line, const char* text) noexcept;

}  // namespace valkyr

/// Always on: aborts with place and expression if `cond` is false.
#define VALKYR_CHECK(cond)                                                                         \
    (static_cast<bool>(cond) ? static_cast<void>(0)                                                \
                             : ::valkyr::check_failed(__FILE__, __LINE__, #cond))

#ifdef NDEBUG
#define VALKYR_DCHECK(cond) static_cast<void>(0)
#else
/// On in debug builds only.
#define VALKYR_DCHECK(cond) VALKYR_CHECK(cond)
#endif

/// Marks code that cannot be reached if the invariants hold.
#define VALKYR_UNREACHABLE() ::valkyr::check_failed(__FILE__, __LINE__, "unreachable code reached")
