// EGL probe: draws in a context without a window system.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/client_drawing.hpp"
#include "app/run/doctor/egl_context.hpp"
#include "app/run/doctor/probes.hpp"

#include <string>

namespace valkyr::app {

Result<std::string> probe_egl() {
    VALKYR_TRY(context, make_egl_context({}));
    return draw_and_look(context.get_function);
}

}  // namespace valkyr::app
