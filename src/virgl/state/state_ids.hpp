// State IDs: give equal state equal numbers, however often it is made.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace valkyr::virgl {

/// Forgets everything when it has grown too large; numbers never come again for other contents.
class StateIds {
public:
    /// The number of these words, of one kind of object.
    uint64_t id(char kind, std::span<const uint32_t> words) {
        key_.assign(1, kind);
        key_.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
        if (ids_.size() >= kMostIds && !ids_.contains(key_))
            ids_.clear();
        const auto [place, added] = ids_.try_emplace(key_, next_);
        next_ += added ? 1 : 0;
        return place->second;
    }

private:
    static constexpr size_t kMostIds = size_t{1} << 14;
    std::unordered_map<std::string, uint64_t> ids_;
    std::string key_;
    uint64_t next_ = 1;
};

}  // namespace valkyr::virgl
