// Fence waits: says which waits for a fence a program need not make, since it reads a window next.
// SPDX-License-Identifier: MIT
//
// Mesa ends a frame of a window with a fence. It creates the fence, which the server answers by
// memory, waits for it, has the server write the window's pixels, and waits for these: three times
// a frame the program sleeps until the server wakes it up. The server writes pixels after it has
// drawn them, so the last wait alone says when the frame is there.
//
// Other waits for fences are glFinish and the like. A wait is taken for one of a frame if those of
// the last two fences were. What it might miss otherwise is time alone: it still lasts until the
// server has taken all messages before, and nothing that it draws reaches the program without
// another wait.
#pragma once

#include "app/run/shim/vtest_messages.hpp"

#include <cstdint>

namespace valkyr::shim {

class FenceWaits {
public:
    /// A message was sent, or answered here: its first words.
    void note(Message command, const MessageWords& words, bool reads_window);
    /// Whether the wait is answered here.
    [[nodiscard]] bool answers(uint32_t number, uint32_t flags) const {
        return step_ == Step::Created && frames_ >= kSure && number == fence_ &&
               flags == kUntilDone;
    }

private:
    enum class Step : uint8_t { Other, Created, Waited };
    static constexpr unsigned kSure = 2;
    static constexpr uint32_t kUntilDone = 1;

    Step step_ = Step::Other;
    uint32_t fence_ = 0;
    unsigned frames_ = 0;  ///< fences in a row whose wait came before the read of a window
};

}  // namespace valkyr::shim
