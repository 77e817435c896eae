// Doctor: looks at all that `valkyr run` needs, and says what to do.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "app/run/doctor/finding.hpp"

#include <string>

namespace valkyr::app {

/// `valkyr run` says this last when it could not start.
inline constexpr const char* kDoctorHint = "try valkyr doctor";

/// This option makes `doctor` a client instead, with one of these values.
inline constexpr const char* kProbeOption = "--probe";
inline constexpr const char* kEglProbe = "egl";
inline constexpr const char* kGlxProbe = "glx";

/// All rows. Starts programs under `valkyr run`, so it takes some seconds.
/// xvfb  look at `valkyr run --xvfb`
Findings examine(const Variables& variables, bool xvfb);

/// Whether nothing is missing.
bool is_well(const Findings& findings);

/// A table, a row each, and below a row what to do; at the end what follows from it.
std::string findings_text(const Findings& findings, bool xvfb, const Style& style = {});
/// An array of objects with name, found, verdict (ok, note or missing) and remedy.
std::string findings_json(const Findings& findings);

}  // namespace valkyr::app
