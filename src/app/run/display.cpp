// Display: starts an X server without a screen for programs that need one.
// SPDX-License-Identifier: MIT
#include "app/run/display.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace valkyr::app {

namespace {

Error failed(const char* what, int error) {
    return Error{Errc::System, {}, std::string(what) + ": " + std::strerror(error)};
}

constexpr int kNotThere = 127;

/// Turns the child process into Xvfb, which writes the number of a free display to `number_pipe`.
[[noreturn]] void become_xvfb(int number_pipe, pid_t parent) {
    // An interrupt of the terminal shall not end the display before the program. The display also
    // ends if this process is killed.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
        std::signal(signal, SIG_DFL);
    // Xvfb prints many harmless messages; after a real error it exits.
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    char number[16];
    std::snprintf(number, sizeof number, "%d", number_pipe);
    execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "1920x1080x24", "-nolisten", "tcp",
           "-noreset", static_cast<char*>(nullptr));
    _exit(kNotThere);
}

/// Reads the line with the number that Xvfb writes when it listens; empty if Xvfb has ended.
std::string read_number(int pipe) {
    std::string text;
    char c = 0;
    for (;;) {
        const ssize_t count = read(pipe, &c, 1);
        if (count < 0 && errno == EINTR)
            continue;
        if (count != 1 || c == '\n')
            return count == 1 ? text : std::string();
        text += c;
    }
}

}  // namespace

Result<Display> Display::start() {
    int number[2];
    // Only the write end loses its close-on-exec flag, in the child: Xvfb inherits it.
    if (pipe2(number, O_CLOEXEC) != 0)
        return failed("pipe", errno);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        fcntl(number[1], F_SETFD, 0);
        become_xvfb(number[1], parent);
    }
    const int error = errno;
    close(number[1]);
    const std::string text = child > 0 ? read_number(number[0]) : std::string();
    close(number[0]);
    if (child < 0)
        return failed("fork", error);
    if (!text.empty())
        return Display(child, ":" + text);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return Error{Errc::System,
                 {},
                 WIFEXITED(status) && WEXITSTATUS(status) == kNotThere
                     ? "--xvfb: Xvfb is not installed (Debian: package xvfb)"
                     : "--xvfb: Xvfb did not start"};
}

Display::Display(Display&& other) noexcept
    : pid_(std::exchange(other.pid_, 0))
    , name_(std::move(other.name_)) {}

Display::~Display() {
    if (pid_ == 0)
        return;
    kill(pid_, SIGTERM);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR)
        continue;
}

}  // namespace valkyr::app
