// Preloaded into programs by `valkyr run`: sends Mesa's hard-coded socket path to our server.
// SPDX-License-Identifier: MIT
//
// Mesa 22.3 connects to /tmp/.virgl_test and has no variable for it. VALKYR_VTEST_SOCKET names the
// socket of the server that shall serve this program. Nothing but that one connect() is touched.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace {

constexpr const char* kHardCoded = "/tmp/.virgl_test";
using Connect = int (*)(int, const sockaddr*, socklen_t);

bool is_hard_coded(const sockaddr* address, socklen_t length) {
    if (address == nullptr || length < sizeof(sa_family_t) + std::strlen(kHardCoded) ||
        address->sa_family != AF_UNIX)
        return false;
    const char* path = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
    return std::strncmp(path, kHardCoded, length - sizeof(sa_family_t)) == 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int
connect(int fd, const sockaddr* address, socklen_t length) {  // NOLINT: the C library's name
    static const auto next = reinterpret_cast<Connect>(dlsym(RTLD_NEXT, "connect"));
    const char* path = std::getenv("VALKYR_VTEST_SOCKET");
    if (path == nullptr || !is_hard_coded(address, length))
        return next(fd, address, length);
    sockaddr_un other{};
    other.sun_family = AF_UNIX;
    std::strncpy(other.sun_path, path, sizeof other.sun_path - 1);
    return next(fd, reinterpret_cast<const sockaddr*>(&other), sizeof other);
}
