// Known waits: says which waits for a resource end at once, so that the server need not be asked.
// SPDX-License-Identifier: MIT
#include "app/run/shim/known_waits.hpp"

#include <algorithm>

namespace valkyr::shim {

void KnownWaits::note(Message command, const MessageWords& words) {
    const uint32_t number = words[kNumberWord];
    switch (command) {
    case Message::ResourceCreate2:
        created_ = shim::is_fence(words) ? 0 : number;
        if (created_ == 0)
            fences_.insert(number);
        break;
    case Message::ResourceUnref:
        fences_.erase(number);
        if (created_ == number)
            created_ = 0;
        break;
    case Message::ResourceBusyWait: waited_ = number; break;
    default: done_ = Done::Nothing; created_ = 0;
    }
}

void KnownWaits::note_answer() {
    if (is_fence(waited_))
        done_ = Done::Drawn;
    else
        done_ = std::max(done_, Done::Taken);
}

bool KnownWaits::knows(uint32_t number) const {
    if (number == 0)
        return false;
    if (is_fence(number))
        return done_ == Done::Drawn;
    return done_ != Done::Nothing || number == created_;
}

}  // namespace valkyr::shim
