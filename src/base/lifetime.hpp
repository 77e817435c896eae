// Lifetimes: let the compiler notice handles that outlive their owner.
// SPDX-License-Identifier: MIT
#pragma once

// A handle that is made of an owner must not be used after it. Clang warns (-Wdangling-gsl) if the
// owner is a temporary object, or a local variable whose handle a function returns; GCC has no such
// warning.
#ifdef __clang__
#define VALKYR_OWNER [[gsl::Owner]]
#define VALKYR_HANDLE [[gsl::Pointer]]
#else
#define VALKYR_OWNER
#define VALKYR_HANDLE
#endif
