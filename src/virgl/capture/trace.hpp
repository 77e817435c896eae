// Traces: keep the messages of clients, and the memory that these messages read, in a file.
// SPDX-License-Identifier: MIT
//
// All numbers are little-endian. The file begins with 20 bytes:
//     "VALKYRTR", u32 version, u32 GlLevel, u32 CRC-32 of these 16 bytes
// then chunks:
//     u32 kind, u32 client, u32 payload bytes, u32 CRC-32, payload, zeros up to a multiple of 4
// The CRC covers the chunk's number (u32, from 0), kind, client, length and payload, so that it
// also detects chunks that were moved or left out. The last chunk is End.
//     Open     nothing: a client connects. Clients are numbered from 1.
//     Memory   u32 resource, u32 0, u64 offset, bytes: guest storage that the next message reads
//     Message  header and body of a message of the vtest protocol, as it was received
//     Close    nothing: the client leaves
//     Contents u32 resource, u32 part, u64 offset, bytes: of a part of its host storage. A buffer
//              has one part; those of textures: raster/texture_memory.hpp
//     Stream   u32 sub-context, u32 handle, u64 position, u32 bytes a vertex, u32 0: of a stream
//              output target
//     Query    u32 sub-context, u32 handle, u64 value: of an ended query
// These three restore what the messages before them had made in the trace that this one was cut
// from (trim.hpp). Version 1 has none of them.
//     Glsl     u32 program (from 1), u32 stage, u32 bytes of each of three texts, u32 0, the texts:
//              GLSL source, the TGSI text that Mesa makes of it, names (GlslText)
// A replay skips it. Versions 1 and 2 have none.
//     End      nothing
#pragma once

#include "base/result.hpp"
#include "virgl/protocol/capabilities.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::virgl {

inline constexpr uint32_t kTraceVersion = 3;
inline constexpr uint32_t kOldestTraceVersion = 1;  ///< that is read
/// The place of the bytes of a Memory or a Contents chunk, which begins with it.
struct MemoryPlace {
    uint32_t resource = 0;
    uint32_t part = 0;    ///< Memory: 0
    uint64_t offset = 0;  ///< bytes
};
inline constexpr size_t kMemoryHeadBytes = sizeof(MemoryPlace);

enum class ChunkKind : uint32_t {
    Open = 1,
    Memory,
    Message,
    Close,
    End,
    Contents,
    Stream,
    Query,
    Glsl,
};

/// The payload of a Stream chunk.
struct StreamChunk {
    uint32_t sub = 0;
    uint32_t handle = 0;
    uint64_t position = 0;
    uint32_t vertex_bytes = 0;
    uint32_t reserved = 0;
};
/// The payload of a Query chunk.
struct QueryChunk {
    uint32_t sub = 0;
    uint32_t handle = 0;
    uint64_t value = 0;
};
/// The beginning of the payload of a Glsl chunk.
struct GlslChunk {
    uint32_t program = 0;
    uint32_t stage = 0;
    std::array<uint32_t, 3> text_bytes{};
    uint32_t reserved = 0;
};
/// A stage of an OpenGL program as the program gave it, and as Mesa compiles it.
struct GlslText {
    uint32_t program = 0;  ///< stages of one program have the same number, from 1
    uint32_t stage = 0;    ///< VERT, TESS_CTRL, TESS_EVAL, GEOM, FRAG, COMP
    std::string_view glsl;
    std::string_view tgsi;
    std::string_view names;  ///< lines "REGISTER NAME": "CONST[0][4] ModelView[1]", "SAMP[0] tex"
};
inline constexpr uint32_t kGlslStages = 6;

/// Writes a trace. Any thread may call; chunks do not interleave.
class TraceWriter {
public:
    /// `most_frames`: frames recorded of each client; 0: all.
    /// errors  System: the file cannot be written
    static Result<std::unique_ptr<TraceWriter>>
    create(const std::string& path, GlLevel level, uint64_t most_frames = 0);
    /// Writes into any stream; `name` stands in error texts.
    static Result<std::unique_ptr<TraceWriter>> create(std::unique_ptr<std::ostream> stream,
                                                       std::string name,
                                                       GlLevel level,
                                                       uint64_t most_frames = 0);
    /// Writes behind the last chunk of a trace that was finished. finish() ends it again.
    /// errors  System: the file cannot be read or written; BadEncoding: it is no trace of the
    ///         version that this program writes, or is cut off
    static Result<std::unique_ptr<TraceWriter>> append_to(const std::string& path);

    [[nodiscard]] uint64_t most_frames() const noexcept { return most_frames_; }
    /// Records that a client connects; returns its number.
    uint32_t open_client();
    /// Records that a client connects whose number is known.
    void open_client_as(uint32_t client);
    void memory(uint32_t client, uint32_t resource, uint64_t offset, std::span<const std::byte>);
    void message(uint32_t client, std::span<const std::byte> bytes);
    void contents(uint32_t client, const MemoryPlace& place, std::span<const std::byte> bytes);
    void stream(uint32_t client, const StreamChunk& stream);
    void query(uint32_t client, const QueryChunk& query);
    void glsl(const GlslText& text);
    void close_client(uint32_t client);
    /// Writes the End chunk; call no other member afterwards.
    /// errors  System: a write failed, now or before
    Result<void> finish();

private:
    TraceWriter(std::unique_ptr<std::ostream> stream, std::string name, uint64_t most_frames)
        : stream_(std::move(stream))
        , name_(std::move(name))
        , most_frames_(most_frames) {}
    void write(ChunkKind kind,
               uint32_t client,
               std::span<const std::byte> head,
               std::span<const std::byte> body);

    std::unique_ptr<std::ostream> stream_;
    std::string name_;
    uint64_t most_frames_;
    std::mutex mutex_;
    uint32_t chunks_ = 0;
    uint32_t clients_ = 0;
};

/// A chunk of a trace that has been read.
struct TraceChunk {
    ChunkKind kind = ChunkKind::End;
    uint32_t client = 0;
    std::span<const std::byte> payload;  ///< as long as its kind requires at least

    /// The head of the payload: MemoryPlace, StreamChunk or QueryChunk, by the kind.
    template <typename T>
    [[nodiscard]] T head() const {
        T made;
        std::memcpy(&made, payload.data(), sizeof made);
        return made;
    }
    /// Memory, Contents: the bytes behind the place.
    [[nodiscard]] std::span<const std::byte> bytes() const {
        return payload.subspan(kMemoryHeadBytes);
    }
    /// Glsl: the contents.
    [[nodiscard]] GlslText glsl() const;
};

/// A whole trace, checked.
class Trace {
public:
    /// errors  System: the file cannot be read; BadEncoding: it is no trace, has another version,
    ///         is cut off or damaged. The text names the offset.
    static Result<Trace> load(const std::string& path);
    static Result<Trace> parse(std::vector<std::byte> bytes);

    [[nodiscard]] GlLevel level() const noexcept { return level_; }
    [[nodiscard]] std::span<const TraceChunk> chunks() const noexcept { return chunks_; }
    /// A checksum of all chunks.
    [[nodiscard]] uint32_t fingerprint() const noexcept { return fingerprint_; }

private:
    explicit Trace(std::vector<std::byte> bytes)
        : bytes_(std::move(bytes)) {}
    Result<void> read_head();
    Result<void> read_chunks();

    std::vector<std::byte> bytes_;  ///< a moved vector keeps its storage: spans stay valid
    std::vector<TraceChunk> chunks_;
    GlLevel level_ = GlLevel::Gl21;
    uint32_t fingerprint_ = 0;
};

}  // namespace valkyr::virgl
