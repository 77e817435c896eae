// Transport: interface that delivers messages to a connection and takes its replies.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace valkyr::virgl {

class Transport {
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    /// Fills `bytes`. False if the other side closed before the first byte.
    /// errors  System: closed in the middle, or the transport failed
    virtual Result<bool> read(std::span<std::byte> bytes) = 0;
    virtual Result<void> write(std::span<const std::byte> bytes) = 0;
    /// Says that the other side got an answer in another way, and may send its next message soon.
    virtual void note_answer() noexcept {}
    /// From now on, pieces of messages may come by a mailbox on the client's board (board.hpp).
    virtual void use_mailbox(std::span<std::byte> /*board*/) noexcept {}
    /// Sends one byte with a descriptor attached, without a message header.
    virtual Result<void> write_descriptor(int fd) = 0;
    /// True if a write failed because the other side has left. That is no error.
    [[nodiscard]] virtual bool abandoned() const noexcept = 0;

    Result<bool> read_words(std::span<uint32_t> words) {
        return read(std::as_writable_bytes(words));
    }
    Result<void> write_words(std::initializer_list<uint32_t> words) {
        return write(std::as_bytes(std::span(words.begin(), words.size())));
    }
};

}  // namespace valkyr::virgl
