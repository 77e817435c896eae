// Server start: has `valkyr vtest` serve this process.
// SPDX-License-Identifier: MIT
#include "osmesa/server_start.hpp"

#include "osmesa/own_folder.hpp"
#include "osmesa/report.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace valkyr::osmesa {

namespace {

constexpr int kMostMilliseconds = 20000;
constexpr int kStepMilliseconds = 2;

/// The command: from the environment, or from the folders of an installation or a build, or the
/// name alone, which PATH resolves.
std::string command_path() {
    if (const char* given = std::getenv("VALKYR_COMMAND"); given != nullptr && *given != 0)
        return given;
    const std::string beside = beside_library({"../../bin/valkyr", "../bin/valkyr"}, X_OK);
    return beside.empty() ? "valkyr" : beside;
}

std::vector<std::string> command_line(const std::string& socket) {
    std::vector<std::string> words = {command_path(), "vtest",    "--once",
                                      "--quiet",      "--socket", socket};
    const char* more = std::getenv("VALKYR_OSMESA_OPTIONS");
    std::istringstream options(more != nullptr ? more : "");
    for (std::string word; options >> word;)
        words.push_back(word);
    return words;
}

/// Runs in the process that fork() makes of a program with threads, so it only calls functions that
/// are safe there. The server's parent ends at once. `alive` stays open in the server.
[[noreturn]] void become_server(char* const* words, int alive) {
    if (fork() != 0)
        _exit(0);
    setsid();  // signals of the terminal are for the program
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    fcntl(alive, F_SETFD, 0);
    execvp(words[0], words);
    constexpr char text[] = "libOSMesa (Valkyr): the command `valkyr` does not start: install it, "
                            "or name it in VALKYR_COMMAND\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

/// Whether the socket comes into being before the server closes its end of the pipe.
bool wait_for_socket(const std::string& socket, int server_ends) {
    for (int waited = 0; waited < kMostMilliseconds; waited += kStepMilliseconds) {
        struct stat status {};
        if (stat(socket.c_str(), &status) == 0 && S_ISSOCK(status.st_mode))
            return true;
        pollfd ended{server_ends, POLLIN, 0};
        if (poll(&ended, 1, kStepMilliseconds) > 0)
            return false;
    }
    return false;
}

/// Starts the server and waits until it listens.
bool start(const std::string& socket) {
    std::vector<std::string> words = command_line(socket);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0)
        become_server(pointers.data(), ends[1]);
    close(ends[1]);
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    const bool listens = child > 0 && wait_for_socket(socket, ends[0]);
    close(ends[0]);
    return listens;
}

}  // namespace

ServerStart::ServerStart() {
    const char* base = std::getenv("XDG_RUNTIME_DIR");
    std::string pattern = std::string(base != nullptr && access(base, W_OK) == 0 ? base : "/tmp") +
                          "/valkyr-osmesa-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
        report("no folder %s: %s", pattern.c_str(), std::strerror(errno));
        return;
    }
    folder_ = pattern;
    socket_ = folder_ + "/socket";
    if (start(socket_))
        return;
    report("the server did not start (`%s vtest`)", command_path().c_str());
    socket_.clear();
}

ServerStart::~ServerStart() {
    if (folder_.empty())
        return;
    unlink((folder_ + "/socket").c_str());
    rmdir(folder_.c_str());
}

}  // namespace valkyr::osmesa
