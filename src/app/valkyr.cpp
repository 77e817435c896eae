// The valkyr command: parses the command line and runs one subcommand.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "base/caught_error.hpp"
#include "version.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace valkyr::app {
namespace {

/// Takes the places of standard streams that are closed: a file or a socket of ours that got one of
/// these numbers would get what is printed. Reading from them or writing to them still fails.
void hold_standard_descriptors() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            static_cast<void>(open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

int run_command(int argc, char** argv) {
    CommandLine line(
        "Valkyr: a software GPU that compiles TGSI to Valhall and Valhall to host SIMD code",
        "valkyr");
    line.version(kVersion);
    for (const AddCommand add : commands())
        add(line);
    if (const auto code = line.parse(argc, argv))
        return *code;
    const int status = line.run();
    // A full disk or a closed pipe is an error of this run, too.
    if (std::fflush(stdout) != 0) {
        std::perror("valkyr: standard output");
        return kExitError;
    }
    return status;
}

/// Says what the exception being handled means; the exit code.
int fail_by_exception() noexcept {
    std::fprintf(stderr, "valkyr: error: %s\n", caught_error().text.c_str());
    return kExitError;
}

std::atomic<bool> memory_ran_out = false;

/// operator new calls it before it throws.
void note_no_memory() {
    memory_ran_out = true;
    throw std::bad_alloc();
}

/// Ends the run where an exception cannot go on: in the debugger's taps, which kernels call, and in
/// functions of the standard library that are noexcept and take memory. GCC's code for the latter
/// does not tell which exception it was.
[[noreturn]] void end_run() noexcept {
    if (std::current_exception() != nullptr)
        std::_Exit(fail_by_exception());
    if (memory_ran_out && std::uncaught_exceptions() > 0) {
        std::fputs("valkyr: error: out of memory\n", stderr);
        std::_Exit(kExitError);
    }
    std::abort();
}

}  // namespace
}  // namespace valkyr::app

int main(int argc, char** argv) {
    valkyr::app::hold_standard_descriptors();
    std::set_new_handler(valkyr::app::note_no_memory);
    std::set_terminate(valkyr::app::end_run);
    try {
        return valkyr::app::run_command(argc, argv);
    } catch (...) {
        return valkyr::app::fail_by_exception();
    }
}
