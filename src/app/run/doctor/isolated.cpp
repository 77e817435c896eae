// Isolated: runs a check that may crash, hang or give up rights in a child process.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/isolated.hpp"

#include "base/caught_error.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace valkyr::app {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// Time between SIGTERM and SIGKILL.
constexpr Milliseconds kGrace{3000};
/// Interval of polls for the end of a process that has closed its output.
constexpr Milliseconds kLook{10};
/// Output beyond this size is dropped.
constexpr size_t kMostOutput = size_t{1} << 16;
/// The first byte of a child's output: a value or an error follows.
constexpr char kValue = '+';
constexpr char kError = '-';

Error failed(const std::string& text) {
    return Error{Errc::System, {}, text};
}

Error system_error(const char* what) {
    return failed(std::string(what) + ": " + std::strerror(errno));
}

/// A child that leads a process group and ends with this process, and the read end of its output
/// pipe.
struct Child {
    pid_t pid = 0;
    int output = -1;
};

/// Forks. `live` runs in the child with the write end of the pipe and does not return.
template <typename Live>
Result<Child> start_child(const Live& live) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return system_error("pipe");
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        std::signal(SIGTERM, SIG_DFL);
        if (getppid() == parent)
            live(ends[1]);
        _exit(1);
    }
    const int error = errno;
    setpgid(child, child);  // The child does it, too: the first call takes effect.
    close(ends[1]);
    if (child > 0)
        return Child{child, ends[0]};
    close(ends[0]);
    errno = error;
    return system_error("fork");
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write(file, text.data(), text.size());
        if (count < 0 && errno != EINTR)
            return;
        text.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
    }
}

/// Reads up to the end of the file; false if `end` came first.
bool read_until(int file, Clock::time_point end, std::string& text) {
    for (;;) {
        const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now()).count();
        pollfd wanted{file, POLLIN, 0};
        if (left <= 0 || poll(&wanted, 1, static_cast<int>(left)) == 0)
            return false;
        char chunk[4096];
        const ssize_t count = read(file, chunk, sizeof chunk);
        if (count == 0 || (count < 0 && errno != EINTR))
            return true;
        if (count > 0 && text.size() < kMostOutput)
            text.append(chunk, static_cast<size_t>(count));
    }
}

/// Waits for the process and takes its status; false if it still runs at `end`.
bool wait_until(pid_t pid, Clock::time_point end, int& status) {
    for (;;) {
        const pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended != 0)
            return true;
        if (Clock::now() >= end)
            return false;
        poll(nullptr, 0, static_cast<int>(kLook.count()));
    }
}

/// Ends the process group of a child that took too long.
void end_group(pid_t pid) {
    int status = 0;
    kill(-pid, SIGTERM);
    const bool ended = wait_until(pid, Clock::now() + kGrace, status);
    kill(-pid, SIGKILL);
    if (!ended)
        waitpid(pid, &status, 0);
}

/// Waits for a child's end and returns its output; `status` is that of waitpid().
/// errors  System: it took too long
Result<std::string> finish(const Child& child, Milliseconds limit, int& status) {
    const Clock::time_point end = Clock::now() + limit;
    std::string text;
    const bool done = read_until(child.output, end, text) && wait_until(child.pid, end, status);
    if (!done)
        end_group(child.pid);
    close(child.output);  // Only after the child's end, or SIGPIPE would end it while it writes.
    if (done)
        return text;
    const auto seconds = std::to_string(std::chrono::duration<double>(limit).count());
    return failed("no end after " + seconds.substr(0, seconds.find('.') + 2) + " seconds" +
                  (text.empty() ? "" : ": " + text));
}

std::string end_of(int status) {
    if (WIFSIGNALED(status))
        return "ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

/// Replaces the child process with the program.
[[noreturn]] void become(const std::vector<std::string>& program, int output) {
    std::vector<char*> arguments;
    arguments.reserve(program.size() + 1);
    for (const std::string& word : program)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    write_all(output, program[0] + ": " + std::strerror(errno));
    _exit(127);
}

}  // namespace

Result<std::string> isolated(const Check& check, Milliseconds limit) {
    VALKYR_TRY(child, start_child([&](int output) {
                   const Result<std::string> result = [&]() -> Result<std::string> {
                       try {
                           return check();
                       } catch (...) {
                           return caught_error();
                       }
                   }();
                   write_all(output,
                             result.has_value() ? kValue + *result : kError + result.error().text);
                   _exit(0);
               }));
    int status = 0;
    VALKYR_TRY(text, finish(child, limit, status));
    if (status != 0 || text.empty())
        return failed(end_of(status));
    if (text[0] == kError)
        return failed(text.substr(1));
    return text.substr(1);
}

Result<std::string> output_of(const std::vector<std::string>& program, Milliseconds limit) {
    VALKYR_TRY(child, start_child([&](int output) { become(program, output); }));
    int status = 0;
    VALKYR_TRY(text, finish(child, limit, status));
    if (status != 0)
        return failed(end_of(status) + (text.empty() ? "" : ": " + text));
    return text;
}

}  // namespace valkyr::app
