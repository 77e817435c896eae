// Traces: writes trace files, and reads them with checks.
// SPDX-License-Identifier: MIT
#include "virgl/capture/trace.hpp"

#include "virgl/protocol/crc32.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace valkyr::virgl {
namespace {

constexpr std::array<char, 8> kMagic{'V', 'A', 'L', 'K', 'Y', 'R', 'T', 'R'};
constexpr size_t kHeadBytes = 20;
constexpr size_t kChunkHeadBytes = 16;

uint32_t word_at(std::span<const std::byte> bytes, size_t offset) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

size_t padding_of(size_t bytes) {
    return (4 - bytes % 4) % 4;
}

uint32_t chunk_crc(uint32_t number,
                   std::span<const uint32_t> head,
                   std::span<const std::byte> first,
                   std::span<const std::byte> second) {
    Crc32 crc;
    crc.add(number);
    crc.add(std::as_bytes(head));
    crc.add(first);
    crc.add(second);
    return crc.value();
}

void put(std::ostream& stream, std::span<const std::byte> bytes) {
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
}

/// Bytes that the payload of a chunk has at least.
size_t least_payload(ChunkKind kind) {
    switch (kind) {
    case ChunkKind::Memory:
    case ChunkKind::Contents: return kMemoryHeadBytes;
    case ChunkKind::Stream: return sizeof(StreamChunk);
    case ChunkKind::Query: return sizeof(QueryChunk);
    case ChunkKind::Glsl: return sizeof(GlslChunk);
    default: return 0;
    }
}

/// Whether a Glsl chunk is of a stage and its texts fill it.
bool is_whole_glsl(const TraceChunk& chunk) {
    const auto head = chunk.head<GlslChunk>();
    uint64_t bytes = sizeof head;
    for (const uint32_t each : head.text_bytes)
        bytes += each;
    return head.stage < kGlslStages && bytes == chunk.payload.size();
}

Error damaged(size_t offset, const std::string& what) {
    return Error{Errc::BadEncoding, {}, "at byte " + std::to_string(offset) + ": " + what};
}

}  // namespace

Result<std::unique_ptr<TraceWriter>>
TraceWriter::create(const std::string& path, GlLevel level, uint64_t most_frames) {
    auto file = std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::trunc);
    return create(std::move(file), path, level, most_frames);
}

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(std::unique_ptr<std::ostream> stream,
                                                         std::string name,
                                                         GlLevel level,
                                                         uint64_t most_frames) {
    std::array<std::byte, kHeadBytes> head{};
    std::memcpy(head.data(), kMagic.data(), kMagic.size());
    std::memcpy(head.data() + 8, &kTraceVersion, sizeof kTraceVersion);
    const auto number = static_cast<uint32_t>(level);
    std::memcpy(head.data() + 12, &number, sizeof number);
    Crc32 crc;
    crc.add(std::span(head).first(16));
    const uint32_t sum = crc.value();
    std::memcpy(head.data() + 16, &sum, sizeof sum);
    put(*stream, head);
    if (!*stream)
        return Error{Errc::System, {}, name + ": " + std::strerror(errno)};
    return std::unique_ptr<TraceWriter>(
        new TraceWriter(std::move(stream), std::move(name), most_frames));
}

namespace {

/// The place of the End chunk of a trace, and its number.
struct TraceEnd {
    std::streamoff offset = 0;
    uint32_t chunks = 0;
};

/// Goes from chunk to chunk by their lengths.
Result<TraceEnd> find_end(std::istream& file, size_t size) {
    std::array<std::byte, kHeadBytes> head{};
    file.read(reinterpret_cast<char*>(head.data()), head.size());
    if (!file || std::memcmp(head.data(), kMagic.data(), kMagic.size()) != 0)
        return damaged(0, "not a trace");
    if (word_at(head, 8) != kTraceVersion)
        return damaged(8, "a trace of version " + std::to_string(word_at(head, 8)));
    size_t at = kHeadBytes;
    for (uint32_t chunks = 0; size - at >= kChunkHeadBytes; ++chunks) {
        std::array<std::byte, kChunkHeadBytes> words{};
        file.seekg(static_cast<std::streamoff>(at));
        if (!file.read(reinterpret_cast<char*>(words.data()), words.size()))
            break;
        if (word_at(words, 0) == static_cast<uint32_t>(ChunkKind::End))
            return TraceEnd{static_cast<std::streamoff>(at), chunks};
        const size_t payload = word_at(words, 8);
        const size_t next = at + kChunkHeadBytes + payload + padding_of(payload);
        if (next > size)
            break;
        at = next;
    }
    return damaged(at, "the trace is cut off");
}

}  // namespace

Result<std::unique_ptr<TraceWriter>> TraceWriter::append_to(const std::string& path) {
    auto file =
        std::make_unique<std::fstream>(path, std::ios::binary | std::ios::in | std::ios::out);
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (!*file || error)
        return Error{Errc::System, {}, path + ": cannot be opened"};
    VALKYR_TRY(end, find_end(*file, static_cast<size_t>(size)));
    file->seekp(end.offset);
    auto writer = std::unique_ptr<TraceWriter>(new TraceWriter(std::move(file), path, 0));
    writer->chunks_ = end.chunks;
    return writer;
}

void TraceWriter::write(ChunkKind kind,
                        uint32_t client,
                        std::span<const std::byte> head,
                        std::span<const std::byte> body) {
    const size_t bytes = head.size() + body.size();
    if (bytes > std::numeric_limits<uint32_t>::max()) {
        stream_->setstate(std::ios::failbit);
        return;
    }
    const std::array<uint32_t, 3> words{static_cast<uint32_t>(kind), client,
                                        static_cast<uint32_t>(bytes)};
    const uint32_t crc = chunk_crc(chunks_++, words, head, body);
    put(*stream_, std::as_bytes(std::span(words)));
    put(*stream_, std::as_bytes(std::span(&crc, 1)));
    put(*stream_, head);
    put(*stream_, body);
    constexpr std::array<std::byte, 4> kZeros{};
    put(*stream_, std::span(kZeros).first(padding_of(bytes)));
}

uint32_t TraceWriter::open_client() {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Open, ++clients_, {}, {});
    return clients_;
}

void TraceWriter::open_client_as(uint32_t client) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Open, client, {}, {});
    clients_ = std::max(clients_, client);
}

void TraceWriter::memory(uint32_t client,
                         uint32_t resource,
                         uint64_t offset,
                         std::span<const std::byte> bytes) {
    const MemoryPlace place{resource, 0, offset};
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Memory, client, std::as_bytes(std::span(&place, 1)), bytes);
}

void TraceWriter::contents(uint32_t client,
                           const MemoryPlace& place,
                           std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Contents, client, std::as_bytes(std::span(&place, 1)), bytes);
}

void TraceWriter::stream(uint32_t client, const StreamChunk& stream) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Stream, client, std::as_bytes(std::span(&stream, 1)), {});
}

void TraceWriter::query(uint32_t client, const QueryChunk& query) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Query, client, std::as_bytes(std::span(&query, 1)), {});
}

void TraceWriter::glsl(const GlslText& text) {
    const std::array<std::string_view, 3> texts{text.glsl, text.tgsi, text.names};
    GlslChunk head{text.program, text.stage, {}, 0};
    std::string body;
    for (size_t i = 0; i < texts.size(); ++i) {
        head.text_bytes[i] = static_cast<uint32_t>(texts[i].size());
        body += texts[i];
    }
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Glsl, 0, std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(body)));
}

void TraceWriter::message(uint32_t client, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Message, client, bytes, {});
}

void TraceWriter::close_client(uint32_t client) {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::Close, client, {}, {});
}

Result<void> TraceWriter::finish() {
    const std::lock_guard lock(mutex_);
    write(ChunkKind::End, 0, {}, {});
    stream_->flush();
    if (!*stream_)
        return Error{Errc::System, {}, name_ + ": the trace could not be written"};
    return {};
}

GlslText TraceChunk::glsl() const {
    const auto head = this->head<GlslChunk>();
    GlslText text;
    text.program = head.program;
    text.stage = head.stage;
    std::string_view rest(reinterpret_cast<const char*>(payload.data()), payload.size());
    rest.remove_prefix(sizeof head);
    std::string_view* const texts[] = {&text.glsl, &text.tgsi, &text.names};
    for (size_t i = 0; i < std::size(texts); ++i) {
        *texts[i] = rest.substr(0, head.text_bytes[i]);
        rest.remove_prefix(head.text_bytes[i]);
    }
    return text;
}

Result<Trace> Trace::load(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        return Error{Errc::System, {}, std::string("cannot be read: ") + std::strerror(errno)};
    // A directory can be opened, but its size is not the length of its contents.
    if (std::error_code error; !std::filesystem::is_regular_file(path, error))
        return Error{Errc::System, {}, "cannot be read: no regular file"};
    const std::streamoff size = file.tellg();
    if (size < 0)
        return Error{Errc::System, {}, "cannot be read"};
    std::vector<std::byte> bytes(static_cast<size_t>(size));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes.data()), size);
    if (!file)
        return Error{Errc::System, {}, "cannot be read"};
    return parse(std::move(bytes));
}

Result<Trace> Trace::parse(std::vector<std::byte> bytes) {
    Trace trace(std::move(bytes));
    VALKYR_TRY_VOID(trace.read_head());
    VALKYR_TRY_VOID(trace.read_chunks());
    return trace;
}

Result<void> Trace::read_head() {
    if (bytes_.size() < kMagic.size() || std::memcmp(bytes_.data(), kMagic.data(), 8) != 0)
        return damaged(0, "not a trace");
    if (bytes_.size() < kHeadBytes)
        return damaged(bytes_.size(), "the trace is cut off");
    Crc32 crc;
    crc.add(std::span(bytes_).first(16));
    if (const uint32_t version = word_at(bytes_, 8);
        version < kOldestTraceVersion || version > kTraceVersion)
        return damaged(
            8, "a trace of version " + std::to_string(version) + "; this program reads versions " +
                   std::to_string(kOldestTraceVersion) + " to " + std::to_string(kTraceVersion));
    if (crc.value() != word_at(bytes_, 16))
        return damaged(0, "the head is damaged");
    const uint32_t level = word_at(bytes_, 12);
    if (level >= kGlLevels)
        return damaged(12, "no OpenGL level " + std::to_string(level));
    level_ = static_cast<GlLevel>(level);
    return {};
}

Result<void> Trace::read_chunks() {
    const std::span<const std::byte> all(bytes_);
    Crc32 sums;
    for (size_t at = kHeadBytes;;) {
        if (all.size() - at < kChunkHeadBytes)
            return damaged(all.size(), "the trace is cut off");
        const std::array<uint32_t, 3> head{word_at(all, at), word_at(all, at + 4),
                                           word_at(all, at + 8)};
        const size_t begin = at + kChunkHeadBytes;
        if (head[2] > all.size() - begin ||
            padding_of(head[2]) > all.size() - begin - size_t{head[2]})
            return damaged(at, "a damaged length, or the trace is cut off");
        const auto payload = all.subspan(begin, head[2]);
        const auto number = static_cast<uint32_t>(chunks_.size());
        if (chunk_crc(number, head, payload, {}) != word_at(all, at + 12))
            return damaged(at, "the checksum of chunk " + std::to_string(number) + " is wrong");
        sums.add(word_at(all, at + 12));
        fingerprint_ = sums.value();
        const auto padding = all.subspan(begin + head[2], padding_of(head[2]));
        if (std::any_of(padding.begin(), padding.end(),
                        [](std::byte b) { return b != std::byte(); }))
            return damaged(begin + head[2], "damaged bytes between chunks");
        if (head[0] < static_cast<uint32_t>(ChunkKind::Open) ||
            head[0] > static_cast<uint32_t>(ChunkKind::Glsl))
            return damaged(at, "no kind of chunk " + std::to_string(head[0]));
        const auto kind = static_cast<ChunkKind>(head[0]);
        if (payload.size() < least_payload(kind))
            return damaged(at, "a chunk without a place");
        chunks_.push_back({kind, head[1], payload});
        if (kind == ChunkKind::Glsl && !is_whole_glsl(chunks_.back()))
            return damaged(at, "sizes of texts that do not fit their chunk");
        at = begin + payload.size() + padding.size();
        if (kind == ChunkKind::End)
            return at == all.size() ? Result<void>() : damaged(at, "bytes behind the end");
    }
}

}  // namespace valkyr::virgl
