// Sandbox: restricts a server to the system calls that it makes, by a seccomp filter.
// SPDX-License-Identifier: MIT
#include "app/run/sandbox.hpp"

#include "base/sanitizers.hpp"

#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <seccomp.h>
#include <string>
#include <sys/mman.h>

namespace valkyr::app {

namespace {

constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

using Filter = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

/// Memory, threads, time and signals, as the C++ library needs them.
constexpr int kRuntime[] = {
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clone),
    SCMP_SYS(clone3),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(madvise),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(nanosleep),
    SCMP_SYS(prlimit64),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(tgkill),
};

/// Clients: existing sockets, descriptors received through them, memory shared with clients.
constexpr int kClients[] = {
    SCMP_SYS(accept4),  SCMP_SYS(close),        SCMP_SYS(dup),        SCMP_SYS(fcntl),
    SCMP_SYS(fstat),    SCMP_SYS(ftruncate),    SCMP_SYS(geteuid),    SCMP_SYS(getsockopt),
    SCMP_SYS(lseek),    SCMP_SYS(memfd_create), SCMP_SYS(newfstatat), SCMP_SYS(poll),
    SCMP_SYS(ppoll),    SCMP_SYS(pread64),      SCMP_SYS(read),       SCMP_SYS(readv),
    SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),      SCMP_SYS(sendmsg),    SCMP_SYS(sendto),
    SCMP_SYS(shutdown), SCMP_SYS(write),        SCMP_SYS(writev),
};

/// Files, for options that write some.
constexpr int kFiles[] = {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(stat), SCMP_SYS(lstat)};

/// Allows all calls of a list; false: libseccomp refuses.
template <size_t kCount>
bool allow(scmp_filter_ctx filter, const int (&calls)[kCount]) {
    for (const int call : calls)
        // Negative numbers stand for calls that this architecture lacks.
        if (call >= 0 && seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) != 0)
            return false;
    return true;
}

/// Allows mappings that are not both writable and executable: code pages stay W^X.
bool allow_mappings(scmp_filter_ctx filter) {
    constexpr unsigned kProtection = 2;  // which argument of both calls
    constexpr scmp_datum_t kBoth = PROT_WRITE | PROT_EXEC;
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
        for (const scmp_datum_t one :
             {scmp_datum_t{0}, scmp_datum_t{PROT_WRITE}, scmp_datum_t{PROT_EXEC}}) {
            const scmp_arg_cmp masked{kProtection, SCMP_CMP_MASKED_EQ, kBoth, one};
            if (seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &masked) != 0)
                return false;
        }
    return true;
}

Error refused(int error) {
    return Error{Errc::System, {}, std::string("no sandbox: ") + std::strerror(error)};
}

}  // namespace

Result<void> enter_sandbox(const SandboxNeeds& needs) {
    if (kSanitized)
        return {};
    const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release);
    if (!filter)
        return refused(ENOMEM);
    if (!allow(filter.get(), kRuntime) || !allow(filter.get(), kClients) ||
        !allow_mappings(filter.get()) || (needs.open_files && !allow(filter.get(), kFiles)))
        return refused(EINVAL);
    // seccomp_load() also sets "no new privileges", which a filter of an unprivileged process
    // requires.
    if (const int error = seccomp_load(filter.get()); error != 0)
        return refused(-error);
    return {};
}

}  // namespace valkyr::app
