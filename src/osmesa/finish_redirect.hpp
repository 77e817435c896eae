// Finish redirect: leads glFinish() and glFlush() of programs here that link libGL first.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::osmesa {

using Finish = void (*)();

struct FinishFunctions {
    Finish finish;
    Finish flush;
};

/// Leads the calls of all libraries, and of the program, that link this library; the order in which
/// they link it and libGL decides otherwise. Later calls do nothing.
void redirect_finish(const FinishFunctions& to);

/// The functions of libGL.so.1, for contexts that are not of this library; null: it is not loaded.
const FinishFunctions& libgl_functions();

}  // namespace valkyr::osmesa
