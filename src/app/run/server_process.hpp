// Server process: runs a vtest server in a sandboxed child process.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/vtest_observer.hpp"
#include "base/result.hpp"
#include "virgl/server.hpp"

#include <csignal>
#include <sys/types.h>

namespace valkyr::app {

struct ServerRequest {
    virgl::ServerOptions server;  ///< level and trace are taken from `options`
    VtestOptions options;
    const char* command = "";  ///< "run" or "vtest", for messages
    bool sandbox = true;
};

/// Adds the options of add_vtest_arguments() and add_device_arguments(), and --no-sandbox;
/// `request` must outlive the parsing.
void add_server_arguments(Command command, ServerRequest& request);

/// Blocks SIGINT and SIGTERM while it lives, until the caller has installed handlers.
class HeldSignals {
public:
    HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals();

private:
    sigset_t before_;
};

/// A server's child process. The parent keeps the rights that the server gives up: it starts
/// programs and removes files.
class ServerProcess {
public:
    /// Returns once the server listens; if it cannot, the server has printed why. Signals are held
    /// until the caller handles them: a signal in between would leave the server without a parent.
    /// The caller must have called leave_preloads().
    /// errors  System: no process, or a server that could not start
    static Result<ServerProcess> start(const ServerRequest& request, const HeldSignals&);

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    /// Asks the server to end; safe in signal handlers.
    void stop() const noexcept;
    /// Removes the socket, so that no client waits for a server that has ended.
    void remove_socket() const noexcept;
    /// Waits for the end. Returns the exit code, 128 + signal if the server was killed.
    int wait() const;

private:
    ServerProcess(pid_t pid, std::string socket_path)
        : pid_(pid)
        , socket_path_(std::move(socket_path)) {}

    pid_t pid_;
    std::string socket_path_;
};

/// Exit code of a shell for a status of waitpid().
int exit_code_of(int status);

}  // namespace valkyr::app
