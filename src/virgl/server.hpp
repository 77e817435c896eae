// The vtest server: a socket in the file system, a thread and a device for each client.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/state.hpp"
#include "virgl/capabilities.hpp"
#include "virgl/observer.hpp"
#include "virgl/trace.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <thread>

namespace valkyr::virgl {

struct ServerOptions {
    std::string socket_path;
    raster::DeviceOptions device;
    GlLevel level = GlLevel::Gl21;
    bool once = false;  ///< end when the last client has left
    /// Null: nothing is recorded. Must outlive the server.
    TraceWriter* trace = nullptr;
};

class Server {
public:
    /// Listens from now on. `observer` must outlive the server.
    /// errors  System: the socket cannot be made, or somebody listens there
    static Result<std::unique_ptr<Server>> create(ServerOptions options, Observer& observer);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Drops the clients and removes the socket.
    ~Server();

    /// Accepts clients until stop(). errors  System: the socket failed
    Result<void> run();
    /// From any thread or signal handler.
    void stop() noexcept;

private:
    struct Client {
        int socket = -1;  ///< a copy of the connection's, to wake it
        std::thread thread;
        std::atomic<bool> done = false;
        ~Client();
    };

    Server(ServerOptions options, Observer& observer)
        : options_(std::move(options))
        , observer_(observer) {}
    Result<void> listen();
    void accept_client();
    void serve(Client& client, int socket);
    void wake() noexcept;

    ServerOptions options_;
    Observer& observer_;
    int listener_ = -1;
    int event_ = -1;
    std::atomic<bool> stopped_ = false;
    std::list<Client> clients_;
};

}  // namespace valkyr::virgl
