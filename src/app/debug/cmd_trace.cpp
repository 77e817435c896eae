// Command trace: runs interpreter and recompiled code in step, up to the first difference.
// SPDX-License-Identifier: MIT
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/debug_arguments.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

/// Results of whole runs, then registers after each word; the number of differences.
Result<unsigned> trace_all(const debug::Debugger& debugger) {
    const std::vector<debug::HostEngine> engines = debug::host_engines();
    const debug::WarpCase& warp = *debugger.session().warp;
    unsigned different = 0;
    VALKYR_TRY(lines, debug::check(warp, debugger.recording(), engines));
    for (const debug::CheckLine& line : lines) {
        std::fputs(debug::check_text(line).c_str(), stdout);
        different += line.difference ? 1 : 0;
    }
    for (const debug::HostEngine& engine : engines) {
        VALKYR_TRY(report, debug::trace(warp, engine));
        std::fputs(debug::trace_text(engine, report, debugger.session().listing.words).c_str(),
                   stdout);
        different += report.difference ? 1 : 0;
    }
    return different;
}

int run_trace(const DebugArguments& arguments) {
    const auto debugger = open_debugger(arguments);
    if (!debugger.has_value())
        return app::fail(debugger.error(), "valkyr trace");
    std::printf("%s\n", (*debugger)->session().title.c_str());
    if (debug::host_engines().empty())
        return app::fail(Error{Errc::Unsupported, {}, "no recompiler for this host"},
                         "valkyr trace");
    const auto different = trace_all(**debugger);
    if (!different.has_value())
        return app::fail(different.error(), "valkyr trace");
    return *different == 0 ? kExitOk : kExitError;
}

}  // namespace

void add_trace_command(CommandLine& line) {
    const Command command =
        line.subcommand("trace", "Compare recompiled code with the interpreter, word by word");
    auto options = std::make_shared<DebugArguments>();
    add_debug_arguments(command, *options);
    command.runs([options] { return run_trace(*options); });
}

}  // namespace valkyr::app
