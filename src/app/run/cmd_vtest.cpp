// Command vtest: serves Mesa's virpipe driver.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/run/preloads.hpp"
#include "app/run/server_process.hpp"
#include "virgl/protocol/protocol.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <optional>

namespace valkyr::app {

namespace {

/// Milliseconds per draw, as long as GPU drivers wait before they reset a GPU. Only this command
/// has a budget, since it serves unknown clients; `valkyr run` serves one program of the user.
constexpr uint32_t kDrawBudgetMs = 10'000;

/// The server process, for the signal handler.
std::atomic<const ServerProcess*> running_server = nullptr;

void stop_server(int /*signal*/) {
    if (const ServerProcess* server = running_server.load())
        server->stop();
}

int serve_clients(ServerRequest request) {
    leave_preloads();
    request.command = "vtest";
    std::optional<HeldSignals> held(std::in_place);
    const auto server = ServerProcess::start(request, *held);
    if (!server.has_value()) {
        std::fprintf(stderr, "%s\n", server.error().format("valkyr vtest").c_str());
        return kExitError;
    }
    running_server = &*server;
    std::signal(SIGINT, stop_server);
    std::signal(SIGTERM, stop_server);
    held.reset();
    const int code = server->wait();
    running_server = nullptr;
    server->remove_socket();
    return code;
}

}  // namespace

void add_vtest_command(CommandLine& line) {
    const Command command =
        line.subcommand("vtest", "Serve OpenGL programs whose Mesa uses GALLIUM_DRIVER=virpipe");
    auto request = std::make_shared<ServerRequest>();
    request->server.socket_path = virgl::kDefaultSocketPath;
    command.option("--socket", request->server.socket_path, "Where to listen").shows_default();
    command.flag("--once", request->server.once, "End when the last client has left");
    command.flag("--allow-other", request->server.allow_other,
                 "Serve other users of this machine, too");
    request->server.device.draw_budget_ms = kDrawBudgetMs;
    add_server_arguments(command, *request);
    command.runs([request] { return serve_clients(*request); });
}

}  // namespace valkyr::app
