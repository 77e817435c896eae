// Fence waits: says which waits for a fence a program need not make, since it reads a window next.
// SPDX-License-Identifier: MIT
#include "app/run/shim/fence_waits.hpp"

namespace valkyr::shim {

void FenceWaits::note(Message command, const MessageWords& words, bool reads_window) {
    if (command == Message::ResourceUnref)
        return;
    const Step before = step_;
    step_ = Step::Other;
    if (command == Message::ResourceCreate2 && is_fence(words)) {
        step_ = Step::Created;
        fence_ = words[kNumberWord];
    } else if (command == Message::ResourceBusyWait && before == Step::Created &&
               words[0] == fence_ && words[1] == kUntilDone) {
        step_ = Step::Waited;
    }
    if (before == Step::Waited)
        frames_ = reads_window ? frames_ + 1 : 0;
}

}  // namespace valkyr::shim
