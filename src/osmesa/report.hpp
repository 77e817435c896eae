// Report: tells the user of a program what fails in the library.
// SPDX-License-Identifier: MIT
//
// The interface has no errors to return, only null. Mesa's library prints its reasons as well.
#pragma once

namespace valkyr::osmesa {

/// Prints "libOSMesa (Valkyr): TEXT" to the standard error output, by the rules of printf().
[[gnu::format(printf, 1, 2)]] void report(const char* format, ...);

}  // namespace valkyr::osmesa
