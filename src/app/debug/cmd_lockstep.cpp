// Command lockstep: runs interpreter and recompiled code in step, up to the first difference.
// SPDX-License-Identifier: MIT
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/debug_arguments.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

/// Compares results of whole runs, then registers after each word; returns the number of
/// differences.
Result<unsigned> lockstep_all(const debug::Debugger& debugger) {
    const std::vector<debug::HostEngine> engines = debug::host_engines();
    const debug::WarpCase& warp = *debugger.session().warp;
    unsigned different = 0;
    VALKYR_TRY(lines, debug::check(warp, debugger.recording(), engines));
    for (const debug::CheckLine& line : lines) {
        std::fputs(debug::check_text(line).c_str(), stdout);
        different += line.difference ? 1 : 0;
    }
    if (warp.warps() > 1) {
        std::puts("registers are not compared: the work-group has several warps");
        return different;
    }
    for (const debug::HostEngine& engine : engines) {
        VALKYR_TRY(report, debug::compare_lockstep(warp, engine));
        std::fputs(debug::lockstep_text(engine, report, debugger.session().listing.words).c_str(),
                   stdout);
        different += report.difference ? 1 : 0;
    }
    return different;
}

int run_lockstep(const DebugArguments& arguments) {
    const auto debugger = open_debugger(arguments);
    if (!debugger.has_value())
        return app::fail(debugger.error(), "valkyr lockstep");
    std::printf("%s\n", (*debugger)->session().title.c_str());
    if (debug::host_engines().empty())
        return app::fail(Error{Errc::Unsupported, {}, "no recompiler for this host"},
                         "valkyr lockstep");
    const auto different = lockstep_all(**debugger);
    if (!different.has_value())
        return app::fail(different.error(), "valkyr lockstep");
    return *different == 0 ? kExitOk : kExitError;
}

void declare_lockstep(const Command& command) {
    auto options = std::make_shared<DebugArguments>();
    add_debug_arguments(command, *options);
    command.runs([options] { return run_lockstep(*options); });
}

}  // namespace

void add_lockstep_command(CommandLine& line) {
    const char* const help = "Compare recompiled code with the interpreter, word by word";
    declare_lockstep(line.subcommand("lockstep", help));
    declare_lockstep(line.subcommand("trace", help).hidden());  // the old name
}

}  // namespace valkyr::app
