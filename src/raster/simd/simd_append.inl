// Lane appending: stores chosen lanes one at a time, for levels without a compressing instruction.
// SPDX-License-Identifier: MIT
//
// Included by simd.hpp inside the namespace of a level.

/// Appends, lane by lane, the words of `lanes` whose upper half is not 0; returns their number. Up
/// to 16 * Count words are written.
template <int Count>
inline uint32_t append_words(const I32 (&words)[Count], uint32_t lanes, void* out) {
    alignas(64) int32_t lane_words[Count][16];
    for (int k = 0; k < Count; ++k)
        words[k].store(lane_words[k]);
    uint32_t count = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        for (const auto& word : lane_words) {
            __builtin_memcpy(static_cast<int32_t*>(out) + count, word + lane, sizeof(int32_t));
            count += (static_cast<uint32_t>(word[lane]) >> 16) != 0 ? 1 : 0;
        }
    }
    return count;
}

/// Appends the pairs (low, high) of `lanes` in lane order; returns their number. Up to 16 pairs are
/// written.
inline uint32_t append_pairs(const I32& low, const I32& high, uint32_t lanes, void* out) {
    alignas(64) int32_t words[2][16];
    low.store(words[0]);
    high.store(words[1]);
    uint32_t count = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const int32_t pair[2] = {words[0][lane], words[1][lane]};
        __builtin_memcpy(static_cast<int32_t*>(out) + 2 * count++, pair, sizeof(pair));
    }
    return count;
}
