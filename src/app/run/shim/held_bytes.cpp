// Held bytes: sends them in one call with the bytes that follow.
// SPDX-License-Identifier: MIT
#include "app/run/shim/held_bytes.hpp"

#include <cstring>
#include <sys/uio.h>
#include <utility>

namespace valkyr::shim {

bool HeldBytes::add(const void* bytes, size_t count) {
    if (count > bytes_.size() - size_)
        return false;
    std::memcpy(bytes_.data() + size_, bytes, count);
    size_ += count;
    return true;
}

ssize_t HeldBytes::send_before(int fd, const void* bytes, size_t count, Send send) {
    if (size_ == 0)
        return send(fd, bytes, count);
    const auto held = static_cast<ssize_t>(std::exchange(size_, 0));
    const std::array<iovec, 2> parts{
        {{bytes_.data(), static_cast<size_t>(held)}, {const_cast<void*>(bytes), count}}};
    ssize_t sent = writev(fd, parts.data(), parts.size());
    if (sent < 0 || sent > held)
        return sent < 0 ? sent : sent - held;
    while (sent < held) {
        const ssize_t more = send(fd, bytes_.data() + sent, static_cast<size_t>(held - sent));
        if (more < 0)
            return more;
        sent += more;
    }
    return send(fd, bytes, count);
}

}  // namespace valkyr::shim
