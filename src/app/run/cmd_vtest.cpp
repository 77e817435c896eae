// valkyr vtest: a server that renders for Mesa's virpipe driver.
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"
#include "app/commands.hpp"
#include "app/run/vtest_observer.hpp"
#include "virgl/protocol/protocol.hpp"
#include "virgl/server.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>

namespace valkyr::tools {

namespace {

struct VtestCommand {
    virgl::ServerOptions server;
    VtestOptions options;
};

/// For the signal handler; a server lives as long as it stands here.
std::atomic<virgl::Server*> running_server = nullptr;

void stop_server(int /*signal*/) {
    if (virgl::Server* server = running_server.load())
        server->stop();
}

int serve(VtestCommand command) {
    command.server.level = command.options.level;
    VtestObserver observer(command.options, "vtest");
    auto trace = create_trace(command.options);
    if (!trace.has_value()) {
        std::fprintf(stderr, "%s\n", trace.error().format("valkyr vtest").c_str());
        return kExitError;
    }
    command.server.trace = trace->get();
    auto server = virgl::Server::create(command.server, observer);
    if (!server.has_value()) {
        std::fprintf(stderr, "%s\n", server.error().format("valkyr vtest").c_str());
        return kExitError;
    }
    running_server = server->get();
    std::signal(SIGINT, stop_server);
    std::signal(SIGTERM, stop_server);
    const auto done = (*server)->run();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    running_server = nullptr;
    server->reset();
    observer.print_figures();
    if (!done.has_value()) {
        std::fprintf(stderr, "%s\n", done.error().format("valkyr vtest").c_str());
        return kExitError;
    }
    const bool recorded = finish_trace(trace->get(), "vtest");
    return observer.check_screenshot() && recorded ? kExitOk : kExitError;
}

}  // namespace

void add_vtest_command(CLI::App& app, Run& run) {
    auto* command =
        app.add_subcommand("vtest", "Serve OpenGL programs whose Mesa uses GALLIUM_DRIVER=virpipe");
    auto options = std::make_shared<VtestCommand>();
    options->server.socket_path = virgl::kDefaultSocketPath;
    command->add_option("--socket", options->server.socket_path, "Where to listen")
        ->capture_default_str();
    command->add_flag("--once", options->server.once, "End when the last client has left");
    add_vtest_arguments(*command, options->options);
    add_device_arguments(*command, options->server.device);
    command->callback([options, &run] { run = [options] { return serve(*options); }; });
}

}  // namespace valkyr::tools
