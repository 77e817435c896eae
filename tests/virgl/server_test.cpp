// The server: sockets in the file system, several clients, its end.
// SPDX-License-Identifier: MIT
#include "virgl/fake_client.hpp"
#include "virgl/server.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

std::string socket_path() {
    return "/tmp/valkyr-server-test-" + std::to_string(getpid());
}

std::unique_ptr<FakeClient> connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return std::make_unique<FakeClient>(fd);
}

virgl::ServerOptions options(bool once) {
    virgl::ServerOptions o;
    o.socket_path = socket_path();
    o.device.threads = 1;
    o.once = once;
    return o;
}

}  // namespace

TEST_CASE("a server for one visit ends when the last client has left, and takes its socket along") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(true), observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    auto first = connect_to(socket_path());
    first->greet();
    auto second = connect_to(socket_path());
    second->greet();
    first.reset();
    second->create(1, 0, 64, 0, 16, 1, 16);  // still served
    second.reset();
    running.join();
    server->reset();
    struct stat status {};
    CHECK(stat(socket_path().c_str(), &status) != 0);
}

TEST_CASE("two servers cannot listen at one place, but a dead one's socket is taken over") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(false), observer);
    REQUIRE(server.has_value());
    const auto other = virgl::Server::create(options(false), observer);
    REQUIRE_FALSE(other.has_value());
    CHECK(other.error().text.find("listens there already") != std::string::npos);
    server->reset();
    // What a killed server leaves behind: a bound socket that nobody listens at.
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path().c_str(), sizeof address.sun_path - 1);
    const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(dead);
    CHECK(virgl::Server::create(options(false), observer).has_value());
}

TEST_CASE("stopping a server drops its clients") {
    RecordingObserver observer;
    auto server = virgl::Server::create(options(false), observer);
    REQUIRE(server.has_value());
    std::thread running([&] { CHECK((*server)->run().has_value()); });
    auto client = connect_to(socket_path());
    client->greet();
    (*server)->stop();
    running.join();
    server->reset();
    CHECK(client->closed());
}

TEST_CASE("a path that no socket can have is an error") {
    RecordingObserver observer;
    virgl::ServerOptions o = options(false);
    o.socket_path = std::string(200, 'x');
    CHECK_FALSE(virgl::Server::create(o, observer).has_value());
    o.socket_path = "/no/such/folder/socket";
    CHECK_FALSE(virgl::Server::create(o, observer).has_value());
}
