// Held bytes: keeps the first bytes for a socket, which go out with the next ones.
// SPDX-License-Identifier: MIT
//
// Each call that sends can wake the server up, and costs the program as much as copying some
// hundred bytes.
#pragma once

#include "app/run/shim/vtest_messages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/types.h>

namespace valkyr::shim {

/// As write() to a socket of Valkyr's server.
using Send = ssize_t (*)(int, const void*, size_t);

class HeldBytes {
public:
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] const uint8_t* data() const { return bytes_.data(); }
    /// Adds bytes, if there is room; says whether there was.
    bool add(const void* bytes, size_t count);
    /// Drops the last bytes; count  at most size()
    void drop_last(size_t count) { size_ -= count; }
    void clear() { size_ = 0; }
    /// Sends the held bytes before the others. Returns what `send` would return for the others.
    ssize_t send_before(int fd, const void* bytes, size_t count, Send send);

private:
    /// A message to read texels, and the header of the next message.
    std::array<uint8_t, 2 * kHeaderBytes + sizeof(MessageWords)> bytes_{};
    size_t size_ = 0;
};

}  // namespace valkyr::shim
