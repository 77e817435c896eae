// Stream output: appends shaded vertices of whole primitives to buffers (OpenGL 4.6 section 13.3).
// SPDX-License-Identifier: MIT
//
// A draw that captures vertices is captured at once, before the draw goes to the pass: so positions
// are known at once, and the order of writes is API order.
#pragma once

#include "base/result.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/resource/resource.hpp"
#include "raster/support/thread_pool.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// One captured output: its place in a vertex record and in the stream.
struct StreamSource {
    uint32_t record_offset = 0;  ///< bytes
    uint8_t components = 0;
    uint8_t buffer = 0;
    uint16_t offset_words = 0;
    uint8_t stream = 0;  ///< stream of the geometry program
    friend bool operator==(const StreamSource&, const StreamSource&) = default;
};

/// The outputs that a pipeline captures.
struct StreamLayout {
    std::vector<StreamSource> sources;
    std::array<uint32_t, kMaxStreamTargets> stride_words{};

    /// Returns the mask of the targets that are written.
    [[nodiscard]] uint32_t targets() const {
        uint32_t mask = 0;
        for (const StreamSource& source : sources)
            mask |= 1U << source.buffer;
        return mask;
    }
};

class StreamTargetImpl final : public StreamTarget {
public:
    StreamTargetImpl(const DeviceTag* owner, BufferRef buffer, uint64_t offset, uint64_t size)
        : owner_(owner)
        , buffer_(std::move(buffer))
        , offset_(offset)
        , size_(size) {}

    [[nodiscard]] uint64_t position() const noexcept override { return position_; }
    void set_position(uint64_t position) { position_ = position; }
    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    [[nodiscard]] BufferImpl& buffer() const { return static_cast<BufferImpl&>(*buffer_); }
    [[nodiscard]] uint64_t size() const { return size_; }
    /// Returns the address of the next byte to write; it may lie past the end.
    [[nodiscard]] uint8_t* cursor() const { return buffer().data() + offset_ + position_; }
    [[nodiscard]] bool has_room(uint64_t bytes) const {
        return position_ <= size_ && bytes <= size_ - position_;
    }

private:
    const DeviceTag* owner_;
    BufferRef buffer_;
    uint64_t offset_;
    uint64_t size_;
    uint64_t position_ = 0;
};

/// Counts of primitives by stream; without a geometry stage all belong to stream 0.
struct StreamCounts {
    std::array<uint64_t, exec::kMaxStreams> generated{};
    std::array<uint64_t, exec::kMaxStreams> written{};
    uint64_t vertices = 0;  ///< shaded vertices
};

/// Returns the number of corners of a primitive in stream output.
uint32_t vertices_of(Primitive primitive);

/// The threads that capture, and their data.
struct StreamWorkers {
    ThreadPool* pool = nullptr;
    std::vector<uint64_t> tls;  ///< thread-local storage of each worker for the vertex program
    std::vector<uint64_t*> message_calls;  ///< by worker, as in exec::VertexCall
    bool in_order = false;  ///< one thread captures, because the draw may read captured bytes
};

/// Returns whether two of the targets lie in one buffer.
[[nodiscard]] bool share_buffers(std::span<StreamTargetImpl* const> targets);

/// Shades the vertices of a draw without a geometry stage and appends its primitives: whole
/// primitives, as long as every target has room. targets[i] is not null where the layout writes
/// target i.
/// errors  OutOfMemory
Result<StreamCounts> capture_streams(const DrawRecord& draw,
                                     const StreamLayout& layout,
                                     std::span<StreamTargetImpl* const> targets,
                                     const StreamWorkers& workers);

}  // namespace valkyr::raster
