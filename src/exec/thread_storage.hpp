// Thread-local storage: says where the words of a lane lie, and moves bytes by a program's address.
// SPDX-License-Identifier: MIT
//
// Every lane sees its own storage at the same addresses, from kThreadLocalBase on. In memory the
// lanes of a warp are interleaved: word w of all lanes is one array of kLanes words, so that lanes
// that use the same address use neighbouring words.
#pragma once

#include "exec/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace valkyr::exec {

/// thread_local_pointer: the address of byte 0 of the lane's storage. No memory of a host lies
/// there.
inline constexpr uint64_t kThreadLocalBase = uint64_t{1} << 62;

/// Whether a program's address is in thread-local storage (or would be, were there more of it).
constexpr bool is_thread_local(uint64_t address) {
    return address >> 32 == kThreadLocalBase >> 32;
}

/// Place of byte `offset` of a lane's storage in that of its warp.
constexpr size_t thread_local_place(unsigned lane, size_t offset) {
    return offset / 4 * sizeof(Lanes) + size_t{lane} * 4 + offset % 4;
}

/// Calls f(memory, at, bytes) for each run of bytes that lies together: the first of them is byte
/// `at` of `bytes` bytes from `address` on.
/// tls  base of the warp's storage
template <typename F>
void each_memory_run(uint64_t tls, unsigned lane, uint64_t address, unsigned bytes, F f) {
    if (!is_thread_local(address)) {
        f(reinterpret_cast<uint8_t*>(address), 0U, bytes);  // NOLINT: addresses are host addresses
        return;
    }
    const auto offset = static_cast<uint32_t>(address);
    for (unsigned at = 0; at < bytes;) {
        const unsigned count = std::min(4 - (offset + at) % 4, bytes - at);
        // NOLINTNEXTLINE: the base is a host address
        f(reinterpret_cast<uint8_t*>(tls + thread_local_place(lane, size_t{offset} + at)), at,
          count);
        at += count;
    }
}

/// Read or write `bytes` bytes at an address of a lane's program; the memory must exist.
inline void
read_memory(uint64_t tls, unsigned lane, uint64_t address, void* data, unsigned bytes) noexcept {
    each_memory_run(tls, lane, address, bytes,
                    [&](const uint8_t* memory, unsigned at, unsigned count) {
                        std::memcpy(static_cast<uint8_t*>(data) + at, memory, count);
                    });
}
inline void write_memory(
    uint64_t tls, unsigned lane, uint64_t address, const void* data, unsigned bytes) noexcept {
    each_memory_run(tls, lane, address, bytes, [&](uint8_t* memory, unsigned at, unsigned count) {
        std::memcpy(memory, static_cast<const uint8_t*>(data) + at, count);
    });
}

/// Calls f(memory) with the U at the address of a lane's program, or with a copy of it that is then
/// written back; returns the result of f. Only the lane itself sees its thread-local storage.
template <typename U, typename F>
U update_memory(uint64_t tls, unsigned lane, uint64_t address, F f) {
    if (!is_thread_local(address))
        return f(reinterpret_cast<U*>(address));  // NOLINT: addresses are host addresses
    U value = 0;
    read_memory(tls, lane, address, &value, sizeof value);
    const U result = f(&value);
    write_memory(tls, lane, address, &value, sizeof value);
    return result;
}

}  // namespace valkyr::exec
