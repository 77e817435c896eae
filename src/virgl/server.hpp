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
#include <list>
#include <memory>
#include <mutex>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

namespace valkyr::virgl {

/// Loops of one warp before it counts as endless. (docs/guide/opengl.md says how long that is.)
inline constexpr uint64_t kMostLoops = uint64_t{1} << 22;

struct ServerOptions {
    std::string socket_path;
    /// Options of every client's device; loop_limit 0 means kMostLoops.
    raster::DeviceOptions device;
    GlLevel level = GlLevel::Gl21;
    bool once = false;         ///< end when the last client has left
    bool allow_other = false;  ///< other users of the machine may connect; else root alone
    /// Null: nothing is recorded. Must outlive the server.
    TraceWriter* trace = nullptr;
};

class Server {
public:
    /// Listens from now on. `observer` must outlive the server.
    /// errors  System: the socket cannot be made, or somebody listens there; OutOfMemory
    static Result<std::unique_ptr<Server>> create(ServerOptions options, Observer& observer);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Cancels the work of the clients, drops them and removes the socket.
    ~Server();

    /// Accepts clients until stop(). A client that memory runs out for is turned away or ended,
    /// with a line to the observer; the others stay. errors  System: the socket failed
    Result<void> run();
    /// From any thread or signal handler.
    void stop() noexcept;

private:
    struct Client {
        int socket = -1;  ///< a copy of the connection's, to wake it
        std::thread thread;
        std::atomic<bool> done = false;
        bool gone = false;  ///< the other side has closed; used by run() alone
        ~Client();

        /// The device that shaders run on, or null; owned by the thread.
        void set_device(raster::Device* device);
        /// Ends what the device does and what it is asked for later, also a device that is still to
        /// come: the client may have left before its thread had one.
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
    bool accept_later_ = false;  ///< a client waits in the queue, but cannot be accepted now
    std::atomic<bool> stopped_ = false;
    std::list<Client> clients_;
    /// The listener, the event, then the clients that have not left, in order. Has room for all of
    /// them, so that waiting for them cannot fail.
    std::vector<pollfd> waits_;
};

}  // namespace valkyr::virgl
