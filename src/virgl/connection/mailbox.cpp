// Mailbox: opens it while the server has nothing to do, and empties it.
// SPDX-License-Identifier: MIT
#include "virgl/connection/mailbox.hpp"

#include "virgl/protocol/board.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace valkyr::virgl {

Mailbox::Mailbox(std::span<std::byte> board) noexcept
    : words_(board_words(board, kMailboxBoardBytes)) {}

bool Mailbox::has_turn() const noexcept {
    return words_ != nullptr && std::atomic_ref(words_[kBoardUsesMailbox]).load() != 0 &&
           std::atomic_ref(words_[kBoardSent]).load() == received_;
}

size_t Mailbox::receive(std::span<std::byte> bytes, Patience& patience) noexcept {
    const std::atomic_ref state(words_[kBoardState]);
    state.store(mailbox_open(received_));
    look_for(patience,
             [&] { return state.load(std::memory_order_acquire) == kMailboxFull || !has_turn(); });
    if (state.exchange(kMailboxClosed) != kMailboxFull)
        return 0;
    // The size is read once: the client may change it.
    const size_t size =
        std::min({size_t{std::atomic_ref(words_[kBoardSize]).load(std::memory_order_relaxed)},
                  kMailboxBytes, bytes.size()});
    std::memcpy(bytes.data(), reinterpret_cast<const std::byte*>(words_) + kMailboxOffset, size);
    return size;
}

}  // namespace valkyr::virgl
