// Finding: describes the result of one check of `valkyr doctor`.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace valkyr::app {

enum class Verdict {
    Ok,
    Note,     ///< most programs run; some do not, or run slower
    Missing,  ///< `valkyr run -- glxgears` does not work
};

struct Finding {
    std::string name;   ///< of the checked thing
    std::string found;  ///< a path, a version, or why it does not work
    Verdict verdict = Verdict::Ok;
    std::string remedy;  ///< what to install or to set; empty: nothing
};

using Findings = std::vector<Finding>;

/// An environment: the value of a variable, empty if it is not set.
using Variables = std::function<std::string(const std::string& name)>;

}  // namespace valkyr::app
