// Server process: starts and stops the server's child process, and runs the server in it.
// SPDX-License-Identifier: MIT
#include "app/run/server_process.hpp"

#include "app/cli/device_arguments.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/debug/session/race_tap.hpp"
#include "app/debug/trap/trap_argument.hpp"
#include "app/debug/trap/trap_device.hpp"
#include "app/run/sandbox.hpp"
#include "base/caught_error.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace valkyr::app {

namespace {

/// The server of this process, for its signal handler.
std::atomic<virgl::Server*> serving = nullptr;

void stop_serving(int /*signal*/) {
    if (virgl::Server* server = serving.load())
        server->stop();
}

/// Unblocks a signal that the parent's HeldSignals blocked.
void release_signal(int signal) {
    sigset_t released;
    sigemptyset(&released);
    sigaddset(&released, signal);
    pthread_sigmask(SIG_UNBLOCK, &released, nullptr);
}

Error system_error(const char* what) {
    return Error{Errc::System, {}, std::string(what) + ": " + std::strerror(errno)};
}

/// The rights that the options require.
SandboxNeeds needs_of(const ServerRequest& request) {
    return {.open_files = !request.options.screenshot_file.empty() ||
                          !request.options.shader_directory.empty() ||
                          !request.server.device.perf_map.empty()};
}

/// Prints what the trap has found; returns whether there is anything.
bool report_traps(const debug::TrapLog& traps, const ServerRequest& request) {
    const std::string& trace = request.options.trace_file;
    const bool found = print_findings(traps, std::string("valkyr ") + request.command,
                                      [&trace](const debug::TrapFinding& finding) {
                                          return trace.empty()
                                                     ? std::string()
                                                     : "valkyr debug " + trace + " --frame " +
                                                           std::to_string(finding.frame);
                                      });
    if (found && trace.empty())
        std::fputs("  (--record FILE makes a trace, in which valkyr debug opens the place)\n",
                   stderr);
    return found;
}

/// Listens, writes to `ready`, and serves until it is stopped; returns whether no trap found
/// anything.
Result<bool> serve(const ServerRequest& request, int ready, VtestObserver& observer) {
    virgl::ServerOptions options = request.server;
    options.level = request.options.level;
    // perf looks for a map of the process that runs the code.
    if (!options.device.perf_map.empty())
        options.device.perf_map = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    VALKYR_TRY(trace, create_trace(request.options));
    VALKYR_TRY_VOID(observer.open_timeline());
    options.trace = trace.get();
    debug::RaceTap races([&request](const std::string& text) {
        std::fprintf(stderr, "valkyr %s: %s", request.command, text.c_str());
    });
    if (request.options.race_check)
        options.device.kernel_tap = &races;
    debug::TrapLog traps(request.options.trap);
    if (request.options.trap.is_set()) {
        traps.start_frame(1);
        observer.set_trap(&traps);
        options.make_device = [&traps](const raster::DeviceOptions& device) {
            return debug::TrapDevice::create(traps, device);
        };
    }
    VALKYR_TRY(server, virgl::Server::create(options, observer));
    if (request.sandbox)
        if (const auto entered = enter_sandbox(needs_of(request)); !entered.has_value())
            return Error{
                Errc::System, {}, entered.error().text + " (--no-sandbox serves without it)"};
    serving = server.get();
    std::signal(SIGTERM, stop_serving);
    release_signal(SIGTERM);
    if (write(ready, "1", 1) != 1)
        return system_error("write");
    close(ready);
    const auto done = server->run();
    serving = nullptr;  // A further SIGTERM has no effect: the server is ending.
    server.reset();
    observer.print_figures();
    if (races.exhausted())
        return Error{Errc::OutOfMemory, {}, "no memory to check all work-groups for races"};
    observer.set_trap(nullptr);
    const bool trapped = report_traps(traps, request);
    VALKYR_TRY_VOID(done);
    VALKYR_TRY_VOID(observer.write_timeline());
    if (trace)
        VALKYR_TRY_VOID(trace->finish());
    return !trapped;
}

/// Lets the process have many descriptors: each client has a socket and storage that both sides
/// share, and the usual limit of 1024 is there for programs that call select(). Whoever started the
/// server can set a lower hard limit.
void raise_descriptor_limit() {
    constexpr rlim_t kEnough = 16384;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough)
        return;
    limit.rlim_cur = std::min(limit.rlim_max, kEnough);
    setrlimit(RLIMIT_NOFILE, &limit);  // without it, fewer clients are served
}

/// Runs the server in the child process; returns the exit code.
int run_server(const ServerRequest& request, int ready, pid_t parent) try {
    raise_descriptor_limit();
    // The parent handles an interrupt of the terminal; the child ends with the parent.
    std::signal(SIGINT, SIG_IGN);
    // A closed standard error must not end the server.
    std::signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        return kExitError;
    VtestObserver observer(request.options, request.command);
    const auto served = serve(request, ready, observer);
    if (!served.has_value()) {
        std::fprintf(stderr, "valkyr %s: %s\n", request.command, served.error().text.c_str());
        return kExitError;
    }
    return observer.check_screenshot() && *served ? kExitOk : kExitError;
} catch (...) {
    std::fprintf(stderr, "valkyr %s: %s\n", request.command, caught_error().text.c_str());
    return kExitError;
}

}  // namespace

void add_server_arguments(Command command, ServerRequest& request) {
    add_vtest_arguments(command, request.options);
    add_check_arguments(command, request.options);
    add_device_arguments(command, request.server.device);
    const double seconds = request.server.device.draw_budget_ms / 1000.0;
    command
        .option(
            "--draw-budget",
            [&request](double wanted) {
                request.server.device.draw_budget_ms = static_cast<uint32_t>(wanted * 1000);
            },
            "Seconds after which a draw, dispatch or copy is ended, 0 = never")
        .range(0.0, 1e6)
        .value_name("SECONDS")
        .shows_default(seconds == 0 ? "0" : std::to_string(static_cast<int>(seconds)));
    command.flag(
        "--no-sandbox", [&request] { request.sandbox = false; },
        "Keep all system calls: where the kernel refuses to give them up");
}

HeldSignals::HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

Result<ServerProcess> ServerProcess::start(const ServerRequest& request, const HeldSignals&) {
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0)
        return system_error("pipe");
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        close(ready[0]);
        close(ready[1]);
        return system_error("fork");
    }
    if (child == 0) {
        close(ready[0]);
        std::exit(run_server(request, ready[1], parent));
    }
    close(ready[1]);
    char word = 0;
    ssize_t count = 0;
    while ((count = read(ready[0], &word, 1)) < 0 && errno == EINTR)
        continue;
    close(ready[0]);
    const ServerProcess process(child, request.server.socket_path);
    if (count == 1)
        return process;
    process.wait();
    return Error{Errc::System, {}, "the server did not start"};
}

void ServerProcess::stop() const noexcept {
    kill(pid_, SIGTERM);
}

void ServerProcess::remove_socket() const noexcept {
    unlink(socket_path_.c_str());
}

int ServerProcess::wait() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0)
        if (errno != EINTR)
            return kExitError;
    return exit_code_of(status);
}

int exit_code_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace valkyr::app
