// The valkyr command: parses the command line and runs one subcommand.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "version.hpp"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace {

/// Takes the places of standard streams that are closed: a file or a socket of ours that got one of
/// these numbers would get what is printed. Reading from them or writing to them still fails.
void hold_standard_descriptors() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            static_cast<void>(open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace valkyr::tools;
    hold_standard_descriptors();
    CLI::App app{
        "Valkyr: a software GPU that compiles TGSI to Valhall and Valhall to host SIMD code",
        "valkyr"};
    app.set_version_flag("--version", kVersion);
    app.require_subcommand(1);
    Run run;
#define VALKYR_COMMAND(name) add_##name##_command(app, run);
#include "app/commands.inc"
#undef VALKYR_COMMAND
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    const int status = run();
    // A full disk or a closed pipe is an error of this run, too.
    if (std::fflush(stdout) != 0) {
        std::perror("valkyr: standard output");
        return kExitError;
    }
    return status;
}
