// Export: marks what the shared library shows to programs; everything else is hidden in it.
// SPDX-License-Identifier: MIT
#pragma once

/// Functions and classes of public headers that have code in the library.
#define VALKYR_API [[gnu::visibility("default")]]
