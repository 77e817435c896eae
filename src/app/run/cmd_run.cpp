// valkyr run: an OpenGL program on a private server.
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"
#include "app/cli/file_io.hpp"
#include "app/commands.hpp"
#include "app/run/run_shim_bytes.hpp"
#include "app/run/vtest_observer.hpp"
#include "virgl/server.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace valkyr::tools {

namespace {

struct RunCommand {
    virgl::ServerOptions server;
    VtestOptions options;
    std::vector<std::string> program;
};

/// A folder of our own that goes away with everything in it.
class PrivateFolder {
public:
    PrivateFolder() {
        const char* base = std::getenv("TMPDIR");
        path_ = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/valkyr-run-XXXXXX";
        if (mkdtemp(path_.data()) == nullptr)
            path_.clear();
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Our environment with some variables replaced.
class Environment {
public:
    Environment() {
        for (char** entry = environ; *entry != nullptr; ++entry)
            entries_.emplace_back(*entry);
    }
    void set(const std::string& name, const std::string& value) {
        std::erase_if(entries_,
                      [&](const std::string& entry) { return entry.starts_with(name + "="); });
        entries_.push_back(name + "=" + value);
    }
    std::vector<char*> pointers() {
        std::vector<char*> result;
        for (std::string& entry : entries_)
            result.push_back(entry.data());
        result.push_back(nullptr);
        return result;
    }

private:
    std::vector<std::string> entries_;
};

int fail(const std::string& text) {
    std::fprintf(stderr, "valkyr run: %s\n", text.c_str());
    return kExitError;
}

/// For the signal handler.
std::atomic<pid_t> running_program = 0;

/// An interrupt of the terminal reaches the program by itself; we go when it has gone.
void pass_on(int signal) {
    if (signal == SIGTERM && running_program != 0)
        kill(running_program, SIGTERM);
}

/// Starts the program and waits for it. Exit code as of a shell: 128 + signal if it was killed.
int run_program(std::vector<std::string> program,
                const std::string& socket,
                const std::string& shim) {
    Environment environment;
    const char* preload = std::getenv("LD_PRELOAD");
    environment.set("LD_PRELOAD", preload != nullptr ? shim + ":" + preload : shim);
    environment.set("VALKYR_VTEST_SOCKET", socket);  // for the shim
    environment.set("VTEST_SOCKET_NAME", socket);    // for newer Mesa
    environment.set("LIBGL_ALWAYS_SOFTWARE", "1");
    environment.set("GALLIUM_DRIVER", "virpipe");
    std::vector<char*> arguments;
    for (std::string& word : program)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(),
                                   environment.pointers().data());
    if (error != 0)
        return fail(program[0] + ": " + std::strerror(error));
    running_program = child;
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail(std::string("waitpid: ") + std::strerror(errno));
    running_program = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_on_valkyr(RunCommand command) {
    const PrivateFolder folder;
    if (folder.path().empty())
        return fail(std::string("no temporary folder: ") + std::strerror(errno));
    const std::string shim = folder.path() + "/connect.so";
    if (const auto written = write_output(shim, run_shim_bytes()); !written.has_value())
        return fail(written.error().format(shim));
    command.server.socket_path = folder.path() + "/socket";
    command.server.level = command.options.level;
    VtestObserver observer(command.options, "run");
    auto trace = create_trace(command.options);
    if (!trace.has_value())
        return fail(trace.error().text);
    command.server.trace = trace->get();
    auto server = virgl::Server::create(command.server, observer);
    if (!server.has_value())
        return fail(server.error().text);
    std::thread serving([&] {
        if (const auto done = (*server)->run(); !done.has_value())
            observer.log("server", done.error().text);
    });
    std::signal(SIGINT, pass_on);
    std::signal(SIGTERM, pass_on);
    const int status = run_program(command.program, command.server.socket_path, shim);
    (*server)->stop();
    serving.join();
    server->reset();
    observer.print_figures();
    const bool recorded = finish_trace(trace->get(), "run");
    return !(observer.check_screenshot() && recorded) && status == kExitOk ? kExitError : status;
}

}  // namespace

void add_run_command(CLI::App& app, Run& run) {
    auto* command =
        app.add_subcommand("run", "Run an OpenGL program on Valkyr: valkyr run -- glxgears");
    auto options = std::make_shared<RunCommand>();
    add_vtest_arguments(*command, options->options);
    add_device_arguments(*command, options->server.device);
    command->add_option("PROGRAM", options->program, "Program and its arguments, behind --")
        ->required();
    command->positionals_at_end();
    command->callback([options, &run] { run = [options] { return run_on_valkyr(*options); }; });
}

}  // namespace valkyr::tools
