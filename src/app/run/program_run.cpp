// Program run: starts an OpenGL program on a private server, and waits for it.
// SPDX-License-Identifier: MIT
#include "app/run/program_run.hpp"

#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/cli/own_program.hpp"
#include "app/run/client_folder.hpp"
#include "app/run/display.hpp"
#include "app/run/doctor/doctor.hpp"
#include "app/run/preloads.hpp"
#include "app/run/private_folder.hpp"
#include "app/run/program_rights.hpp"
#include "app/run/run_shim_bytes.hpp"
#include "app/run/server_process.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace valkyr::app {

namespace {

/// The environment of this process with some variables replaced.
class Environment {
public:
    Environment() {
        for (char** entry = environ; *entry != nullptr; ++entry)
            entries_.emplace_back(*entry);
    }
    void remove(const std::string& name) {
        std::erase_if(entries_,
                      [&](const std::string& entry) { return entry.starts_with(name + "="); });
    }
    void set(const std::string& name, const std::string& value) {
        remove(name);
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

/// command  "run", or the command that runs a client of its own
int fail(const char* command, const std::string& text) {
    std::fprintf(stderr, "valkyr %s: %s\n", command, text.c_str());
    return kExitError;
}

/// Reports a failure that is not the program's fault, with a hint to `valkyr doctor`.
int fail_to_start(const char* command, const std::string& text) {
    fail(command, text);
    std::fprintf(stderr, "%s\n", kDoctorHint);
    return kExitError;
}

/// Mesa's variable for a folder to which it writes the GLSL of all programs that are linked.
constexpr const char* kCaptureVariable = "MESA_SHADER_CAPTURE_PATH";

/// Whether the trace shall keep the program's GLSL. A folder that the user has chosen has files of
/// other runs, too.
bool keeps_glsl(const ProgramRun& run) {
    return !run.request.options.trace_file.empty() && !run.no_glsl &&
           std::getenv(kCaptureVariable) == nullptr;
}

/// The program, for the signal handler; 0: not started, or ended.
std::atomic<pid_t> running_program = 0;
std::atomic<bool> terminated = false;  ///< SIGTERM has come, maybe before the program started

/// Passes SIGTERM on to the program. The terminal sends SIGINT to the program itself, and this
/// process ends after the program.
void pass_on(int signal) {
    if (signal != SIGTERM)
        return;
    terminated = true;
    if (running_program != 0)
        kill(running_program, SIGTERM);
}

/// The program's environment: it selects Mesa's virpipe driver, which the shim connects.
Environment client_environment(const std::string& socket, const std::string& shim) {
    Environment environment;
    const std::string preloads = wanted_preloads();
    environment.set("LD_PRELOAD", preloads.empty() ? shim : shim + ":" + preloads);
    environment.remove(kWantedPreloads);
    environment.set("VALKYR_VTEST_SOCKET", socket);  // for the shim
    environment.set("VTEST_SOCKET_NAME", socket);    // for newer Mesa
    environment.set("LIBGL_ALWAYS_SOFTWARE", "1");
    environment.set("GALLIUM_DRIVER", "virpipe");
    // Mesa's client executes selection and feedback itself. It shall interpret them: compiling them
    // with LLVM takes far too long in some programs.
    if (std::getenv("DRAW_USE_LLVM") == nullptr)
        environment.set("DRAW_USE_LLVM", "0");
    return environment;
}

/// Leads the program to a client that is not the system's.
void use_client(Environment& environment, const ClientFolder& client, const PrivateFolder& folder) {
    const char* path = std::getenv("LD_LIBRARY_PATH");
    for (const auto& [name, value] :
         client_variables(client, path != nullptr ? path : "", folder.egl_vendor()))
        environment.set(name, value);
}

/// Writes the files that the program's environment names.
Result<void> fill(const PrivateFolder& folder, const std::optional<ClientFolder>& client) {
    VALKYR_TRY_VOID(write_output(folder.shim(), run_shim_bytes()));
    if (client)
        VALKYR_TRY_VOID(write_output(folder.egl_vendor(), egl_vendor_text(*client)));
    return {};
}

/// Waits for the program. Returns a shell's exit code: 128 + signal if it was killed.
int wait_for_program(const char* command, pid_t program, const ServerProcess& server) {
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, 0);
        if (ended < 0 && errno != EINTR)
            return fail(command, std::string("waitpid: ") + std::strerror(errno));
        if (ended == program)
            return exit_code_of(status);
        if (ended != server.pid())
            continue;
        // Without a socket, the program gets an error instead of waiting for ever.
        server.remove_socket();
        fail(command, "the server has ended, exit code " + std::to_string(exit_code_of(status)));
    }
}

/// Starts a program that gets SIGTERM from then on.
Result<pid_t> start_program(std::vector<std::string> words, Environment environment) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(),
                                   environment.pointers().data());
    if (error != 0)
        return Error{Errc::System, {}, words[0] + ": " + std::strerror(error)};
    running_program = child;
    if (terminated)
        kill(child, SIGTERM);
    return child;
}

/// Starts the program and waits for it.
int run_program(const char* command,
                std::vector<std::string> program,
                const ServerProcess& server,
                Environment environment) {
    const auto child = start_program(std::move(program), std::move(environment));
    if (!child.has_value())
        return fail(command, child.error().text);
    const int code = wait_for_program(command, *child, server);
    running_program = 0;
    return code;
}

/// Has `valkyr glsl` add the GLSL to the trace, since it runs Mesa again. The trace is whole
/// without it, so the program's exit code counts. That command says what fails.
void keep_glsl(const char* command, const std::string& folder, const std::string& trace) {
    std::error_code error;
    if (std::filesystem::is_empty(folder, error) || terminated)
        return;
    const auto child =
        start_program({own_program(), "glsl", kKeepOption, trace, folder}, Environment());
    if (!child.has_value()) {
        fail(command, child.error().text);
        return;
    }
    int status = 0;
    while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    running_program = 0;
}

/// Starts a display if --xvfb is given and the environment names none.
Result<std::optional<Display>> display_for(const ProgramRun& run) {
    const char* given = std::getenv("DISPLAY");
    if (!run.xvfb || (given != nullptr && *given != 0))
        return std::optional<Display>();
    VALKYR_TRY(display, Display::start());
    return std::optional<Display>(std::move(display));
}

}  // namespace

int run_on_valkyr(ProgramRun run) {
    const char* const command = run.request.command;
    leave_preloads();
    if (const std::string hindrance = hindrance_of_preloads(run.program[0]); !hindrance.empty())
        return fail(command, hindrance);
    const auto client = find_client(run.client, own_program());
    if (!client.has_value())
        return fail(command, client.error().text);
    const PrivateFolder folder;
    if (folder.path().empty())
        return fail_to_start(command,
                             "no folder in " + PrivateFolder::base() + ": " + std::strerror(errno));
    const auto written = fill(folder, *client);
    if (!written.has_value())
        return fail_to_start(command, written.error().text);
    run.request.server.socket_path = folder.socket();
    std::optional<HeldSignals> held(std::in_place);
    const auto server = ServerProcess::start(run.request, *held);
    if (!server.has_value())
        return fail_to_start(command, server.error().text);
    std::signal(SIGINT, pass_on);
    std::signal(SIGTERM, pass_on);
    held.reset();
    Environment environment = client_environment(folder.socket(), folder.shim());
    if (*client)
        use_client(environment, **client, folder);
    if (std::error_code error;
        keeps_glsl(run) && std::filesystem::create_directory(folder.glsl(), error))
        environment.set(kCaptureVariable, folder.glsl());
    const auto display = display_for(run);
    if (!display.has_value())
        fail_to_start(command, display.error().text);
    else if (*display)
        environment.set("DISPLAY", (*display)->name());
    const int status = display.has_value()
                           ? run_program(command, run.program, *server, std::move(environment))
                           : kExitError;
    server->stop();
    const int served = server->wait();
    if (keeps_glsl(run) && served == kExitOk)
        keep_glsl(command, folder.glsl(), run.request.options.trace_file);
    return status == kExitOk ? served : status;
}

}  // namespace valkyr::app
