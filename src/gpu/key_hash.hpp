// Key hash: hashes keys of some hundred bytes that are looked up at every draw.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace valkyr::gpu {

/// Hashes every byte. For tables in memory only: the value depends on the byte order of the host.
/// Each 128-bit product takes in 16 bytes; two chains of products run side by side.
inline uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t seed) noexcept {
    __extension__ using Wide = unsigned __int128;
    constexpr uint64_t kOdd = 0x9E3779B97F4A7C15U;    // 2^64 / golden ratio
    constexpr uint64_t kOther = 0xD1B54A32D192ED03U;  // any odd number with as many ones as zeros
    const auto fold = [](uint64_t a, uint64_t b) {
        const Wide product = static_cast<Wide>(a) * b;
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    };
    uint64_t first = seed ^ kOdd;
    uint64_t second = bytes.size() ^ kOther;
    while (!bytes.empty()) {
        std::array<uint64_t, 4> words{};
        const size_t taken = std::min(bytes.size(), sizeof(words));
        if (taken == sizeof(words))
            std::memcpy(words.data(), bytes.data(), sizeof(words));
        else
            std::memcpy(words.data(), bytes.data(), taken);
        first = fold(first ^ words[0], words[1] ^ kOther);
        second = fold(second ^ words[2], words[3] ^ kOdd);
        bytes = bytes.subspan(taken);
    }
    return fold(first ^ kOther, second ^ kOdd);
}

}  // namespace valkyr::gpu
