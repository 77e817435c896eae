// Late writes: keep the bytes written to a buffer while recorded draws still read the old bytes.
// SPDX-License-Identifier: MIT
//
// A write to bytes that no recorded draw reads goes to the buffer at once. Any other write waits as
// a copy until the draws are rendered; draws that are recorded after it read the copy. So the cost
// of a write depends on its size, not on the buffer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// Bytes begin .. end-1 of a buffer.
struct ByteRange {
    uint64_t begin = 0;
    uint64_t end = 0;
    [[nodiscard]] uint64_t size() const noexcept { return end - begin; }
    [[nodiscard]] bool overlaps(const ByteRange& other) const noexcept {
        return begin < other.end && other.begin < end;
    }
    [[nodiscard]] bool contains(const ByteRange& other) const noexcept {
        return begin <= other.begin && other.end <= end;
    }
};

class LateWrites {
public:
    /// Place of the current bytes of a range, for a draw that is recorded now.
    enum class Place : uint8_t {
        Buffer,  ///< in the buffer itself
        Copy,    ///< all in one late write
        Mixed,   ///< in several places: they must be gathered
    };

    /// Notes that draws of a pass read the range in the buffer itself.
    void note_read(uint64_t pass, const ByteRange& range) noexcept;
    /// Returns whether the buffer itself may be written while the pass is recorded.
    [[nodiscard]] bool may_write_now(uint64_t pass, const ByteRange& range) const noexcept;

    /// Adds a write, which takes the place of older ones where they overlap; `bytes` stay until
    /// apply(). Costs as much as moving count() entries of some words, at most.
    void add(const ByteRange& range, const std::byte* bytes);
    /// Returns how many ranges are kept: what is left of older writes counts as well.
    [[nodiscard]] size_t count() const noexcept { return writes_.size(); }

    [[nodiscard]] Place place_of(const ByteRange& range) const noexcept;
    /// Returns the address of byte range.begin; place_of(range) must be Copy.
    [[nodiscard]] const std::byte* copy_of(const ByteRange& range) const noexcept;
    /// Copies the current bytes of a range to `to`; `data` is the buffer.
    void gather(const ByteRange& range, const std::byte* data, std::byte* to) const noexcept;

    /// Writes all late writes to the buffer, and forgets them.
    void apply(std::byte* data) noexcept;

private:
    struct Write {
        ByteRange range;
        const std::byte* bytes = nullptr;
        /// part  inside `range`
        [[nodiscard]] Write part(const ByteRange& part) const noexcept {
            return {part, bytes + (part.begin - range.begin)};
        }
    };
    /// Neighbours in `writes_`.
    struct Overlap {
        size_t first;
        size_t count;
    };
    /// Returns the writes that a range overlaps.
    [[nodiscard]] Overlap overlap(const ByteRange& range) const noexcept;

    uint64_t pass_ = 0;  ///< pass that `read_` belongs to
    ByteRange read_;     ///< contains all bytes that the pass's draws read in the buffer itself
    std::vector<Write> writes_;  ///< by place; none overlap
};

}  // namespace valkyr::raster
