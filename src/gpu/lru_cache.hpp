// LRU cache: maps keys to values and forgets the entry used longest ago.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <unordered_map>
#include <utility>

namespace valkyr::gpu {

/// Not thread-safe. Pointers to values stay valid until the next insert(). With a transparent Hash
/// and Equal, find() accepts other types than Key, so that a lookup need not make a Key.
template <typename Key,
          typename Value,
          typename Hash = std::hash<Key>,
          typename Equal = std::equal_to<>>
class LruCache {
public:
    explicit LruCache(size_t capacity)
        : capacity_(capacity) {}

    /// The value, now the most recently used one; null if there is none.
    template <typename Name>
    const Value* find(const Name& key) {
        const auto it = map_.find(key);
        if (it == map_.end())
            return nullptr;
        order_.splice(order_.begin(), order_, it->second.place);
        return &it->second.value;
    }

    /// Adds or replaces a value; drops the oldest if there are too many. If memory runs out, it
    /// throws std::bad_alloc and leaves the cache unchanged.
    void insert(Key key, Value value) {
        std::list<const Key*> place(1, nullptr);
        const auto [it, added] = map_.try_emplace(std::move(key));
        it->second.value = std::move(value);
        if (!added) {
            order_.splice(order_.begin(), order_, it->second.place);
            return;
        }
        place.front() = &it->first;
        order_.splice(order_.begin(), place);
        it->second.place = order_.begin();
        if (map_.size() <= capacity_)
            return;
        const auto oldest = map_.find(*order_.back());
        order_.pop_back();
        map_.erase(oldest);
    }

    [[nodiscard]] size_t size() const { return map_.size(); }

private:
    struct Entry {
        Value value;
        typename std::list<const Key*>::iterator place;
    };

    size_t capacity_;
    std::unordered_map<Key, Entry, Hash, Equal> map_;
    std::list<const Key*> order_;  ///< most recently used first; keys of map nodes, which stay put
};

}  // namespace valkyr::gpu
