// Replay: executes the messages of a trace with the code that serves live clients.
// SPDX-License-Identifier: MIT
#include "virgl/capture/replay.hpp"

#include "virgl/capture/contents.hpp"
#include "virgl/connection/connection.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace valkyr::virgl {
namespace {

constexpr size_t kMostReplayClients = 64;

/// Reads the bytes of one message at a time; drops replies.
class MessageTransport final : public Transport {
public:
    void set(std::span<const std::byte> message) { rest_ = message; }

    Result<bool> read(std::span<std::byte> bytes) override {
        if (rest_.empty())
            return false;
        if (bytes.size() > rest_.size())
            return Error{Errc::BadEncoding, {}, "the message is shorter than it says"};
        std::copy_n(rest_.begin(), bytes.size(), bytes.begin());
        rest_ = rest_.subspan(bytes.size());
        return true;
    }
    Result<void> write(std::span<const std::byte> /*bytes*/) override { return {}; }
    Result<void> write_descriptor(int /*fd*/) override { return {}; }
    [[nodiscard]] bool abandoned() const noexcept override { return false; }

private:
    std::span<const std::byte> rest_;
};

Error bad_trace(const std::string& what) {
    return Error{Errc::BadEncoding, {}, what};
}

}  // namespace

struct Replay::Client {
    Client(std::unique_ptr<raster::Device> of_device, Observer& observer, GlLevel level)
        : device(std::move(of_device))
        , connection(transport, *device, observer, level) {}

    std::unique_ptr<raster::Device> device;
    MessageTransport transport;
    Connection connection;
    bool dropped = false;
};

Replay::Replay(const Trace& trace, DeviceMaker make_device, Observer& observer)
    : trace_(trace)
    , make_device_(std::move(make_device))
    , observer_(observer) {}

Replay::Replay(const Trace& trace, const raster::DeviceOptions& options, Observer& observer)
    : Replay(
          trace,
          [options, &observer] {
              raster::DeviceOptions of_client = options;
              of_client.timeline = observer.timeline();
              return gpu::create_device(of_client);
          },
          observer) {}

Replay::~Replay() = default;

Result<bool> Replay::step() {
    if (next_ == trace_.chunks().size())
        return false;
    const auto done = execute(trace_.chunks()[next_]);
    if (!done)
        return Error{done.error().code,
                     {},
                     "chunk " + std::to_string(next_) + " of the trace: " + done.error().text};
    ++next_;
    return true;
}

Result<void> Replay::run() {
    for (;;) {
        VALKYR_TRY(more, step());
        if (!more)
            return {};
    }
}

std::optional<std::string> Replay::name_of(const raster::Texture& texture) const {
    for (const auto& [number, client] : clients_) {
        const auto& resources = client->connection.context().resources();
        const auto found = std::ranges::find_if(resources, [&](const auto& resource) {
            return resource.second->texture().get() == &texture;
        });
        if (found == resources.end())
            continue;
        const std::string name = "resource " + std::to_string(found->first);
        return clients_.size() == 1 ? name : "client " + std::to_string(number) + ", " + name;
    }
    return std::nullopt;
}

Result<void> Replay::execute(const TraceChunk& chunk) {
    if (chunk.kind == ChunkKind::End || chunk.kind == ChunkKind::Glsl)
        return {};
    if (chunk.kind == ChunkKind::Open)
        return open(chunk.client);
    const auto place = clients_.find(chunk.client);
    if (place == clients_.end())
        return bad_trace("no client " + std::to_string(chunk.client));
    switch (chunk.kind) {
    case ChunkKind::Memory: return fill_memory(*place->second, chunk);
    case ChunkKind::Message: serve(*place->second, chunk.payload); break;
    case ChunkKind::Close: clients_.erase(place); break;
    default: return restore(*place->second, chunk);
    }
    return {};
}

Result<void> Replay::restore(Client& client, const TraceChunk& chunk) {
    return client.dropped ? Result<void>() : restore_chunk(client.connection.context(), chunk);
}

Result<void> Replay::resume(const Trace& state, size_t next_chunk, uint64_t frames) {
    for (const TraceChunk& chunk : state.chunks())
        VALKYR_TRY_VOID(execute(chunk));
    next_ = next_chunk;
    frames_ = frames;
    return {};
}

bool Replay::serves(uint32_t client) const {
    const auto place = clients_.find(client);
    return place != clients_.end() && !place->second->dropped;
}

Result<void> Replay::save(TraceWriter& writer, const std::map<uint32_t, uint32_t>& names) {
    for (const auto& [number, client] : clients_) {
        const auto name = names.find(number);
        if (name != names.end() && !client->dropped)
            VALKYR_TRY_VOID(save_context(client->connection.context(), name->second, writer));
    }
    return {};
}

Result<void> Replay::open(uint32_t number) {
    if (clients_.size() >= kMostReplayClients || clients_.contains(number))
        return bad_trace("client " + std::to_string(number) + " is there, or too many are");
    VALKYR_TRY(device, make_device_());
    clients_.emplace(number,
                     std::make_unique<Client>(std::move(device), observer_, trace_.level()));
    return {};
}

Result<void> Replay::fill_memory(Client& client, const TraceChunk& chunk) {
    if (client.dropped)
        return {};
    const auto place = chunk.head<MemoryPlace>();
    const uint32_t handle = place.resource;
    const uint64_t offset = place.offset;
    const auto bytes = chunk.bytes();
    VALKYR_TRY(resource, client.connection.context().resource(handle));
    const auto guest = resource->guest().bytes();
    if (offset > guest.size() || bytes.size() > guest.size() - offset)
        return bad_trace("memory outside of resource " + std::to_string(handle));
    std::copy(bytes.begin(), bytes.end(), guest.begin() + static_cast<ptrdiff_t>(offset));
    return {};
}

void Replay::serve(Client& client, std::span<const std::byte> message) {
    if (client.dropped)
        return;
    const uint64_t before = client.connection.context().figures().frames;
    client.transport.set(message);
    client.dropped = !client.connection.serve_next();
    frames_ += client.connection.context().figures().frames - before;
}

}  // namespace valkyr::virgl
