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
#include <malloc.h>
#include <new>
#include <unistd.h>

namespace valkyr::app {
namespace {

/// Opens the descriptors of closed standard streams, so that no file or socket of this process gets
/// their numbers and with them the printed text. Reading from them and writing to them still fails.
void hold_standard_descriptors() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            static_cast<void>(open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// Lets the heap keep what a frame frees for the next one. By its usual thresholds, glibc gives the
/// upper end back after each pass of many draws and takes it again, a fault for each page: draws
/// then took up to twice as long, depending on what lay above them.
void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int kKeptBytes = 64 << 20;
    mallopt(M_TRIM_THRESHOLD, kKeptBytes);
    mallopt(M_MMAP_THRESHOLD, kKeptBytes / 2);  // glibc's own limit
#endif
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

/// Prints the exception that is being handled; returns the exit code.
int fail_by_exception() noexcept {
    std::fprintf(stderr, "valkyr: error: %s\n", caught_error().text.c_str());
    return kExitError;
}

std::atomic<bool> memory_ran_out = false;

/// The new handler: operator new calls it when memory runs out.
void note_no_memory() {
    memory_ran_out = true;
    throw std::bad_alloc();
}

/// The terminate handler. It ends the process where an exception cannot propagate: in the
/// debugger's taps, which kernels call, and in noexcept functions of the standard library that
/// allocate memory. In the latter, GCC's code does not provide the exception.
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
    valkyr::app::keep_freed_memory();
    std::set_new_handler(valkyr::app::note_no_memory);
    std::set_terminate(valkyr::app::end_run);
    try {
        return valkyr::app::run_command(argc, argv);
    } catch (...) {
        return valkyr::app::fail_by_exception();
    }
}
