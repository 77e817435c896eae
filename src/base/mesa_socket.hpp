// Mesa's socket: recognises the one that Mesa's client has built in, and reads replies from ours.
// SPDX-License-Identifier: MIT
//
// Mesa up to 23.0 connects to /tmp/.virgl_test and has no variable for the path. The libraries that
// lead it elsewhere run in foreign processes and link nothing, so all is inline.
#pragma once

#include "base/patience.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace valkyr::mesa_socket {

inline constexpr const char* kBuiltIn = "/tmp/.virgl_test";

/// Whether an address is that of a socket in the file system at `path`.
inline bool is_path(const sockaddr* address, socklen_t length, const char* path) {
    if (address == nullptr || length < sizeof(sa_family_t) + std::strlen(path) ||
        address->sa_family != AF_UNIX)
        return false;
    const char* own = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
    return std::strncmp(own, path, length - sizeof(sa_family_t)) == 0;
}

inline bool is_built_in(const sockaddr* address, socklen_t length) {
    return is_path(address, length, kBuiltIn);
}

/// The address of a path, cut off where it is too long.
inline sockaddr_un address_of(const char* path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

/// Whether bytes, the end of the file or an error come while polling; `count` is then the result
/// for read(). Most replies come at once, and waking an idle processor takes longer.
inline bool read_soon(int fd, void* bytes, size_t size, ssize_t& count) {
    thread_local Patience patience;
    return look_for(patience, [&] {
        count = recv(fd, bytes, size, MSG_DONTWAIT);
        return count >= 0 || errno != EAGAIN;
    });
}

}  // namespace valkyr::mesa_socket
