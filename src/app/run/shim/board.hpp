// Board: the program's side of memory that it shares with the server (virgl/protocol/board.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/shim/held_bytes.hpp"
#include "base/patience.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::shim {

class Board {
public:
    /// Maps the memory of the first fence, and keeps a descriptor of it.
    void keep(int fd);
    void forget();
    /// The descriptor; -1: there is no board.
    [[nodiscard]] int memory() const { return memory_; }

    /// Whether the server comes to the creation of a fence soon: it has then taken all messages
    /// before, with the memory that they name, which the program may use again.
    [[nodiscard]] bool has_taken(uint32_t fence) const;

    /// Says that this thread looks here for the answer to the wait that it sends next.
    void expect_answer();
    [[nodiscard]] bool expects_answer() const { return expected_ != 0; }
    /// Whether the answer has come, or comes soon. If not, it comes by the socket.
    bool take_answer();

    /// As `send`, with the held bytes before the others, by the mailbox if the server looks there.
    ssize_t send_piece(int fd, HeldBytes& held, const void* bytes, size_t size, Send send);

private:
    [[nodiscard]] bool has_mailbox() const;
    [[nodiscard]] bool has_answer() const;
    /// Fills the mailbox, if it is open and has the room; says whether it did.
    bool post(const HeldBytes& held, const void* bytes, size_t size);

    uint32_t* words_ = nullptr;
    size_t bytes_ = 0;
    int memory_ = -1;
    uint32_t expected_ = 0;  ///< the word of answers before the one that comes here; 0: none does
    uint32_t sent_ = 0;      ///< by the socket
    Patience patience_;
};

}  // namespace valkyr::shim
