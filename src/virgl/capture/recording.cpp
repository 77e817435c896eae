// Recording: writes a client's messages, and the shared memory that they read, to a trace.
// SPDX-License-Identifier: MIT
#include "virgl/capture/recording.hpp"

#include "base/caught_error.hpp"

namespace valkyr::virgl {

Result<bool> RecordingTransport::read(std::span<std::byte> bytes) {
    auto there = inner_.read(bytes);
    if (there && *there && !stopped_)
        message_.insert(message_.end(), bytes.begin(), bytes.end());
    return there;
}

void RecordingTransport::guest_read(uint32_t resource,
                                    uint64_t offset,
                                    std::span<const std::byte> bytes) {
    if (!stopped_)
        writer_.memory(client_, resource, offset, bytes);
}

void RecordingTransport::end_message(uint64_t frames) {
    if (stopped_)
        return;
    if (!message_.empty())
        writer_.message(client_, message_);
    message_.clear();
    if (writer_.most_frames() != 0 && frames >= writer_.most_frames())
        stop();
}

void RecordingTransport::stop() {
    if (stopped_)
        return;
    writer_.close_client(client_);
    stopped_ = true;
    message_ = {};
}

void serve_client(Transport& transport,
                  raster::Device& device,
                  Observer& observer,
                  GlLevel level,
                  TraceWriter* trace) noexcept try {
    if (trace == nullptr) {
        Connection(transport, device, observer, level).serve();
        return;
    }
    RecordingTransport recording(transport, *trace);
    Connection connection(recording, device, observer, level);
    Context& context = connection.context();
    context.watch_guest(&recording);
    for (bool more = true; more;) {
        more = connection.serve_next();
        recording.end_message(context.figures().frames);
    }
} catch (...) {
    tell(observer, "", caught_error().text);
}

}  // namespace valkyr::virgl
