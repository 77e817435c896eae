// Late writes: keep the newest bytes of each range, in order of their places.
// SPDX-License-Identifier: MIT
#include "raster/resource/late_writes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace valkyr::raster {

void LateWrites::note_read(uint64_t pass, const ByteRange& range) noexcept {
    if (pass_ != pass || read_.size() == 0) {
        pass_ = pass;
        read_ = range;
        return;
    }
    read_ = {std::min(read_.begin, range.begin), std::max(read_.end, range.end)};
}

bool LateWrites::may_write_now(uint64_t pass, const ByteRange& range) const noexcept {
    return (pass_ != pass || !read_.overlaps(range)) && place_of(range) == Place::Buffer;
}

LateWrites::Overlap LateWrites::overlap(const ByteRange& range) const noexcept {
    const auto first =
        std::partition_point(writes_.begin(), writes_.end(),
                             [&](const Write& write) { return write.range.end <= range.begin; });
    auto end = first;
    while (end != writes_.end() && end->range.begin < range.end)
        ++end;
    return {static_cast<size_t>(first - writes_.begin()), static_cast<size_t>(end - first)};
}

void LateWrites::add(const ByteRange& range, const std::byte* bytes) {
    if (range.size() == 0)
        return;
    const Overlap old = overlap(range);
    std::array<Write, 3> pieces;
    size_t count = 0;
    if (old.count != 0 && writes_[old.first].range.begin < range.begin)
        pieces[count++] = writes_[old.first].part({writes_[old.first].range.begin, range.begin});
    pieces[count++] = {range, bytes};
    if (old.count != 0)
        if (const Write& last = writes_[old.first + old.count - 1]; last.range.end > range.end)
            pieces[count++] = last.part({range.end, last.range.end});
    const size_t replaced = std::min(count, old.count);
    const auto first = writes_.begin() + static_cast<ptrdiff_t>(old.first);
    const auto added = pieces.begin() + static_cast<ptrdiff_t>(replaced);
    if (count > old.count)
        // Without memory for it, nothing has changed.
        writes_.insert(first + static_cast<ptrdiff_t>(replaced), added,
                       pieces.begin() + static_cast<ptrdiff_t>(count));
    else
        writes_.erase(first + static_cast<ptrdiff_t>(count),
                      first + static_cast<ptrdiff_t>(old.count));
    std::copy(pieces.begin(), added, writes_.begin() + static_cast<ptrdiff_t>(old.first));
}

LateWrites::Place LateWrites::place_of(const ByteRange& range) const noexcept {
    const Overlap found = overlap(range);
    if (found.count == 0)
        return Place::Buffer;
    return writes_[found.first].range.contains(range) ? Place::Copy : Place::Mixed;
}

const std::byte* LateWrites::copy_of(const ByteRange& range) const noexcept {
    return writes_[overlap(range).first].part(range).bytes;
}

void LateWrites::gather(const ByteRange& range,
                        const std::byte* data,
                        std::byte* to) const noexcept {
    std::memcpy(to, data + range.begin, range.size());
    const Overlap found = overlap(range);
    for (size_t i = found.first; i < found.first + found.count; ++i) {
        const ByteRange& own = writes_[i].range;
        const Write part =
            writes_[i].part({std::max(own.begin, range.begin), std::min(own.end, range.end)});
        std::memcpy(to + (part.range.begin - range.begin), part.bytes, part.range.size());
    }
}

void LateWrites::apply(std::byte* data) noexcept {
    for (const Write& write : writes_)
        std::memcpy(data + write.range.begin, write.bytes, write.range.size());
    writes_.clear();
}

}  // namespace valkyr::raster
