// Replay: executes the messages of a trace with the code that serves live clients.
// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/create_device.hpp"
#include "raster/device.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/observe/observer.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace valkyr::virgl {

/// Frames are numbered from 1 over the whole trace, over all clients.
class Replay {
public:
    using DeviceMaker = std::function<Result<std::unique_ptr<raster::Device>>()>;

    /// `trace` and `observer` must outlive the replay. Each client gets a device of its own.
    Replay(const Trace& trace, DeviceMaker make_device, Observer& observer);
    Replay(const Trace& trace, const raster::DeviceOptions& options, Observer& observer);
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;
    ~Replay();

    /// Executes the next chunk. False at the end.
    /// errors  BadEncoding: a chunk refers to a client or resource that does not exist; System: no
    ///         device
    Result<bool> step();
    /// Executes the remaining chunks.
    Result<void> run();

    /// The number of frames shown so far.
    [[nodiscard]] uint64_t frames() const noexcept { return frames_; }
    /// The number of the chunk that step() executes next.
    [[nodiscard]] size_t next_chunk() const noexcept { return next_; }
    /// Goes to a place of the trace without executing what is before it.
    /// state       restores what was made there (trace_index.hpp)
    /// next_chunk  the chunk that step() executes next
    /// frames      shown before
    /// errors  those of step()
    Result<void> resume(const Trace& state, size_t next_chunk, uint64_t frames);
    /// Whether a client is connected and was not dropped.
    [[nodiscard]] bool serves(uint32_t client) const;
    /// Writes chunks that restore what all clients' draws and transfers have made so far.
    /// names   the number of each client in `writer`
    /// errors  those of the devices
    Result<void> save(TraceWriter& writer, const std::map<uint32_t, uint32_t>& names);
    /// "resource 7": the resource of which a texture is the host storage; "client 2, resource 7" if
    /// several clients are there. Nothing: none.
    [[nodiscard]] std::optional<std::string> name_of(const raster::Texture& texture) const;

private:
    struct Client;
    Result<void> execute(const TraceChunk& chunk);
    Result<void> open(uint32_t number);
    static Result<void> restore(Client& client, const TraceChunk& chunk);
    Result<void> fill_memory(Client& client, const TraceChunk& chunk);
    void serve(Client& client, std::span<const std::byte> message);

    const Trace& trace_;
    DeviceMaker make_device_;
    Observer& observer_;
    std::map<uint32_t, std::unique_ptr<Client>> clients_;
    size_t next_ = 0;
    uint64_t frames_ = 0;
};

}  // namespace valkyr::virgl
