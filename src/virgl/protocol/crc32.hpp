// Checksums: computes the CRC-32 of IEEE 802.3 in parts (reflected, polynomial 0x04C11DB7).
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

class Crc32 {
public:
    void add(std::span<const std::byte> bytes) noexcept {
        for (const std::byte byte : bytes)
            state_ = kTable[(state_ ^ static_cast<uint32_t>(byte)) & 0xFF] ^ (state_ >> 8);
    }
    void add(uint32_t word) noexcept { add(std::as_bytes(std::span(&word, 1))); }
    [[nodiscard]] uint32_t value() const noexcept { return ~state_; }

private:
    static constexpr auto kTable = [] {
        std::array<uint32_t, 256> table{};
        for (uint32_t i = 0; i < table.size(); ++i) {
            uint32_t entry = i;
            for (int bit = 0; bit < 8; ++bit)
                entry = (entry >> 1) ^ ((entry & 1) != 0 ? 0xEDB88320U : 0);
            table[i] = entry;
        }
        return table;
    }();

    uint32_t state_ = 0xFFFFFFFF;
};

}  // namespace valkyr::virgl
