// Doctor: checks everything that `valkyr run` needs, and says what to do.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "app/run/doctor/finding.hpp"

#include <string>

namespace valkyr::app {

/// `valkyr run` prints this line when it could not start.
inline constexpr const char* kDoctorHint = "try valkyr doctor";

/// With this option, `doctor` runs as a client; the value is one of those below.
inline constexpr const char* kProbeOption = "--probe";
inline constexpr const char* kEglProbe = "egl";
inline constexpr const char* kGlxProbe = "glx";
inline constexpr const char* kArrayProbe = "arrays";

/// All rows. Starts programs under `valkyr run`, so it takes some seconds.
/// xvfb    check for `valkyr run --xvfb`
/// client  check for `valkyr run --client`; empty: without it
Findings examine(const Variables& variables, bool xvfb, const std::string& client = {});

/// Whether no finding is Missing.
bool is_well(const Findings& findings);

/// A table with a row per finding, the remedy below its row, and a conclusion at the end.
std::string findings_text(const Findings& findings, bool xvfb, const Style& style = {});
/// An array of objects with name, found, verdict (ok, note or missing) and remedy.
std::string findings_json(const Findings& findings);

}  // namespace valkyr::app
