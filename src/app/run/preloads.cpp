// Preloads: keep the libraries that a user preloads for the program out of the server.
// SPDX-License-Identifier: MIT
#include "app/run/preloads.hpp"

#include "app/cli/file_io.hpp"
#include "app/cli/own_program.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace valkyr::app {

namespace {

constexpr const char* kPreloads = "LD_PRELOAD";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Executes this program again with `arguments`, each of which ends with a zero byte. Returns only
/// if that fails.
void start_anew(std::string arguments) {
    std::vector<char*> pointers;
    for (size_t at = 0; at < arguments.size(); at = arguments.find('\0', at) + 1)
        pointers.push_back(&arguments[at]);
    pointers.push_back(nullptr);
    execv(own_program().c_str(), pointers.data());
}

}  // namespace

void leave_preloads() {
    const std::string preloads = variable(kPreloads);
    // Only once: /etc/ld.so.preload or a wrapper may preload a library into every program.
    if (preloads.empty() || std::getenv(kWantedPreloads) != nullptr)
        return;
    const auto arguments = read_input("/proc/self/cmdline");
    if (!arguments.has_value() || arguments->empty() || arguments->back() != '\0')
        return;
    setenv(kWantedPreloads, preloads.c_str(), 1);
    unsetenv(kPreloads);
    start_anew(*arguments);
    setenv(kPreloads, preloads.c_str(), 1);
    unsetenv(kWantedPreloads);
}

std::string wanted_preloads() {
    const std::string kept = variable(kWantedPreloads);
    return kept.empty() ? variable(kPreloads) : kept;
}

}  // namespace valkyr::app
