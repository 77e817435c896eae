// Trim: cuts some frames out of a trace, so that they can be played alone.
// SPDX-License-Identifier: MIT
#include "virgl/capture/trim.hpp"

#include "virgl/capture/trim_state.hpp"

#include <map>
#include <string>

namespace valkyr::virgl {
namespace {

/// Writes chunks of a trace under the new numbers of their clients.
class Copier {
public:
    explicit Copier(TraceWriter& writer)
        : writer_(writer) {}

    void open(uint32_t client) { names_[client] = writer_.open_client(); }
    void copy(const TraceChunk& chunk) {
        if (chunk.kind == ChunkKind::Open)
            return open(chunk.client);
        if (chunk.kind == ChunkKind::Glsl)
            return writer_.glsl(chunk.glsl());
        const auto name = names_.find(chunk.client);
        if (name == names_.end())
            return;
        const uint32_t client = name->second;
        switch (chunk.kind) {
        case ChunkKind::Memory: {
            const auto place = chunk.head<MemoryPlace>();
            return writer_.memory(client, place.resource, place.offset, chunk.bytes());
        }
        case ChunkKind::Message: return writer_.message(client, chunk.payload);
        case ChunkKind::Close: return close(name);
        case ChunkKind::Contents:
            return writer_.contents(client, chunk.head<MemoryPlace>(), chunk.bytes());
        case ChunkKind::Stream: return writer_.stream(client, chunk.head<StreamChunk>());
        case ChunkKind::Query: return writer_.query(client, chunk.head<QueryChunk>());
        case ChunkKind::Open:
        case ChunkKind::Glsl:
        case ChunkKind::End: return;
        }
    }
    void close_all() {
        while (!names_.empty())
            close(names_.begin());
    }
    /// The new numbers of clients.
    [[nodiscard]] std::map<uint32_t, uint32_t>& names() { return names_; }

private:
    void close(std::map<uint32_t, uint32_t>::iterator name) {
        writer_.close_client(name->second);
        names_.erase(name);
    }

    TraceWriter& writer_;
    std::map<uint32_t, uint32_t> names_;
};

Error no_frame(uint64_t wanted, const Replay& replay) {
    return Error{Errc::OutOfRange,
                 {},
                 "no frame " + std::to_string(wanted) + "; the trace has " +
                     std::to_string(replay.frames())};
}

/// Plays the frames before the range.
Result<void> play_before(const Trace& trace, uint64_t first, Replay& replay, TrimStates& states) {
    while (replay.frames() + 1 < first) {
        if (replay.next_chunk() == trace.chunks().size())
            return no_frame(first, replay);
        const TraceChunk& chunk = trace.chunks()[replay.next_chunk()];
        VALKYR_TRY(more, replay.step());
        if (!more)
            return no_frame(first, replay);
        VALKYR_TRY_VOID(states.note(chunk, replay));
    }
    return {};
}

}  // namespace

Result<void> trim(const Trace& trace,
                  const FrameRange& frames,
                  Replay::DeviceMaker make_device,
                  Observer& observer,
                  TraceWriter& writer) {
    Replay replay(trace, std::move(make_device), observer);
    TrimStates states;
    VALKYR_TRY_VOID(play_before(trace, frames.first, replay, states));
    Copier copier(writer);
    VALKYR_TRY_VOID(states.write(writer, replay, &copier.names()));
    while (replay.frames() < frames.last) {
        if (replay.next_chunk() == trace.chunks().size())
            return no_frame(frames.last, replay);
        copier.copy(trace.chunks()[replay.next_chunk()]);
        VALKYR_TRY(more, replay.step());
        if (!more)
            return no_frame(frames.last, replay);
    }
    copier.close_all();
    for (const TraceChunk& chunk : trace.chunks().subspan(replay.next_chunk()))
        if (chunk.kind == ChunkKind::Glsl)
            copier.copy(chunk);
    return writer.finish();
}

}  // namespace valkyr::virgl
