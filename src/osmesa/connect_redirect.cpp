// Connect redirect: leads Mesa's client to a socket of ours.
// SPDX-License-Identifier: MIT
//
// A function of the same name that preloads or precedes the C library would do for programs that
// link this library, but not for those that load it. So the driver's own table of functions from
// other libraries gets another address for connect(); no other library's calls change.
#include "osmesa/connect_redirect.hpp"

#include "base/mesa_socket.hpp"
#include "osmesa/function_tables.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace valkyr::osmesa {

namespace {

constexpr const char* kDriver = "swrast_dri.so";

/// Where connect() leads, and the descriptor that it connected last.
struct Redirection {
    sockaddr_un address{};
    std::atomic<int> descriptor = -1;
};

Redirection& redirection() {
    static Redirection instance;
    return instance;
}

int redirected_connect(int fd, const sockaddr* address, socklen_t length) {
    if (!mesa_socket::is_built_in(address, length))
        return connect(fd, address, length);
    Redirection& to = redirection();
    const int result =
        connect(fd, reinterpret_cast<const sockaddr*>(&to.address), sizeof to.address);
    if (result == 0)
        to.descriptor = fd;
    return result;
}

/// Mesa may have closed the descriptor, and reused its number for a file.
ssize_t patient_read(int fd, void* bytes, size_t size) {
    Redirection& to = redirection();
    ssize_t count = 0;
    if (fd != to.descriptor || !mesa_socket::read_soon(fd, bytes, size, count))
        return read(fd, bytes, size);
    if (count >= 0 || errno != ENOTSOCK)
        return count;
    to.descriptor = -1;
    return read(fd, bytes, size);
}

link_map* map_of(void* library) {
    link_map* map = nullptr;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

/// The folders in which Mesa looks for drivers.
std::vector<std::string> driver_folders() {
    std::vector<std::string> folders;
    const char* given = std::getenv("LIBGL_DRIVERS_PATH");
    std::istringstream list(given != nullptr ? given : "");
    for (std::string folder; std::getline(list, folder, ':');)
        folders.push_back(folder);
    if (!folders.empty())  // Mesa looks nowhere else, and another client must not be loaded
        return folders;
    if (void* mesa = dlopen("libEGL_mesa.so.0", RTLD_LAZY | RTLD_LOCAL); mesa != nullptr)
        if (const link_map* map = map_of(mesa); map != nullptr) {
            const std::string file = map->l_name;
            folders.push_back(file.substr(0, file.rfind('/')) + "/dri");
        }
    folders.emplace_back("/usr/lib/dri");
    return folders;
}

}  // namespace

void redirect_connect(const std::string& socket) {
    Redirection& to = redirection();
    to.address = mesa_socket::address_of(socket.c_str());
    for (const std::string& folder : driver_folders()) {
        void* driver = dlopen((folder + "/" + kDriver).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (driver == nullptr)
            continue;
        if (const link_map* map = map_of(driver); map != nullptr) {
            const LoadedLibrary library{map->l_addr, map->l_ld};
            replace_function(library, "connect", reinterpret_cast<const void*>(redirected_connect));
            replace_function(library, "read", reinterpret_cast<const void*>(patient_read));
        }
        return;
    }
}

}  // namespace valkyr::osmesa
