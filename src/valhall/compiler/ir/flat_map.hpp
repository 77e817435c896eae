// FlatMap: a small open-addressing hash table from 64-bit keys to 32-bit values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace valkyr::valhall {

/// Keys must not be kEmpty. Grows by doubling; entries are never removed, only all at once.
class FlatMap {
public:
    static constexpr uint64_t kEmpty = ~uint64_t{0};

    explicit FlatMap(size_t capacity = 64)
        : slots_(capacity) {}

    /// The value slot of `key`; a new one holds `initial`. Valid until the next insertion.
    uint32_t& find_or_insert(uint64_t key, uint32_t initial) {
        if ((used_ + 1) * 2 > slots_.size())
            grow();
        Slot& slot = slots_[index_of(key)];
        if (slot.key == kEmpty) {
            slot = {key, initial};
            ++used_;
        }
        return slot.value;
    }

    void clear() {
        if (used_ == 0)
            return;
        slots_.assign(slots_.size(), {});
        used_ = 0;
    }

private:
    struct Slot {
        uint64_t key = kEmpty;
        uint32_t value = 0;
    };

    [[nodiscard]] size_t index_of(uint64_t key) const {
        const size_t mask = slots_.size() - 1;
        size_t i = static_cast<size_t>((key * 0x9E3779B97F4A7C15U) >> 32) & mask;
        while (slots_[i].key != kEmpty && slots_[i].key != key)
            i = (i + 1) & mask;
        return i;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.key != kEmpty)
                slots_[index_of(slot.key)] = slot;
    }

    std::vector<Slot> slots_;  ///< a power of two of them
    size_t used_ = 0;
};

}  // namespace valkyr::valhall
