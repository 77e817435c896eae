// Mailbox: takes pieces of messages from memory that the client writes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/patience.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

/// The server's side of the mailbox on a client's board (board.hpp). The client may write anything
/// there, at any time: it harms only its own messages.
class Mailbox {
public:
    Mailbox() = default;
    /// board  outlives the mailbox; too small: there is no mailbox
    explicit Mailbox(std::span<std::byte> board) noexcept;

    /// Counts bytes that were received by the socket.
    void note_received(size_t count) noexcept { received_ += static_cast<uint32_t>(count); }
    /// Whether the client uses it, and has sent nothing by the socket that was not received.
    [[nodiscard]] bool has_turn() const noexcept;
    /// Takes a piece that is written while the patience lasts. Returns its bytes; 0: none came, or
    /// the client has sent by the socket.
    /// bytes  at least kMailboxBytes
    size_t receive(std::span<std::byte> bytes, Patience& patience) noexcept;

private:
    uint32_t* words_ = nullptr;  ///< null: there is none
    uint32_t received_ = 0;
};

}  // namespace valkyr::virgl
