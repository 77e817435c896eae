// Server start: has `valkyr vtest` serve this process.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace valkyr::osmesa {

/// A server that ends when its last client has left. It is no child of this process, whose waits
/// for children must not see it. Its socket lies in a private folder, which the destructor removes:
/// a client that is connected does not need it.
class ServerStart {
public:
    /// Returns once the server listens. Reports what fails; socket() is then empty.
    /// VALKYR_COMMAND names the command; else it is looked for beside the library, then in PATH.
    /// VALKYR_OSMESA_OPTIONS has more options of `valkyr vtest`, separated by blanks.
    ServerStart();
    ServerStart(const ServerStart&) = delete;
    ServerStart& operator=(const ServerStart&) = delete;
    ~ServerStart();

    [[nodiscard]] const std::string& socket() const { return socket_; }

private:
    std::string folder_;
    std::string socket_;
};

}  // namespace valkyr::osmesa
