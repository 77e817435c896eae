// Byte moves: copy, clear and repeat bytes in pieces.
// SPDX-License-Identifier: MIT
#include "raster/resource/bytes.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Bytes between two polls of the watch: some milliseconds if each page of them is new.
constexpr size_t kPiece = size_t{4} << 20;

/// Calls move(offset, bytes) for the pieces of a range, from the last piece on if `backwards`.
template <typename Move>
void for_each_piece(size_t size, bool backwards, const exec::LoopWatch* watch, const Move& move) {
    for (size_t done = 0; done < size && !exec::is_cancelled(watch);) {
        const size_t bytes = std::min(size - done, kPiece);
        move(backwards ? size - done - bytes : done, bytes);
        done += bytes;
    }
}

}  // namespace

void copy_bytes(void* to, const void* from, size_t size, const exec::LoopWatch* watch) noexcept {
    auto* target = static_cast<std::byte*>(to);
    const auto* source = static_cast<const std::byte*>(from);
    for_each_piece(size, target > source, watch,
                   [&](size_t at, size_t bytes) { std::memmove(target + at, source + at, bytes); });
}

void clear_bytes(void* to, size_t size, const exec::LoopWatch* watch) noexcept {
    auto* target = static_cast<std::byte*>(to);
    for_each_piece(size, false, watch,
                   [&](size_t at, size_t bytes) { std::memset(target + at, 0, bytes); });
}

void repeat_bytes(void* to,
                  size_t size,
                  std::span<const std::byte> pattern,
                  const exec::LoopWatch* watch) noexcept {
    auto* target = static_cast<std::byte*>(to);
    // Each copy doubles the filled part, up to some pages: a whole number of patterns.
    const size_t first = std::min(size, pattern.size() * 4096);
    std::memcpy(target, pattern.data(), std::min(size, pattern.size()));
    for (size_t done = pattern.size(); done < first; done *= 2)
        std::memcpy(target + done, target, std::min(done, first - done));
    for (size_t done = first; done < size && !exec::is_cancelled(watch); done += first)
        std::memcpy(target + done, target, std::min(first, size - done));
}

}  // namespace valkyr::raster
