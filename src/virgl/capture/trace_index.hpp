// Trace index: keeps places of a long trace from which it can be played on.
// SPDX-License-Identifier: MIT
//
// A file beside the trace. All numbers are little-endian:
//     "VALKYRIX", u32 version, u32 fingerprint of the trace, u64 frames of the trace,
//     u64 offset of the table, u32 places, u32 CRC-32 of what precedes and of the table
//     for each place: a trace (trace.hpp) that restores what had been made there
//     the table, for each place: u64 frames shown before, u64 next chunk, u64 offset, u64 bytes
#pragma once

#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::virgl {

inline constexpr uint32_t kIndexVersion = 1;

/// "gears.trace.index".
std::string index_path(const std::string& trace_path);

class TraceIndex {
public:
    /// Reads the table; places are read when they are needed.
    /// errors  System: the file cannot be read; BadEncoding: it is damaged, or belongs to another
    ///         trace
    static Result<TraceIndex> open(const std::string& path, const Trace& trace);

    /// The frames of the trace.
    [[nodiscard]] uint64_t frames() const noexcept { return frames_; }
    /// Lets a fresh replay of the trace go on at the last place before a frame (from 1); does
    /// nothing if that is the beginning.
    /// errors  System, BadEncoding: the place cannot be read; those of Replay
    Result<void> seek(Replay& replay, uint64_t frame) const;

private:
    friend class IndexWriter;
    struct Place {
        uint64_t frames = 0;  ///< shown before
        uint64_t next_chunk = 0;
        uint64_t offset = 0;
        uint64_t bytes = 0;
    };
    static_assert(sizeof(Place) == 32);
    Result<void> read_table(std::istream& file, uint64_t size, const Trace& trace);

    std::string path_;
    uint64_t frames_ = 0;
    std::vector<Place> places_;
};

/// The size of an index that was written.
struct IndexFigures {
    uint64_t frames = 0;  ///< of the trace
    uint64_t places = 0;
    uint64_t bytes = 0;
};

/// Plays the whole trace and writes its index.
/// every   frames from one place to the next; 0: as many as make sixteen places
/// errors  System: the file cannot be written; those of Replay
Result<IndexFigures> write_index(const Trace& trace,
                                 uint64_t every,
                                 Replay::DeviceMaker make_device,
                                 Observer& observer,
                                 const std::string& path);

}  // namespace valkyr::virgl
