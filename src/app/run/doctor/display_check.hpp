// Display check: finds out which display programs can reach.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/finding.hpp"

#include <optional>
#include <string>

namespace valkyr::app {

/// A display, as DISPLAY names it.
struct DisplayName {
    std::string host;  ///< empty: this machine, by a local socket
    unsigned number = 0;
    friend bool operator==(const DisplayName&, const DisplayName&) = default;
};

/// Reads "host:number.screen" (host "unix" also means this machine); none: the text has another
/// form.
std::optional<DisplayName> parse_display(const std::string& text);

/// The file that `PATH` finds for a program; empty: none.
std::string find_program(const Variables& variables, const std::string& name);

struct DisplayFindings {
    Findings rows;
    bool usable = false;  ///< X programs have a display under `run`
};
/// Rows of the display and of Xvfb.
/// xvfb  check for `run --xvfb`, which starts a display if DISPLAY names none
DisplayFindings display_findings(const Variables& variables, bool xvfb);

}  // namespace valkyr::app
