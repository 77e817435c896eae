// Constant pool: collects the constants that follow the code of a kernel.
// SPDX-License-Identifier: MIT
#include "jit/host/constant_pool.hpp"

#include <algorithm>

namespace valkyr::jit {

uint32_t ConstantPool::word(uint32_t value) {
    // The hash mixes both ends: floats differ in upper bits, small integers in lower bits.
    int32_t& bucket = buckets_[(value ^ value >> 13 ^ value >> 23) % kBuckets];
    for (int32_t k = bucket; k >= 0; k = index_[static_cast<size_t>(k)].next)
        if (const Word& known = index_[static_cast<size_t>(k)]; known.value == value)
            return known.position;
    while (contents_.size() % copies_ != 0)
        contents_.push_back(0);
    const auto position = static_cast<uint32_t>(contents_.size() * 4);
    contents_.insert(contents_.end(), copies_, value);
    index_.push_back({value, position, bucket});
    bucket = static_cast<int32_t>(index_.size() - 1);
    return position;
}

uint32_t ConstantPool::words(std::span<const uint32_t> words) {
    for (const uint32_t known : groups_) {
        const auto here = std::span(contents_).subspan(known / 4);
        if (here.size() >= words.size() && std::equal(words.begin(), words.end(), here.begin()))
            return known;
    }
    while (contents_.size() % 16 != 0)
        contents_.push_back(0);
    const auto position = static_cast<uint32_t>(contents_.size() * 4);
    contents_.insert(contents_.end(), words.begin(), words.end());
    groups_.push_back(position);
    return position;
}

uint32_t ConstantPool::repeated(uint32_t value, unsigned count) {
    for (const auto& [known, position] : repeated_)
        if (known == value)
            return position;
    const std::vector<uint32_t> lanes(count, value);
    const uint32_t position = words(lanes);
    repeated_.emplace_back(value, position);
    return position;
}

}  // namespace valkyr::jit
