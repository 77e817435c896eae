// Sandbox test: checks the refused calls, and that threads and memory still work.
// SPDX-License-Identifier: MIT
#include "app/run/sandbox.hpp"

#include <cerrno>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace valkyr;

namespace {

/// Runs `test` in a sandboxed child and returns its exit code; 100: the child could not enter the
/// sandbox.
int in_sandbox(const app::SandboxNeeds& needs, const std::function<bool()>& test) {
    const pid_t child = fork();
    if (child == 0) {
        if (!app::enter_sandbox(needs).has_value())
            _exit(100);
        _exit(test() ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool refused(long result) {
    return result < 0 && errno == EPERM;
}

/// Builds with sanitizers have no sandbox.
bool has_sandbox() {
    return in_sandbox({}, [] { return refused(open("/dev/null", O_RDONLY | O_CLOEXEC)); }) == 0;
}

}  // namespace

TEST_CASE("the sandbox refuses files, sockets, programs and other processes") {
    if (!has_sandbox()) {
        MESSAGE("no sandbox in this build");
        return;
    }
    CHECK(in_sandbox({}, [] { return refused(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)); }) ==
          0);
    CHECK(in_sandbox({}, [] {
              return refused(execl("/bin/true", "true", static_cast<char*>(nullptr)));
          }) == 0);
    CHECK(in_sandbox({}, [] { return refused(kill(getppid(), 0)); }) == 0);
    CHECK(in_sandbox({}, [] { return refused(unlink("/tmp/valkyr-no-such-file")); }) == 0);
    CHECK(in_sandbox({.open_files = true},
                     [] { return open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0; }) == 0);
}

TEST_CASE("in the sandbox no memory is writable and executable at once") {
    if (!has_sandbox())
        return;
    const auto map = [](int protection) {
        return mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    };
    CHECK(in_sandbox({}, [&] {
              return map(PROT_READ | PROT_WRITE | PROT_EXEC) == MAP_FAILED && errno == EPERM;
          }) == 0);
    CHECK(in_sandbox({}, [&] {
              void* pages = map(PROT_READ | PROT_WRITE);
              return pages != MAP_FAILED &&
                     refused(mprotect(pages, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
          }) == 0);
    CHECK(in_sandbox({}, [&] { return map(PROT_READ | PROT_EXEC) != MAP_FAILED; }) == 0);
}

TEST_CASE("threads and memory work in the sandbox, and threads are in it") {
    CHECK(in_sandbox({}, [] {
              bool good = false;
              std::thread([&good] {
                  const std::vector<char> large(size_t{64} << 20, 1);
                  good = large.back() == 1;
              }).join();
              return good;
          }) == 0);
    if (has_sandbox())
        CHECK(in_sandbox({}, [] {
                  bool good = false;
                  std::thread([&good] {
                      good = refused(open("/dev/null", O_RDONLY | O_CLOEXEC));
                  }).join();
                  return good;
              }) == 0);
}
