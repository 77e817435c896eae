// Creation turn: lets one thread of a program at a time create a resource.
// SPDX-License-Identifier: MIT
#include "app/run/shim/creation_turn.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace valkyr::shim {
namespace {

/// A driver that has had a processor for so long has incremented its number. Time of the clock
/// would not do: other programs may have the processor meanwhile.
constexpr int64_t kDriverNanoseconds = 1'000'000;
/// How often a thread that waits looks at the one that goes on.
constexpr auto kLook = std::chrono::microseconds(500);
/// How long it waits if it cannot look: a sandbox may hide /proc.
constexpr auto kPatience = std::chrono::milliseconds(20);

/// A thread that was seen after a creation.
struct Seen {
    pid_t thread = 0;
    int64_t nanoseconds = 0;  ///< of the processor
    std::chrono::steady_clock::time_point at;
};

/// A clock of another thread would be simpler, but sandboxes end processes that ask for one.
Seen see_this_thread() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return {static_cast<pid_t>(syscall(SYS_gettid)),
            static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec,
            std::chrono::steady_clock::now()};
}

/// The text of a file of proc(5) for a thread of this process; empty if it cannot be read.
std::string read_of(pid_t thread, const char* file) {
    const std::string path = "/proc/self/task/" + std::to_string(thread) + "/" + file;
    const int flags = O_RDONLY | O_CLOEXEC;
    const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags));
    if (fd < 0)
        return {};
    char text[128];
    const auto count = syscall(SYS_read, fd, text, sizeof text);
    syscall(SYS_close, fd);
    return {text, count > 0 ? static_cast<size_t>(count) : 0};
}

/// Says whether the thread waits for something. The state follows the name in brackets.
bool sleeps(pid_t thread) {
    const std::string stat = read_of(thread, "stat");
    const size_t end = stat.rfind(')');
    return end != std::string::npos && stat.compare(end, 3, ") S") == 0;
}

/// Says whether a thread has gone on since it was seen. Nothing waits between a creation and the
/// increment: a thread that sleeps has incremented.
bool has_gone_on(const Seen& seen) {
    const int64_t nanoseconds = std::atoll(read_of(seen.thread, "schedstat").c_str());
    if (nanoseconds == 0)  // of a thread that has ended, too
        return std::chrono::steady_clock::now() - seen.at >= kPatience;
    return nanoseconds - seen.nanoseconds >= kDriverNanoseconds || sleeps(seen.thread);
}

thread_local char t_name;
/// This thread may still have the turn.
thread_local bool t_created;

struct Turn {
    std::mutex mutex;
    std::condition_variable change;
    const void* owner = nullptr;  ///< null: nobody
    bool created = false;
    Seen creator;
};
Turn g_turn;

}  // namespace

const void* this_thread() {
    return &t_name;
}

void take_creation_turn() {
    std::unique_lock lock(g_turn.mutex);
    while (g_turn.owner != nullptr && g_turn.owner != this_thread())
        if (!g_turn.created)
            g_turn.change.wait(lock);
        else if (has_gone_on(g_turn.creator))
            break;
        else
            g_turn.change.wait_for(lock, kLook);
    g_turn.owner = this_thread();
    g_turn.created = false;
}

void finish_creation() {
    t_created = true;
    const std::lock_guard lock(g_turn.mutex);
    if (g_turn.owner != this_thread())
        return;
    g_turn.created = true;
    g_turn.creator = see_this_thread();
    g_turn.change.notify_all();
}

bool is_at_creation() {
    return t_created;
}

void continue_creation() {
    const std::lock_guard lock(g_turn.mutex);
    if (g_turn.owner == this_thread())
        g_turn.created = false;
}

void leave_creation_turn() {
    t_created = false;
    const std::lock_guard lock(g_turn.mutex);
    if (g_turn.owner != this_thread())
        return;
    g_turn.owner = nullptr;
    g_turn.change.notify_all();
}

}  // namespace valkyr::shim
