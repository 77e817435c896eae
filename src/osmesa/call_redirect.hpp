// Call redirect: leads calls of some functions here though libGL is linked first.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/egl.hpp"

#include <span>

namespace valkyr::osmesa {

struct NamedFunction {
    const char* name;
    Function function;
};

/// Leads the calls of all libraries, and of the program, that link this library; the order in which
/// they link it and libGL decides otherwise. Later calls do nothing.
void redirect_calls(std::span<const NamedFunction> to);

/// A function of libGL.so.1, for contexts that are not of this library; null: it is not loaded.
Function function_of_libgl(const char* name);

}  // namespace valkyr::osmesa
