// State ids: give objects with equal contents equal numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

namespace valkyr::virgl {

/// Forgets all contents when the table is full; an id is never used again for other contents.
class StateIds {
public:
    /// The id of an object of this kind with these words.
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
