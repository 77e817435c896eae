// Board: names the words of a client's first fence, which replace messages and system calls.
// SPDX-License-Identifier: MIT
//
// The memory of fences has no meaning for Mesa's driver. A program under `valkyr run` gives all its
// fences the memory of the first one, and asks for more of it than the driver does. Calls for a
// socket cost a microsecond on virtual machines; looking at memory that another processor has
// written costs a quarter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

/// The number of the last fence whose creation the server has taken.
inline constexpr size_t kBoardFence = 0;
/// Answers to waits. The client sets kBoardLooks before it sends a wait; the server takes the bit
/// away and adds kBoardAnswer instead of sending an answer. A client that takes the bit away itself
/// gets the answer by its socket.
inline constexpr size_t kBoardAnswers = 1;
inline constexpr uint32_t kBoardLooks = 1;
inline constexpr uint32_t kBoardAnswer = 2;

/// Not 0: the client uses the mailbox, which gets pieces of its messages while the server looks at
/// it. All other pieces go by the socket.
inline constexpr size_t kBoardUsesMailbox = 2;
/// Bytes that the client has sent by the socket, or is about to, since it has the board.
inline constexpr size_t kBoardSent = 16;
/// mailbox_open(): the server looks at the mailbox. kMailboxFull: the client has written a piece.
/// kMailboxClosed: the server looks at the socket, or works.
inline constexpr size_t kBoardState = 17;
/// The bytes of the piece.
inline constexpr size_t kBoardSize = 18;
inline constexpr size_t kMailboxOffset = 128;  ///< of the piece, from the first byte of the board

inline constexpr uint32_t kMailboxClosed = 0;
inline constexpr uint32_t kMailboxFull = 2;
/// received  bytes that the server has received by the socket. The client writes a piece only if
///           these are all that it has sent: pieces do not overtake each other.
constexpr uint32_t mailbox_open(uint32_t received) noexcept {
    return received << 2 | 1;
}

/// The memory of a fence that is a board, with and without a mailbox.
inline constexpr size_t kBoardBytes = 2 * sizeof(uint32_t);
inline constexpr size_t kMailboxBoardBytes = size_t{16} << 10;
/// The longest piece.
inline constexpr size_t kMailboxBytes = kMailboxBoardBytes - kMailboxOffset;

/// Returns the words in a fence's memory; null: it has fewer than `least` bytes.
inline uint32_t* board_words(std::span<std::byte> memory, size_t least = kBoardBytes) noexcept {
    return memory.size() < least ? nullptr : reinterpret_cast<uint32_t*>(memory.data());
}

}  // namespace valkyr::virgl
