// Connect redirect: leads Mesa's client to a socket of ours.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace valkyr::osmesa {

/// Loads the software driver of Mesa up to 23.0, which connects to /tmp/.virgl_test whatever the
/// environment says, and replaces its connect(). Does nothing if Mesa has no such driver: newer
/// ones take VTEST_SOCKET_NAME. socket  must be a path of a socket's address (sockaddr_un)
void redirect_connect(const std::string& socket);

}  // namespace valkyr::osmesa
