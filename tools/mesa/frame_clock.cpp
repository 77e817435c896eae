// Frame clock: gives an OpenGL program a clock that goes by its frames, and stops it after one.
// SPDX-License-Identifier: MIT
//
// A library for LD_PRELOAD. Each frame takes 1/60 s, so that animations, random seeds and waits are
// the same in every run, on fast and slow drivers. FRAME_CLOCK_FRAMES is the frame after which the
// program stands still, with that picture in its window. Then FRAME_CLOCK_REPORT, a file, gets the
// number of frames after the first and the real seconds that these took.
//
// FRAME_CLOCK_PID is what getpid() says, for programs whose random numbers depend on it.
//
// The driver and the library of `valkyr run` keep the real clock: how often they ask is not the
// program's doing. For the program the clock stands between two frames, except where a program
// waits for it: the thread that draws and the first one move it by their sleeps, by the time after
// which their polls end without an event, and by asking for the time again and again.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#define FRAME_CLOCK_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kFrame = kSecond / 60;
constexpr int64_t kDate = 1'767'225'600 * kSecond;  ///< CLOCK_REALTIME at the start: 2026-01-01
constexpr int64_t kUptime = 1000 * kSecond;         ///< CLOCK_MONOTONIC at the start
constexpr int64_t kLongestSleep = kMillisecond;     ///< the real time of a sleep
constexpr unsigned kPatience = 1000;  ///< questions a frame that do not move the clock
constexpr unsigned kQuestions = 100;  ///< further ones for a millisecond

std::atomic<int64_t> frames{0};
std::atomic<int64_t> waited{0};       ///< nanoseconds besides those of frames
std::atomic<unsigned> questions{0};   ///< since the last frame
std::atomic<int64_t> first_frame{0};  ///< real time
std::atomic<pid_t> drawing_thread{0};

// ---------------------------------------------------------------------------------------------
// The functions behind the ones here.

using Symbol = void* (*)(void*, const char*) noexcept;

Symbol find_symbol() {
    static const Symbol found = [] {
        void* symbol = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        if (symbol == nullptr)
            symbol = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
        return reinterpret_cast<Symbol>(symbol);
    }();
    return found;
}

template <typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(find_symbol()(RTLD_NEXT, name));
}

/// A function of GLVND's library, whatever stands before it.
template <typename Function>
Function from(const char* library, const char* name) {
    void* const opened = dlopen(library, RTLD_LAZY);
    return opened != nullptr ? reinterpret_cast<Function>(find_symbol()(opened, name)) : nullptr;
}

/// Finds out whether code at this address is a driver's.
bool is_in_driver(const void* code) {
    Dl_info info{};
    if (dladdr(code, &info) == 0 || info.dli_fname == nullptr)
        return false;
    for (const char* const part : {"_dri.so", "libgallium", "_mesa.so", "libglapi", "valkyr"})
        if (std::strstr(info.dli_fname, part) != nullptr)
            return true;
    return false;
}

/// is_in_driver(), which is not asked twice for the same caller.
bool is_driver(void* caller) {
    static std::array<std::atomic<uintptr_t>, 256> known{};  ///< twice the address; + 1: a driver's
    const auto address = reinterpret_cast<uintptr_t>(caller);
    std::atomic<uintptr_t>& entry = known[address % known.size()];
    const uintptr_t found = entry;
    if (found >> 1 == address)
        return (found & 1) != 0;
    const bool answer = is_in_driver(caller);
    entry = address << 1 | static_cast<uintptr_t>(answer);
    return answer;
}

// ---------------------------------------------------------------------------------------------
// Time

int64_t nanoseconds(const timespec& t) {
    return int64_t{t.tv_sec} * kSecond + t.tv_nsec;
}

timespec as_timespec(int64_t t) {
    return {t / kSecond, t % kSecond};
}

int64_t real_time(clockid_t clock) {
    timespec t{};
    syscall(SYS_clock_gettime, clock, &t);
    return nanoseconds(t);
}

/// Whether the calling thread draws, or is the first one, for which the drawing one may wait.
bool draws() {
    const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
    return thread == drawing_thread || thread == static_cast<pid_t>(syscall(SYS_getpid));
}

void wait_for(int64_t time, void* caller) {
    if (draws() && !is_driver(caller))
        waited += time;
}

int64_t elapsed() {
    return frames * kFrame + waited;
}

bool counts_processor_time(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

int64_t start_of(clockid_t clock) {
    const bool is_date =
        clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return is_date ? kDate : kUptime;
}

/// The time, as an answer to the caller.
int64_t answer(clockid_t clock, void* caller) {
    if (is_driver(caller))
        return real_time(clock);
    if (draws() && ++questions > kPatience && questions % kQuestions == 0)
        waited += kMillisecond;
    return start_of(clock) + elapsed();
}

/// The clock of a deadline that names none: those before 2001 are uptimes.
clockid_t clock_of(const timespec& deadline) {
    return deadline.tv_sec < 1'000'000'000 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/// Calls wait(real deadline), whose result is an error number.
template <typename Wait>
int wait_until(clockid_t clock, const timespec& deadline, void* caller, Wait wait) {
    if (is_driver(caller))
        return wait(&deadline);
    const int64_t left = nanoseconds(deadline) - start_of(clock) - elapsed();
    const timespec real = as_timespec(real_time(clock) + (left > 0 ? left : 0));
    const int error = wait(&real);
    if (error == ETIMEDOUT && left > 0)
        wait_for(left, caller);
    return error;
}

/// Sleeps for a moment, and moves the clock by all of it; other threads sleep all of it.
int sleep_for(int64_t time, void* caller) {
    const bool moves = draws() && !is_driver(caller);
    timespec t = as_timespec(moves && time > kLongestSleep ? kLongestSleep : time);
    if (moves)
        waited += time;
    return syscall(SYS_nanosleep, &t, nullptr) == 0 ? 0 : errno;
}

// ---------------------------------------------------------------------------------------------
// Frames

/// Writes the report; whoever waits for the file finds it whole.
void report(int64_t frame) {
    const char* const path = std::getenv("FRAME_CLOCK_REPORT");
    if (path == nullptr)
        return;
    const std::string part = std::string(path) + ".part";
    std::FILE* const file = std::fopen(part.c_str(), "w");
    if (file == nullptr)
        return;
    const double seconds = static_cast<double>(real_time(CLOCK_MONOTONIC) - first_frame) / kSecond;
    std::fprintf(file, "%lld %.6f\n", static_cast<long long>(frame - 1), seconds);
    std::fclose(file);
    std::rename(part.c_str(), path);
}

void begin_frame() {
    drawing_thread = static_cast<pid_t>(syscall(SYS_gettid));
}

/// flush  sends what the window system has not got yet
template <typename Flush>
void end_frame(Flush flush) {
    static const int64_t last = [] {
        const char* const number = std::getenv("FRAME_CLOCK_FRAMES");
        return number != nullptr ? std::atoll(number) : INT64_MAX;
    }();
    questions = 0;
    const int64_t frame = ++frames;
    if (frame == 1)
        first_frame = real_time(CLOCK_MONOTONIC);
    if (frame < last)
        return;
    flush();
    report(frame);
    for (;;)
        pause();
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Swaps

FRAME_CLOCK_EXPORT void glXSwapBuffers(void* display, unsigned long drawable) {
    static const auto swap = from<void (*)(void*, unsigned long)>("libGLX.so.0", "glXSwapBuffers");
    begin_frame();
    swap(display, drawable);
    end_frame([&] {
        static const auto sync = from<int (*)(void*, int)>("libX11.so.6", "XSync");
        sync(display, 0);
    });
}

namespace {

unsigned end_egl_frame(unsigned result) {
    end_frame([] {
        static const auto wait = from<unsigned (*)()>("libEGL.so.1", "eglWaitClient");
        wait();
    });
    return result;
}

}  // namespace

FRAME_CLOCK_EXPORT unsigned eglSwapBuffers(void* display, void* surface) {
    static const auto swap = from<unsigned (*)(void*, void*)>("libEGL.so.1", "eglSwapBuffers");
    begin_frame();
    return end_egl_frame(swap(display, surface));
}

namespace {

using GetAddress = void* (*)(const char*);

unsigned swap_with_damage(void* display, void* surface, const int* rects, int count) {
    using Swap = unsigned (*)(void*, void*, const int*, int);
    static const auto swap = [] {
        const auto get = from<GetAddress>("libEGL.so.1", "eglGetProcAddress");
        return reinterpret_cast<Swap>(get("eglSwapBuffersWithDamageKHR"));
    }();
    begin_frame();
    return end_egl_frame(swap(display, surface, rects, count));
}

void* ours(const char* name);

}  // namespace

FRAME_CLOCK_EXPORT void* glXGetProcAddressARB(const char* name) {
    static const auto get = from<GetAddress>("libGLX.so.0", "glXGetProcAddressARB");
    void* const symbol = get(name);
    void* const own = symbol != nullptr ? ours(name) : nullptr;
    return own != nullptr ? own : symbol;
}

FRAME_CLOCK_EXPORT void* glXGetProcAddress(const char* name) {
    return glXGetProcAddressARB(name);
}

FRAME_CLOCK_EXPORT void* eglGetProcAddress(const char* name) {
    static const auto get = from<GetAddress>("libEGL.so.1", "eglGetProcAddress");
    void* const symbol = get(name);
    void* const own = symbol != nullptr ? ours(name) : nullptr;
    return own != nullptr ? own : symbol;
}

namespace {

struct Named {
    const char* name;
    void* function;
};

/// The function here of a name that programs look up; null for others.
void* ours(const char* name) {
    static const std::array<Named, 7> functions = {{
        {"glXSwapBuffers", reinterpret_cast<void*>(&glXSwapBuffers)},
        {"eglSwapBuffers", reinterpret_cast<void*>(&eglSwapBuffers)},
        {"eglSwapBuffersWithDamageKHR", reinterpret_cast<void*>(&swap_with_damage)},
        {"eglSwapBuffersWithDamageEXT", reinterpret_cast<void*>(&swap_with_damage)},
        {"glXGetProcAddressARB", reinterpret_cast<void*>(&glXGetProcAddressARB)},
        {"glXGetProcAddress", reinterpret_cast<void*>(&glXGetProcAddress)},
        {"eglGetProcAddress", reinterpret_cast<void*>(&eglGetProcAddress)},
    }};
    for (const Named& f : functions)
        if (std::strcmp(f.name, name) == 0)
            return f.function;
    return nullptr;
}

}  // namespace

// Its last call must be a jump: the function behind it finds RTLD_NEXT by its return address.
FRAME_CLOCK_EXPORT void* dlsym(void* library, const char* name) noexcept {
    void* const own = name[0] == 'g' || name[0] == 'e' ? ours(name) : nullptr;
    return own != nullptr ? own : find_symbol()(library, name);
}

// ---------------------------------------------------------------------------------------------
// Clocks

FRAME_CLOCK_EXPORT int clock_gettime(clockid_t clock, timespec* t) noexcept {
    if (counts_processor_time(clock))
        return static_cast<int>(syscall(SYS_clock_gettime, clock, t));
    *t = as_timespec(answer(clock, __builtin_return_address(0)));
    return 0;
}

FRAME_CLOCK_EXPORT int gettimeofday(timeval* t, void*) noexcept {
    const int64_t now = answer(CLOCK_REALTIME, __builtin_return_address(0));
    *t = {now / kSecond, now % kSecond / 1000};
    return 0;
}

FRAME_CLOCK_EXPORT time_t time(time_t* t) noexcept {
    const time_t now = answer(CLOCK_REALTIME, __builtin_return_address(0)) / kSecond;
    if (t != nullptr)
        *t = now;
    return now;
}

FRAME_CLOCK_EXPORT clock_t times(tms* t) noexcept {
    syscall(SYS_times, t);
    return answer(CLOCK_MONOTONIC, __builtin_return_address(0)) / (kSecond / sysconf(_SC_CLK_TCK));
}

// ---------------------------------------------------------------------------------------------
// Waits

FRAME_CLOCK_EXPORT int nanosleep(const timespec* t, timespec* left) {
    if (left != nullptr)
        *left = {};
    const int error = sleep_for(nanoseconds(*t), __builtin_return_address(0));
    errno = error != 0 ? error : errno;
    return error != 0 ? -1 : 0;
}

FRAME_CLOCK_EXPORT int
clock_nanosleep(clockid_t clock, int flags, const timespec* t, timespec* left) {
    if (left != nullptr)
        *left = {};
    if (is_driver(__builtin_return_address(0)))
        return syscall(SYS_clock_nanosleep, clock, flags, t, left) == 0 ? 0 : errno;
    const bool is_deadline = (flags & TIMER_ABSTIME) != 0;
    const int64_t time = nanoseconds(*t) - (is_deadline ? start_of(clock) + elapsed() : 0);
    return time > 0 ? sleep_for(time, __builtin_return_address(0)) : 0;
}

FRAME_CLOCK_EXPORT int usleep(useconds_t microseconds) {
    sleep_for(int64_t{microseconds} * 1000, __builtin_return_address(0));
    return 0;
}

FRAME_CLOCK_EXPORT unsigned sleep(unsigned seconds) {
    sleep_for(seconds * kSecond, __builtin_return_address(0));
    return 0;
}

FRAME_CLOCK_EXPORT int poll(pollfd* files, nfds_t count, int timeout) {
    static const auto poll_next = next<int (*)(pollfd*, nfds_t, int)>("poll");
    const int ready = poll_next(files, count, timeout);
    if (ready == 0 && timeout > 0)
        wait_for(timeout * kMillisecond, __builtin_return_address(0));
    return ready;
}

FRAME_CLOCK_EXPORT int
ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* signals) {
    static const auto poll_next =
        next<int (*)(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
    const int ready = poll_next(files, count, timeout, signals);
    if (ready == 0 && timeout != nullptr)
        wait_for(nanoseconds(*timeout), __builtin_return_address(0));
    return ready;
}

FRAME_CLOCK_EXPORT int epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
    static const auto wait_next = next<int (*)(int, epoll_event*, int, int)>("epoll_wait");
    const int ready = wait_next(epoll, events, count, timeout);
    if (ready == 0 && timeout > 0)
        wait_for(timeout * kMillisecond, __builtin_return_address(0));
    return ready;
}

FRAME_CLOCK_EXPORT int
select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* timeout) {
    static const auto select_next =
        next<int (*)(int, fd_set*, fd_set*, fd_set*, timeval*)>("select");
    const int64_t time =
        timeout != nullptr ? timeout->tv_sec * kSecond + timeout->tv_usec * 1000 : 0;
    const int ready = select_next(count, in, out, special, timeout);
    if (ready == 0)
        wait_for(time, __builtin_return_address(0));
    return ready;
}

FRAME_CLOCK_EXPORT int
pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* t) {
    using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*);
    static const auto wait = next<Wait>("pthread_cond_timedwait");
    return wait_until(clock_of(*t), *t, __builtin_return_address(0),
                      [&](const timespec* real) { return wait(condition, mutex, real); });
}

FRAME_CLOCK_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition,
                                              pthread_mutex_t* mutex,
                                              clockid_t clock,
                                              const timespec* t) {
    using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
    static const auto wait = next<Wait>("pthread_cond_clockwait");
    return wait_until(clock, *t, __builtin_return_address(0),
                      [&](const timespec* real) { return wait(condition, mutex, clock, real); });
}

namespace {

int wait_semaphore(sem_t* semaphore, clockid_t clock, const timespec* t, void* caller) {
    static const auto wait = next<int (*)(sem_t*, clockid_t, const timespec*)>("sem_clockwait");
    const int error = wait_until(clock, *t, caller, [&](const timespec* real) {
        return wait(semaphore, clock, real) == 0 ? 0 : errno;
    });
    errno = error != 0 ? error : errno;
    return error != 0 ? -1 : 0;
}

}  // namespace

FRAME_CLOCK_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* t) {
    return wait_semaphore(semaphore, clock, t, __builtin_return_address(0));
}

FRAME_CLOCK_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* t) {
    return wait_semaphore(semaphore, CLOCK_REALTIME, t, __builtin_return_address(0));
}

// ---------------------------------------------------------------------------------------------
// Random seeds besides the time

FRAME_CLOCK_EXPORT pid_t getpid() noexcept {
    static const char* const number = std::getenv("FRAME_CLOCK_PID");
    return number != nullptr ? std::atoi(number) : static_cast<pid_t>(syscall(SYS_getpid));
}
