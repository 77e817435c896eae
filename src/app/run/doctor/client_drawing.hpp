// Client drawing: clears in a context and checks the pixel that it reads back.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace valkyr::app {

/// eglGetProcAddress or glXGetProcAddressARB.
using GetFunction = void (*(*)(const char* name))();

/// Finds an OpenGL function by its name; false: the context does not have it.
template <typename Function>
bool load_function(GetFunction get, const char* name, Function& function) {
    function = reinterpret_cast<Function>(get(name));
    return function != nullptr;
}
/// The error of a client to which load_function() returned false.
inline constexpr const char* kNoFunctions = "the context has no OpenGL functions";

/// returns  "OpenGL VERSION, RENDERER" of the current context
/// errors   System: Valkyr is not its renderer
Result<std::string> name_of_valkyr(GetFunction get);

/// Red, green, blue and alpha.
using Pixel = std::array<uint8_t, 4>;

/// The pixel at (1, 1) of the current framebuffer.
/// errors  System: the context has no OpenGL functions
Result<Pixel> read_pixel(GetFunction get);

/// Clears the current framebuffer of the current context and reads a pixel.
/// returns, errors  as probe_egl()
Result<std::string> draw_and_look(GetFunction get);

/// The error of a failed probe.
inline Error probe_error(std::string text) {
    return Error{Errc::System, {}, std::move(text)};
}

}  // namespace valkyr::app
