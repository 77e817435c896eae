// Message socket: reads whole messages and writes replies and descriptors.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/patience.hpp"
#include "virgl/connection/mailbox.hpp"
#include "virgl/connection/transport.hpp"

#include <array>

namespace valkyr::virgl {

/// Owns a blocking stream socket.
class MessageSocket final : public Transport {
public:
    explicit MessageSocket(int fd)
        : fd_(fd) {}
    ~MessageSocket() override;

    [[nodiscard]] int descriptor() const noexcept { return fd_; }

    [[nodiscard]] bool abandoned() const noexcept override { return abandoned_; }
    Result<bool> read(std::span<std::byte> bytes) override;
    Result<void> write(std::span<const std::byte> bytes) override;
    void note_answer() noexcept override { expectant_ = true; }
    void use_mailbox(std::span<std::byte> board) noexcept override;
    Result<void> write_descriptor(int fd) override;

private:
    /// Receives from the socket, as recv().
    ssize_t receive_with(std::span<std::byte> bytes, int flags) noexcept;
    /// Waits for bytes; 0 if the other side has closed.
    Result<size_t> receive(std::span<std::byte> bytes);
    /// Reads bytes that arrive within some microseconds, without sleeping, because a client often
    /// sends its next message at once; from the mailbox, if it has the turn. 0: no bytes came, or
    /// the other side has closed.
    size_t receive_soon(std::span<std::byte> bytes) noexcept;

    Error write_failed(const char* what);

    int fd_;
    bool abandoned_ = false;
    /// Whether the next bytes are expected soon: set by an answer, cleared when receive_soon() gets
    /// none.
    bool expectant_ = false;
    Patience patience_;
    Mailbox mailbox_;
    std::array<std::byte, 16384> buffer_;
    size_t begin_ = 0;
    size_t end_ = 0;
};

}  // namespace valkyr::virgl
