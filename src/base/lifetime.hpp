// Lifetimes: let the compiler notice handles that outlive their owner.
// SPDX-License-Identifier: MIT
#pragma once

// A handle that is made of an owner must not be used after it. Clang warns where the owner is a
// temporary object or a local variable that a function returns a handle of (-Wdangling-gsl); GCC
// has no such warning.
#ifdef __clang__
#define VALKYR_OWNER [[gsl::Owner]]
#define VALKYR_HANDLE [[gsl::Pointer]]
#else
#define VALKYR_OWNER
#define VALKYR_HANDLE
#endif
