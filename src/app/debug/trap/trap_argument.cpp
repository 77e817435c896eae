// Trap argument: reads --trap, and prints what a trap has found.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_argument.hpp"

#include <array>
#include <cstdio>

namespace valkyr::app {

namespace {

using debug::TrapKind;

constexpr std::array<Choice<TrapKind>, 3> kKinds = {{
    {"nan", TrapKind::Nan},
    {"inf", TrapKind::Infinity},
    {"all", TrapKind::All},
}};

}  // namespace

Option add_trap_arguments(Command command, debug::TrapOptions& options) {
    Option trap = command.choice("--trap", options.kind, kKinds,
                                 "Report what makes a NaN, an infinity or either (all) "
                                 "first: shaders run in the interpreter");
    command.option("--trap-count", options.count, "Report so many different places")
        .range(1, 1000)
        .needs(trap)
        .shows_default();
    return trap;
}

bool print_findings(const debug::TrapLog& log,
                    const std::string& name,
                    const std::function<std::string(const debug::TrapFinding&)>& debug_with) {
    for (const debug::TrapFinding& finding : log.findings()) {
        std::fprintf(stderr, "%s: %s%s; in %llu %s\n", name.c_str(),
                     finding.frame != 0 ? ("frame " + std::to_string(finding.frame) + ", ").c_str()
                                        : "",
                     finding.where.c_str(), static_cast<unsigned long long>(finding.lanes),
                     finding.lanes == 1 ? "lane" : "lanes");
        const std::string command = debug_with(finding);
        if (!command.empty() && !finding.target.empty())
            std::fprintf(stderr, "  %s %s\n", command.c_str(), finding.target.c_str());
    }
    if (log.exhausted())
        std::fprintf(stderr, "%s: no memory to look at all shaders\n", name.c_str());
    return !log.findings().empty() || log.exhausted();
}

}  // namespace valkyr::app
