// Stream: stores bytes past the caches, for memory that nobody reads soon.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace valkyr::raster {

/// Whether this processor has such stores; else these functions store as usual, for more work.
#ifdef __SSE2__
inline constexpr bool kCanStream = true;
#else
inline constexpr bool kCanStream = false;
#endif

/// Copies `bytes` bytes, a multiple of 16, to an address that is one. A usual store first loads the
/// line that it writes a part of; this one does not, and evicts no other line. Other threads see
/// the bytes after finish_streams().
inline void stream_bytes(uint8_t* to, const uint8_t* from, size_t bytes) noexcept {
#ifdef __SSE2__
    for (size_t at = 0; at < bytes; at += sizeof(__m128i))
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
#else
    std::memcpy(to, from, bytes);
#endif
}

/// Stores `count` words, a multiple of 4, each of a code's bits within `mask` and a byte above bit
/// 23; without `bytes`, of codes alone.
inline void stream_codes(uint8_t* to,
                         const uint32_t* codes,
                         uint32_t mask,
                         const uint8_t* bytes,
                         size_t count) noexcept {
#ifdef __SSE2__
    const __m128i kept = _mm_set1_epi32(static_cast<int>(mask));
    const __m128i zero = _mm_setzero_si128();
    for (size_t i = 0; i < count; i += 4) {
        __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
        words = _mm_and_si128(words, kept);
        if (bytes != nullptr) {
            int four = 0;
            std::memcpy(&four, bytes + i, sizeof four);
            const __m128i high = _mm_unpacklo_epi8(zero, _mm_cvtsi32_si128(four));
            words = _mm_or_si128(words, _mm_unpacklo_epi16(zero, high));
        }
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + 4 * i), words);
    }
#else
    for (size_t i = 0; i < count; ++i) {
        const uint32_t word = (codes[i] & mask) | (bytes != nullptr ? uint32_t{bytes[i]} << 24 : 0);
        std::memcpy(to + 4 * i, &word, sizeof word);
    }
#endif
}

inline void finish_streams() noexcept {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

}  // namespace valkyr::raster
