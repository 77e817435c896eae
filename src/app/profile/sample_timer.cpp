// Sample timer: notes what the calling thread executes, many times a second.
// SPDX-License-Identifier: MIT
#include "app/profile/sample_timer.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace valkyr::profile {

namespace {

/// A routine keeps less than this on the stack above the kernel that called it.
constexpr size_t kSearchedBytes = 16 << 10;

/// The next instruction and the stack of the interrupted thread.
std::pair<uintptr_t, uintptr_t> place_of(const ucontext_t& context) {
#if defined(__x86_64__)
    return {static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]),
            static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP])};
#elif defined(__aarch64__)
    return {context.uc_mcontext.pc, context.uc_mcontext.sp};
#else
    (void)context;
    return {0, 0};
#endif
}

/// The end of the calling thread's stack; 0: unknown.
uintptr_t end_of_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    void* lowest = nullptr;
    size_t bytes = 0;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<uintptr_t>(lowest) + bytes;
}

}  // namespace

struct SampleTimer::System {
    timer_t timer{};
    bool has_timer = false;
    struct sigaction before {};
    bool has_action = false;

    static void fired(int /*signal*/, siginfo_t* info, void* context) {
        if (info->si_code != SI_TIMER)
            return;
        const auto [address, stack] = place_of(*static_cast<const ucontext_t*>(context));
        static_cast<SampleTimer*>(info->si_value.sival_ptr)
            ->note(address, stack, 1U + static_cast<uint32_t>(std::max(info->si_overrun, 0)));
    }
};

SampleTimer::SampleTimer(std::chrono::nanoseconds period)
    : period_(period)
    , system_(std::make_unique<System>())
    , samples_(std::make_unique<Sample[]>(kMaxSamples))
    , stack_end_(end_of_stack()) {}

Result<std::unique_ptr<SampleTimer>> SampleTimer::create(std::chrono::nanoseconds period) {
    std::unique_ptr<SampleTimer> made(new SampleTimer(period));
    const auto failed = [](const char* what) {
        return Error{Errc::System, {}, std::string(what) + ": " + std::strerror(errno)};
    };
    struct sigaction action {};
    action.sa_sigaction = System::fired;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGPROF, &action, &made->system_->before) != 0)
        return failed("sigaction");
    made->system_->has_action = true;
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_value.sival_ptr = made.get();
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    if (timer_create(CLOCK_MONOTONIC, &event, &made->system_->timer) != 0)
        return failed("timer_create");
    made->system_->has_timer = true;
    itimerspec time{};
    time.it_interval.tv_nsec = static_cast<long>(period.count());
    time.it_value = time.it_interval;
    if (timer_settime(made->system_->timer, 0, &time, nullptr) != 0)
        return failed("timer_settime");
    return made;
}

SampleTimer::~SampleTimer() {
    if (system_->has_timer)
        timer_delete(system_->timer);
    // A signal that is on its way would end the process without a handler.
    if (system_->has_action && system_->before.sa_handler != SIG_DFL)
        sigaction(SIGPROF, &system_->before, nullptr);
    else if (system_->has_action)
        std::signal(SIGPROF, SIG_IGN);
}

void SampleTimer::note(uintptr_t address, uintptr_t stack, uint32_t weight) noexcept {
    if (!active_ || is_full())
        return;
    Sample& sample = samples_[count_++];
    sample = {address, 0, kernel_.begin, weight};
    if (kernel_.begin == kernel_.end || kernel_.contains(address))
        return;
    // The lowest word that points into the kernel is where its routine returns to.
    const uintptr_t end = std::min(stack + kSearchedBytes, stack_end_);
    for (uintptr_t at = stack & ~uintptr_t{7}; at + sizeof(uintptr_t) <= end;
         at += sizeof(uintptr_t)) {
        uintptr_t word;
        std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof(word));
        if (kernel_.contains(word)) {
            sample.caller = word;
            return;
        }
    }
}

}  // namespace valkyr::profile
