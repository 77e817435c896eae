// A connected socket: whole messages in, replies and descriptors out.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace valkyr::virgl {

/// Owns a blocking stream socket.
class MessageSocket {
public:
    explicit MessageSocket(int fd)
        : fd_(fd) {}
    MessageSocket(const MessageSocket&) = delete;
    MessageSocket& operator=(const MessageSocket&) = delete;
    ~MessageSocket();

    [[nodiscard]] int descriptor() const noexcept { return fd_; }

    /// Whether the other side did not take what was written: it has left, which is its right.
    [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }

    /// Fills `bytes`. False if the other side closed before the first byte.
    /// errors  System: closed in the middle, or the socket failed
    Result<bool> read(std::span<std::byte> bytes);
    Result<bool> read_words(std::span<uint32_t> words) {
        return read(std::as_writable_bytes(words));
    }
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> write_words(std::initializer_list<uint32_t> words) {
        return write(std::as_bytes(std::span(words.begin(), words.size())));
    }
    /// One byte with a descriptor, without a message header.
    Result<void> write_descriptor(int fd);

private:
    /// Waits for bytes; 0 at the end.
    Result<size_t> receive(std::span<std::byte> bytes);

    Error write_failed(const char* what);

    int fd_;
    bool abandoned_ = false;
    std::array<std::byte, 16384> buffer_;
    size_t begin_ = 0;
    size_t end_ = 0;
};

}  // namespace valkyr::virgl
