// Late writes: keep what is written to a buffer while recorded draws still read its old bytes.
// SPDX-License-Identifier: MIT
//
// A write to bytes that no recorded draw reads goes to the buffer at once. Any other write waits as
// a copy of its own bytes until the draws are rendered; draws that are recorded after it read the
// copy. So a write costs what it writes, however large the buffer is.
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
    /// Says where the bytes of a range are that a draw recorded now has to read.
    enum class Place : uint8_t {
        Buffer,  ///< in the buffer itself
        Copy,    ///< all in one copy
        Mixed,   ///< here and there: they must be gathered
    };

    /// Draws of a pass read the range in the buffer itself.
    void note_read(uint64_t pass, const ByteRange& range) noexcept;
    /// Whether the buffer itself may be written while the pass is recorded.
    [[nodiscard]] bool may_write_now(uint64_t pass, const ByteRange& range) const noexcept;

    /// Adds a write; `bytes` stay until apply().
    void add(const ByteRange& range, const std::byte* bytes) { writes_.push_back({range, bytes}); }
    [[nodiscard]] size_t count() const noexcept { return writes_.size(); }

    [[nodiscard]] Place place_of(const ByteRange& range) const noexcept;
    /// Where the byte range.begin lies; place_of(range) is Copy.
    [[nodiscard]] const std::byte* copy_of(const ByteRange& range) const noexcept;
    /// Copies the current bytes of a range to `to`; `data` is the buffer.
    void gather(const ByteRange& range, const std::byte* data, std::byte* to) const noexcept;

    /// Writes everything to the buffer, in order, and forgets it.
    void apply(std::byte* data) noexcept;

private:
    struct Write {
        ByteRange range;
        const std::byte* bytes;
    };

    uint64_t pass_ = 0;  ///< of read_
    ByteRange read_;     ///< at least what draws of the pass read in the buffer itself
    std::vector<Write> writes_;
};

}  // namespace valkyr::raster
