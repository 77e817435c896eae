// Recording: keeps a client's messages and what is read of the memory that it shares.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capture/trace.hpp"
#include "virgl/connection/connection.hpp"
#include "virgl/connection/transport.hpp"
#include "virgl/observe/guest_watcher.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::virgl {

/// A transport that hands everything on and remembers what was read. Memory goes to the trace when
/// it is read, its message when end_message() is called, so that a replay finds both in order.
class RecordingTransport final : public Transport, public GuestWatcher {
public:
    /// Both must outlive the transport.
    RecordingTransport(Transport& inner, TraceWriter& writer)
        : inner_(inner)
        , writer_(writer)
        , client_(writer.open_client()) {}
    ~RecordingTransport() override { stop(); }

    Result<bool> read(std::span<std::byte> bytes) override;
    Result<void> write(std::span<const std::byte> bytes) override { return inner_.write(bytes); }
    Result<void> write_descriptor(int fd) override { return inner_.write_descriptor(fd); }
    [[nodiscard]] bool abandoned() const noexcept override { return inner_.abandoned(); }

    void guest_read(uint32_t resource, uint64_t offset, std::span<const std::byte> bytes) override;
    /// A message has been executed; `frames`: those that its client has shown so far.
    void end_message(uint64_t frames);

private:
    void stop();

    Transport& inner_;
    TraceWriter& writer_;
    uint32_t client_;
    bool stopped_ = false;
    std::vector<std::byte> message_;
};

/// Serves a client until it leaves or is dropped; records it if `trace` is not null. Memory that
/// runs out ends the client, with a line to the observer.
void serve_client(Transport& transport,
                  raster::Device& device,
                  Observer& observer,
                  GlLevel level,
                  TraceWriter* trace) noexcept;

}  // namespace valkyr::virgl
