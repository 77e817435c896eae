// Report: tells the user of a program what fails in the library.
// SPDX-License-Identifier: MIT
#include "osmesa/report.hpp"

#include <cstdarg>
#include <cstdio>

namespace valkyr::osmesa {

void report(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::fputs("libOSMesa (Valkyr): ", stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputs("\n", stderr);
    va_end(arguments);
}

}  // namespace valkyr::osmesa
