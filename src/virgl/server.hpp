// Server: listens at a socket and gives each client a thread and a device.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "gpu/create_device.hpp"
#include "raster/device.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/observe/observer.hpp"
#include "virgl/protocol/capabilities.hpp"

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

namespace valkyr::virgl {

/// Loop rounds after which a warp counts as endless (docs/guide/opengl.md gives the time).
inline constexpr uint64_t kMostLoops = uint64_t{1} << 22;

struct ServerOptions {
    std::string socket_path;
    /// Options of every client's device; loop_limit 0 means kMostLoops.
    raster::DeviceOptions device;
    GlLevel level = GlLevel::Gl21;
    /// Makes the device of each client, of these options; empty: gpu::create_device(). Called by
    /// the threads of clients.
    std::function<Result<std::unique_ptr<raster::Device>>(const raster::DeviceOptions&)>
        make_device;
    bool once = false;         ///< run() returns when the last client has left
    bool allow_other = false;  ///< all users may connect; else only this user and root
    /// Null: nothing is recorded. Must outlive the server.
    TraceWriter* trace = nullptr;
};

class Server {
public:
    /// Creates a server that listens already. `observer` must outlive it.
    /// errors  System: no socket can be made, or another server listens there; OutOfMemory
    static Result<std::unique_ptr<Server>> create(ServerOptions options, Observer& observer);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Cancels the work of the clients, drops them and removes the socket.
    ~Server();

    /// Accepts clients until stop(). If memory runs out for a client, the client is turned away or
    /// ended, with a line to the observer; the others stay. errors  System: the socket failed
    Result<void> run();
    /// May be called from any thread or signal handler.
    void stop() noexcept;

private:
    struct Client {
        int socket = -1;  ///< a copy of the connection's socket, to shut it down
        std::thread thread;
        std::atomic<bool> done = false;
        bool gone = false;  ///< the other side has closed; used by run() alone
        ~Client();

        /// Sets the client's device, which the thread owns, or null.
        void set_device(raster::Device* device);
        /// Cancels the current and all later work of the device. If the thread has not made the
        /// device yet, this cancels it once it exists.
        void cancel();

    private:
        std::mutex mutex_;
        raster::Device* device_ = nullptr;
        bool cancelled_ = false;
    };

    Server(ServerOptions options, Observer& observer)
        : options_(std::move(options))
        , observer_(observer) {}
    Result<void> listen();
    [[nodiscard]] bool may_serve(int socket) const;
    void accept_client() noexcept;
    void start_client(int socket, int copy);
    void set_wanted_events() noexcept;
    void notice_departures();
    void serve(Client& client, int socket) noexcept;
    Result<std::unique_ptr<raster::Device>> make_device();
    void serve_messages(Client& client, int socket) noexcept;
    void wake() noexcept;

    ServerOptions options_;
    Observer& observer_;
    std::shared_ptr<gpu::KernelCache> kernels_;  ///< shared by all clients
    int listener_ = -1;
    int event_ = -1;
    bool accept_later_ = false;  ///< accept() failed while a client was queued: retry later
    std::atomic<bool> stopped_ = false;
    std::list<Client> clients_;
    /// The listener, the event, then the clients that have not left, in order. start_client()
    /// reserves room for all of them, so that filling it allocates nothing.
    std::vector<pollfd> waits_;
};

}  // namespace valkyr::virgl
