// Recording: writes a client's messages, and the shared memory that they read, to a trace.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capture/trace.hpp"
#include "virgl/connection/connection.hpp"
#include "virgl/connection/transport.hpp"
#include "virgl/observe/guest_watcher.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::virgl {

/// A transport that passes every call on and keeps the bytes that were read. Memory goes to the
/// trace when it is read, the message that read it at end_message(): a replay finds the memory
/// first.
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
    void note_answer() noexcept override { inner_.note_answer(); }
    void use_mailbox(std::span<std::byte> board) noexcept override { inner_.use_mailbox(board); }
    Result<void> write_descriptor(int fd) override { return inner_.write_descriptor(fd); }
    [[nodiscard]] bool abandoned() const noexcept override { return inner_.abandoned(); }

    void guest_read(uint32_t resource, uint64_t offset, std::span<const std::byte> bytes) override;
    /// Call after a message has been executed. `frames`: how many frames its client has shown so
    /// far.
    void end_message(uint64_t frames);

private:
    void stop();

    Transport& inner_;
    TraceWriter& writer_;
    uint32_t client_;
    bool stopped_ = false;
    std::vector<std::byte> message_;
};

/// Serves a client until it leaves or is dropped; records it if `trace` is not null. When memory
/// runs out, the client is ended, and the observer gets a line.
void serve_client(Transport& transport,
                  raster::Device& device,
                  Observer& observer,
                  GlLevel level,
                  TraceWriter* trace) noexcept;

}  // namespace valkyr::virgl
