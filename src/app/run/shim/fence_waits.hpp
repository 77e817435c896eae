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

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::shim {

/// vtest_protocol.h.
enum VtestCommand : uint32_t {
    kResourceUnref = 3,
    kBusyWait = 7,
    kCreateRenderer = 8,
    kVersion = 11,
    kCreateResource = 12,
    kTransferGet = 13,
    kTransferPut = 14,
};
/// The words of CREATE_RESOURCE: the number of the resource and, if not 0, the bytes of its memory,
/// whose descriptor is the reply. A reply with the number precedes it from version 3.
inline constexpr size_t kNumberWord = 0;
inline constexpr size_t kWidthWord = 4;
inline constexpr size_t kHeightWord = 5;
inline constexpr size_t kMemoryWord = 10;
using MessageWords = std::array<uint32_t, 11>;

/// Whether CREATE_RESOURCE with these words makes a fence: eight bytes that nobody writes.
bool is_fence(const MessageWords& creation);
/// Whether it makes the buffer of a window.
bool is_window(const MessageWords& creation);

class FenceWaits {
public:
    /// A message was sent, or answered here: its first words.
    void note(uint32_t command, const MessageWords& words);
    /// Whether the next message may be a wait that is answered here.
    [[nodiscard]] bool expects_wait() const { return step_ == Step::Created && frames_ >= kSure; }
    /// Whether the wait is answered here.
    [[nodiscard]] bool answers(uint32_t number, uint32_t flags) const {
        return expects_wait() && number == fence_ && flags == kUntilDone;
    }

private:
    enum class Step : uint8_t { Other, Created, Waited };
    static constexpr unsigned kSure = 2;
    static constexpr uint32_t kUntilDone = 1;

    [[nodiscard]] bool reads_window(uint32_t number) const;

    Step step_ = Step::Other;
    uint32_t fence_ = 0;
    unsigned frames_ = 0;  ///< fences in a row whose wait came before the read of a window
    std::array<uint32_t, 8> windows_{};  ///< the resources of windows that were made last
    size_t next_window_ = 0;
};

}  // namespace valkyr::shim
