// Trace index: keeps places of a long trace from which it can be played on.
// SPDX-License-Identifier: MIT
#include "virgl/capture/trace_index.hpp"

#include "virgl/capture/trim_state.hpp"
#include "virgl/protocol/crc32.hpp"
#include "virgl/protocol/protocol.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace valkyr::virgl {
namespace {

constexpr std::array<char, 8> kIndexMagic{'V', 'A', 'L', 'K', 'Y', 'R', 'I', 'X'};
constexpr uint64_t kPlaces = 16;  ///< of an index, if nothing else is asked for

struct IndexHead {
    std::array<char, 8> magic = kIndexMagic;
    uint32_t version = kIndexVersion;
    uint32_t fingerprint = 0;
    uint64_t frames = 0;
    uint64_t table = 0;
    uint32_t places = 0;
    uint32_t crc = 0;
};
static_assert(sizeof(IndexHead) == 40);

uint32_t crc_of(const IndexHead& head, std::span<const std::byte> table) {
    Crc32 crc;
    crc.add(std::as_bytes(std::span(&head, 1)).first(offsetof(IndexHead, crc)));
    crc.add(table);
    return crc.value();
}

Error damaged(const std::string& path, const std::string& what) {
    return Error{Errc::BadEncoding, {}, path + ": " + what};
}

Error unreadable(const std::string& path) {
    return Error{Errc::System, {}, path + ": cannot be read: " + std::strerror(errno)};
}

/// Frames of a trace by its messages alone: reads of window buffers. Too many if a client is
/// dropped.
uint64_t count_presents(const Trace& trace) {
    std::set<std::pair<uint32_t, uint32_t>> windows;  ///< by client and handle
    uint64_t frames = 0;
    for (const TraceChunk& chunk : trace.chunks()) {
        std::array<uint32_t, 6> words{};  // length, message, handle, target, format, bind
        if (chunk.kind != ChunkKind::Message)
            continue;
        std::memcpy(words.data(), chunk.payload.data(),
                    std::min(sizeof words, chunk.payload.size()));
        const auto message = static_cast<Message>(words[1]);
        const std::pair window{chunk.client, words[2]};
        if ((message == Message::ResourceCreate || message == Message::ResourceCreate2) &&
            (words[5] & kBindDisplayTarget) != 0)
            windows.insert(window);
        else if (message == Message::ResourceUnref)
            windows.erase(window);
        else if (message == Message::TransferGet2 && windows.contains(window))
            ++frames;
    }
    return frames;
}

}  // namespace

std::string index_path(const std::string& trace_path) {
    return trace_path + ".index";
}

Result<TraceIndex> TraceIndex::open(const std::string& path, const Trace& trace) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        return unreadable(path);
    const auto size = static_cast<uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
    file.seekg(0);
    TraceIndex index;
    index.path_ = path;
    VALKYR_TRY_VOID(index.read_table(file, size, trace));
    return index;
}

Result<void> TraceIndex::read_table(std::istream& file, uint64_t size, const Trace& trace) {
    IndexHead head;
    if (!file.read(reinterpret_cast<char*>(&head), sizeof head) || head.magic != kIndexMagic)
        return damaged(path_, "not an index of a trace");
    if (head.version != kIndexVersion)
        return damaged(path_, "an index of version " + std::to_string(head.version));
    // The table must fit before memory is taken for it.
    if (head.table > size || uint64_t{head.places} * sizeof(Place) > size - head.table)
        return damaged(path_, "the index is cut off");
    places_.resize(head.places);
    file.seekg(static_cast<std::streamoff>(head.table));
    const auto table = std::as_writable_bytes(std::span(places_));
    file.read(reinterpret_cast<char*>(table.data()), static_cast<std::streamsize>(table.size()));
    if (!file || crc_of(head, table) != head.crc)
        return damaged(path_, "the index is damaged");
    if (head.fingerprint != trace.fingerprint())
        return damaged(path_, "the index belongs to another trace; write it anew");
    for (const Place& place : places_)
        if (place.offset > size || place.bytes > size - place.offset ||
            place.next_chunk > trace.chunks().size())
            return damaged(path_, "the index is cut off");
    frames_ = head.frames;
    return {};
}

Result<void> TraceIndex::seek(Replay& replay, uint64_t frame) const {
    const auto next = std::ranges::find_if(
        places_, [frame](const Place& place) { return place.frames >= frame; });
    if (next == places_.begin())
        return {};
    const Place& place = *(next - 1);
    std::ifstream file(path_, std::ios::binary);
    std::vector<std::byte> bytes(place.bytes);
    file.seekg(static_cast<std::streamoff>(place.offset));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file)
        return unreadable(path_);
    auto state = Trace::parse(std::move(bytes));
    if (!state)
        return damaged(path_, state.error().text);
    return replay.resume(*state, place.next_chunk, place.frames);
}

/// Plays a trace and collects places.
class IndexWriter {
public:
    IndexWriter(const Trace& trace, Replay& replay, std::ostream& file)
        : trace_(trace)
        , replay_(replay)
        , file_(file) {}

    Result<IndexFigures> run(uint64_t every) {
        if (every == 0)
            every = std::max<uint64_t>((count_presents(trace_) + kPlaces) / (kPlaces + 1), 1);
        write(IndexHead{});  // its room
        uint64_t next = every;
        for (bool more = true; more;) {
            if (replay_.frames() >= next) {
                VALKYR_TRY_VOID(add_place());
                next = replay_.frames() + every;
            }
            if (replay_.next_chunk() == trace_.chunks().size())
                break;
            const TraceChunk& chunk = trace_.chunks()[replay_.next_chunk()];
            VALKYR_TRY(stepped, replay_.step());
            more = stepped;
            VALKYR_TRY_VOID(states_.note(chunk, replay_));
        }
        return finish();
    }

private:
    Result<void> add_place() {
        auto memory = std::make_unique<std::ostringstream>();
        std::ostringstream& text = *memory;
        VALKYR_TRY(writer, TraceWriter::create(std::move(memory), "the index", trace_.level()));
        VALKYR_TRY_VOID(states_.write(*writer, replay_));
        VALKYR_TRY_VOID(writer->finish());
        const std::string bytes = text.str();
        places_.push_back({replay_.frames(), replay_.next_chunk(), offset_, bytes.size()});
        put(bytes.data(), bytes.size());
        return {};
    }

    Result<IndexFigures> finish() {
        IndexHead head;
        head.fingerprint = trace_.fingerprint();
        head.frames = replay_.frames();
        head.table = offset_;
        head.places = static_cast<uint32_t>(places_.size());
        head.crc = crc_of(head, std::as_bytes(std::span(places_)));
        put(places_.data(), places_.size() * sizeof(TraceIndex::Place));
        const IndexFigures figures{head.frames, head.places, offset_};
        file_.seekp(0);
        write(head);
        file_.flush();
        if (!file_)
            return Error{Errc::System, {}, "the index could not be written"};
        return figures;
    }

    void put(const void* bytes, size_t count) {
        file_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
        offset_ += count;
    }
    void write(const IndexHead& head) { put(&head, sizeof head); }

    const Trace& trace_;
    Replay& replay_;
    std::ostream& file_;
    TrimStates states_;
    std::vector<TraceIndex::Place> places_;
    uint64_t offset_ = 0;
};

Result<IndexFigures> write_index(const Trace& trace,
                                 uint64_t every,
                                 Replay::DeviceMaker make_device,
                                 Observer& observer,
                                 const std::string& path) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file)
        return Error{Errc::System, {}, path + ": cannot be written: " + std::strerror(errno)};
    Replay replay(trace, std::move(make_device), observer);
    return IndexWriter(trace, replay, file).run(every);
}

}  // namespace valkyr::virgl
