// Server: listens at a socket and gives each client a thread and a device.
// SPDX-License-Identifier: MIT
#include "virgl/server.hpp"

#include "base/caught_error.hpp"
#include "gpu/create_device.hpp"
#include "virgl/capture/recording.hpp"
#include "virgl/connection/message_socket.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace valkyr::virgl {
namespace {

constexpr size_t kMostClients = 256;
/// Milliseconds until the next attempt to accept a client, after one has failed.
constexpr int kAcceptAgain = 100;

Error failed(const std::string& what) {
    return Error{Errc::System, {}, what + ": " + std::strerror(errno)};
}

Result<sockaddr_un> address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return Error{Errc::OutOfRange, {}, "a socket path has 1 to 107 bytes: " + path};
    path.copy(address.sun_path, path.size());
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

/// Removes a socket file whose server no longer runs.
/// errors  System: a running server listens there, or the file is no socket
Result<void> remove_stale(const std::string& path, const sockaddr_un& address) {
    struct stat file {};
    if (lstat(path.c_str(), &file) != 0)
        return {};  // no such file, or bind() will report the error
    // connect() to another kind of file fails with ECONNREFUSED, too: such a file must stay.
    if (!S_ISSOCK(file.st_mode))
        return Error{Errc::System, {}, path + ": exists and is no socket"};
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return failed("socket");
    const bool alive = connect(probe, generic(address), sizeof address) == 0;
    const bool refused = errno == ECONNREFUSED;
    close(probe);
    if (alive)
        return Error{Errc::System, {}, path + ": a server listens there already"};
    if (refused)
        unlink(path.c_str());
    return {};
}

}  // namespace

void Server::Client::set_device(raster::Device* device) {
    const std::lock_guard lock(mutex_);
    device_ = device;
    if (cancelled_ && device_ != nullptr)
        device_->cancel();
}

void Server::Client::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (device_ != nullptr)
        device_->cancel();
}

Server::Client::~Client() {
    if (thread.joinable())
        thread.join();
    if (socket >= 0)
        close(socket);
}

Result<std::unique_ptr<Server>> Server::create(ServerOptions options, Observer& observer) try {
    std::unique_ptr<Server> server(new Server(std::move(options), observer));
    server->waits_.reserve(2);
    VALKYR_TRY_VOID(server->listen());
    raster::DeviceOptions& device = server->options_.device;
    if (device.loop_limit == 0)
        device.loop_limit = kMostLoops;
    VALKYR_TRY(kernels, gpu::make_kernel_cache(device));
    server->kernels_ = std::move(kernels);
    return server;
} catch (...) {
    return caught_error();
}

Result<void> Server::listen() {
    VALKYR_TRY(address, address_of(options_.socket_path));
    VALKYR_TRY_VOID(remove_stale(options_.socket_path, address));
    event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (event_ < 0 || listener < 0)
        return failed("socket");
    // fchmod() before bind() keeps the file from ever having a wider mode than this one.
    const mode_t mode = options_.allow_other ? 0666 : 0600;
    if (fchmod(listener, mode) != 0 || bind(listener, generic(address), sizeof address) != 0 ||
        (options_.allow_other && chmod(options_.socket_path.c_str(), mode) != 0) ||
        ::listen(listener, 64) != 0) {
        Error error = failed(options_.socket_path);
        close(listener);
        return error;
    }
    listener_ = listener;
    return {};
}

Server::~Server() {
    for (Client& client : clients_) {
        shutdown(client.socket, SHUT_RDWR);
        client.cancel();
    }
    clients_.clear();
    if (listener_ >= 0) {
        close(listener_);
        unlink(options_.socket_path.c_str());
    }
    if (event_ >= 0)
        close(event_);
}

void Server::wake() noexcept {
    const uint64_t one = 1;
    if (write(event_, &one, sizeof one) != sizeof one)
        return;  // the counter is full: a wake-up is pending already
}

void Server::stop() noexcept {
    stopped_ = true;
    wake();
}

Result<void> Server::run() {
    bool had_clients = false;
    while (!stopped_) {
        set_wanted_events();
        if (accept_later_)
            waits_[0].fd = -1;
        if (poll(waits_.data(), waits_.size(), accept_later_ ? kAcceptAgain : -1) < 0 &&
            errno != EINTR)
            return failed("poll");
        accept_later_ = false;
        uint64_t count = 0;
        if ((waits_[1].revents & POLLIN) != 0 && read(event_, &count, sizeof count) < 0)
            continue;
        notice_departures();
        clients_.remove_if([](const Client& client) { return client.done.load(); });
        if ((waits_[0].revents & POLLIN) != 0)
            accept_client();
        had_clients |= !clients_.empty();
        if (options_.once && had_clients && clients_.empty())
            return {};
    }
    return {};
}

void Server::set_wanted_events() noexcept {
    waits_.clear();
    waits_.push_back({listener_, POLLIN, 0});
    waits_.push_back({event_, POLLIN, 0});
    for (const Client& client : clients_)
        if (!client.gone)
            waits_.push_back({client.socket, POLLRDHUP, 0});
}

/// Cancels the work of clients that have left: it may never end, and its results have no reader.
void Server::notice_departures() {
    size_t next = 2;
    for (Client& client : clients_) {
        if (client.gone)
            continue;
        client.gone = (waits_[next++].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
        if (client.gone)
            client.cancel();
    }
}

/// Whether the process at the other end may be served. File modes alone do not restrict a socket
/// that another process hands on.
bool Server::may_serve(int socket) const {
    if (options_.allow_other)
        return true;
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return false;
    return peer.uid == geteuid() || peer.uid == 0;
}

/// Accepts a client. If memory or threads are short, it turns the client away; the others stay.
void Server::accept_client() noexcept {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
        // If descriptors or memory are short, the client stays queued, and poll() would return at
        // once.
        accept_later_ = errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
        return;
    }
    if (!may_serve(socket)) {
        tell(observer_, "", "a client of another user is turned away");
        close(socket);
        return;
    }
    const int copy = clients_.size() < kMostClients ? fcntl(socket, F_DUPFD_CLOEXEC, 0) : -1;
    if (copy < 0) {
        tell(observer_, "", "a client is turned away: too many clients or descriptors");
        close(socket);
        return;
    }
    try {
        start_client(socket, copy);
    } catch (...) {
        const Error error = caught_error();
        tell(observer_, "", "a client is turned away: no memory or no thread for it");
        tell(observer_, "", error.text);
        close(socket);
        close(copy);
    }
}

/// Takes over both descriptors, but only if it returns; after an exception the caller owns them.
void Server::start_client(int socket, int copy) {
    waits_.reserve(clients_.size() + 3);
    std::list<Client> made(1);
    Client& client = made.front();
    client.socket = copy;
    try {
        client.thread = std::thread([this, &client, socket] { serve(client, socket); });
    } catch (...) {
        client.socket = -1;
        throw;
    }
    clients_.splice(clients_.end(), made);
}

Result<std::unique_ptr<raster::Device>> Server::make_device() try {
    raster::DeviceOptions options = options_.device;
    options.timeline = observer_.timeline();
    return options_.make_device ? options_.make_device(options)
                                : gpu::create_device(options, kernels_);
} catch (...) {
    return caught_error();
}

void Server::serve_messages(Client& client, int socket) noexcept {
    MessageSocket messages(socket);
    auto device = make_device();
    if (!device) {
        tell(observer_, "", "no device for a client");
        tell(observer_, "", device.error().text);
        return;
    }
    client.set_device(device->get());
    serve_client(messages, **device, observer_, options_.level, options_.trace);
    client.set_device(nullptr);
}

void Server::serve(Client& client, int socket) noexcept {
    // serve_messages() destroys the device, so that joining the thread never waits for that.
    serve_messages(client, socket);
    // Without this, the copied descriptor would keep the connection open.
    shutdown(client.socket, SHUT_RDWR);
    client.done = true;
    wake();
}

}  // namespace valkyr::virgl
