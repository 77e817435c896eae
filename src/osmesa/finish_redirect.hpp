// Finish redirect: leads glFinish() and glFlush() of programs here that link libGL first.
// SPDX-License-Identifier: MIT
#pragma once

namespace valkyr::osmesa {

using Finish = void (*)();

/// Leads the calls of all libraries, and of the program, that link this library; the order in which
/// they link it and libGL decides otherwise. Later calls do nothing.
void redirect_finish(Finish finish, Finish flush);

/// The functions of libGL.so.1, for contexts that are not of this library.
Finish libgl_finish();
Finish libgl_flush();

}  // namespace valkyr::osmesa
