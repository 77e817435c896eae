// Stream output: appends outputs of primitives to buffers.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 13.3; docs/rules/raster-rules.md "Stream output".
#pragma once

#include "raster/device.hpp"
#include "tests/oracle/geometry.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::reference {

/// A range of a buffer, and the place in it where the next vertex goes.
class ReferenceStreamTarget final : public raster::StreamTarget {
public:
    /// range  inside its buffer
    explicit ReferenceStreamTarget(raster::BufferRange range)
        : range_(std::move(range)) {}
    [[nodiscard]] uint64_t position() const noexcept override { return position_; }
    [[nodiscard]] uint64_t size() const noexcept { return range_.size; }
    /// position  at most size()
    void set_position(uint64_t position) { position_ = position; }
    [[nodiscard]] bool has_room(uint64_t bytes) const { return size() - position_ >= bytes; }
    /// Writes a word at `offset` behind the position.
    void write(uint64_t offset, uint32_t word);

private:
    raster::BufferRange range_;
    uint64_t position_ = 0;
};

/// Captures the primitives of one draw.
class StreamOutput {
public:
    /// outputs  registers of the last vertex processing stage
    /// errors  InvalidState: a slot that is captured to has no target of this device, or a capture
    ///         lies outside the outputs or outside the vertex in its slot
    static Result<StreamOutput> create(const raster::StreamOutputState& rules,
                                       uint32_t outputs,
                                       const std::vector<raster::StreamTargetRef>& targets);

    /// Appends a primitive of a stream to the stream's targets, if all of them have room for it and
    /// had for the draw's earlier ones.
    void capture(const std::vector<const Vertex*>& corners, uint32_t stream);

private:
    explicit StreamOutput(const raster::StreamOutputState& rules)
        : rules_(&rules) {}

    /// The slots that a stream is captured to.
    [[nodiscard]] std::array<bool, raster::kMaxStreamTargets> slots(uint32_t stream) const;
    [[nodiscard]] uint64_t vertex_bytes(size_t slot) const {
        return 4 * rules_->stride_words[slot];
    }
    void append(const Vertex& vertex, uint32_t stream);

    const raster::StreamOutputState* rules_;
    std::array<ReferenceStreamTarget*, raster::kMaxStreamTargets> targets_{};
    std::array<bool, exec::kMaxStreams> is_full_{};  ///< by stream
};

}  // namespace valkyr::reference
