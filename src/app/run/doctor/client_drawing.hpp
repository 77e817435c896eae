// Client drawing: clears in a context and checks the pixel that it reads back.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// eglGetProcAddress or glXGetProcAddressARB.
using GetFunction = void (*(*)(const char* name))();

/// Clears the current framebuffer of the current context and reads a pixel.
/// returns, errors  as probe_egl()
Result<std::string> draw_and_look(GetFunction get);

/// The error of a failed probe.
inline Error probe_error(std::string text) {
    return Error{Errc::System, {}, std::move(text)};
}

}  // namespace valkyr::app
