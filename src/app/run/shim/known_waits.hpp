// Known waits: says which waits for a resource end at once, so that the server need not be asked.
// SPDX-License-Identifier: MIT
//
// Mesa waits for a resource before it touches the resource's memory. The server answers when it has
// taken all messages that came before, with the memory and the queries that they name; for a fence,
// when it has drawn as well. Programs that read many pixels or queries wait again and again, with
// nothing between: only the first wait asks for something.
#pragma once

#include "app/run/shim/vtest_messages.hpp"

#include <cstdint>
#include <unordered_set>

namespace valkyr::shim {

class KnownWaits {
public:
    /// A message was sent, or answered here: its first words.
    void note(Message command, const MessageWords& words);
    /// The server has answered the last wait.
    void note_answer();
    /// Whether a wait for the resource would end at once.
    [[nodiscard]] bool knows(uint32_t number) const;

private:
    enum class Done : uint8_t { Nothing, Taken, Drawn };

    [[nodiscard]] bool is_fence(uint32_t number) const { return fences_.contains(number); }

    Done done_ = Done::Nothing;
    uint32_t created_ = 0;  ///< the last resource, if no message can have named it, or 0
    uint32_t waited_ = 0;   ///< resource of the last wait
    std::unordered_set<uint32_t> fences_;
};

}  // namespace valkyr::shim
