// Denied memory: refuses executable memory for as long as an object lives.
// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <sys/resource.h>

namespace valkyr::test {

/// Code pages are two mappings of a nameless file (memfd). The object forbids this process to grow
/// files.
class DeniedMemory {
public:
    DeniedMemory() {
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit none{0, old_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~DeniedMemory() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, handler_);
    }
    DeniedMemory(const DeniedMemory&) = delete;
    DeniedMemory& operator=(const DeniedMemory&) = delete;

private:
    rlimit old_{};
    void (*handler_)(int) = SIG_DFL;
};

}  // namespace valkyr::test
