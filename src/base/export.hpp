// Export: marks the functions that the shared library exports; it hides all others.
// SPDX-License-Identifier: MIT
#pragma once

/// Functions and classes of public headers that have code in the library.
#define VALKYR_API [[gnu::visibility("default")]]
