// Creation turn: lets one thread of a program at a time create a resource.
// SPDX-License-Identifier: MIT
#include "app/run/shim/creation_turn.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace valkyr::shim {
namespace {

/// A driver that has had a processor for so long has incremented its number. Time of the clock
/// would not do: other programs may have the processor meanwhile.
constexpr uint64_t kDriverNanoseconds = 1'000'000;
/// How often a thread that waits looks at the one that goes on.
constexpr auto kLook = std::chrono::microseconds(500);

/// A thread that was seen after a creation.
struct Seen {
    pid_t thread = 0;
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;
    uint64_t nanoseconds = 0;  ///< of the processor
};

uint64_t nanoseconds_of(const timespec& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

Seen see_this_thread() {
    Seen seen;
    seen.thread = static_cast<pid_t>(syscall(SYS_gettid));
    pthread_getcpuclockid(pthread_self(), &seen.clock);
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    seen.nanoseconds = nanoseconds_of(now);
    return seen;
}

/// Says whether the thread waits for something. proc(5): the state follows the name in brackets.
bool sleeps(pid_t thread) {
    const std::string path = "/proc/self/task/" + std::to_string(thread) + "/stat";
    const int flags = O_RDONLY | O_CLOEXEC;
    const auto fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags));
    if (fd < 0)
        return false;
    char text[128];
    const auto count = syscall(SYS_read, fd, text, sizeof text);
    syscall(SYS_close, fd);
    const std::string_view stat(text, count > 0 ? static_cast<size_t>(count) : 0);
    return stat.substr(std::min(stat.rfind(')'), stat.size())).starts_with(") S");
}

/// Says whether a thread has gone on since it was seen, or has ended. Nothing waits between a
/// creation and the increment: a thread that sleeps has incremented.
bool has_gone_on(const Seen& seen) {
    timespec now{};
    return clock_gettime(seen.clock, &now) != 0 ||
           nanoseconds_of(now) - seen.nanoseconds >= kDriverNanoseconds || sleeps(seen.thread);
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
