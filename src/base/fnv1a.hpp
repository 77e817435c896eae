// FNV-1a: hashes bytes to 64 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr {

/// The 64-bit FNV-1a hash of the bytes added so far.
class Fnv1a {
public:
    void add(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001B3; }
    void add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes)
            add(static_cast<uint8_t>(byte));
    }
    /// Adds `bytes` bytes of a number, the lowest first.
    void add_number(uint64_t number, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i)
            add(static_cast<uint8_t>(number >> 8 * i));
    }
    [[nodiscard]] uint64_t value() const { return value_; }

private:
    uint64_t value_ = 0xCBF29CE484222325;
};

}  // namespace valkyr
