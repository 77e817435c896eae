// Late writes: find the current bytes of a range, which the newest overlapping write has.
// SPDX-License-Identifier: MIT
#include "raster/resource/late_writes.hpp"

#include <algorithm>
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

void LateWrites::add(const ByteRange& range, const std::byte* bytes) {
    // Programs write the same bytes again before each draw: only the last write reaches the buffer.
    while (!writes_.empty() && range.contains(writes_.back().range))
        writes_.pop_back();
    writes_.push_back({range, bytes});
}

LateWrites::Place LateWrites::place_of(const ByteRange& range) const noexcept {
    for (size_t i = writes_.size(); i-- > 0;)
        if (writes_[i].range.overlaps(range))
            return writes_[i].range.contains(range) ? Place::Copy : Place::Mixed;
    return Place::Buffer;
}

const std::byte* LateWrites::copy_of(const ByteRange& range) const noexcept {
    for (size_t i = writes_.size(); i-- > 0;)
        if (writes_[i].range.overlaps(range))
            return writes_[i].bytes + (range.begin - writes_[i].range.begin);
    return nullptr;
}

void LateWrites::gather(const ByteRange& range,
                        const std::byte* data,
                        std::byte* to) const noexcept {
    std::memcpy(to, data + range.begin, range.size());
    for (const Write& write : writes_) {
        if (!write.range.overlaps(range))
            continue;
        const uint64_t begin = std::max(write.range.begin, range.begin);
        const uint64_t end = std::min(write.range.end, range.end);
        std::memcpy(to + (begin - range.begin), write.bytes + (begin - write.range.begin),
                    end - begin);
    }
}

void LateWrites::apply(std::byte* data) noexcept {
    for (const Write& write : writes_)
        std::memcpy(data + write.range.begin, write.bytes, write.range.size());
    writes_.clear();
}

}  // namespace valkyr::raster
