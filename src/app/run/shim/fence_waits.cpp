// Fence waits: says which waits for a fence a program need not make, since it reads a window next.
// SPDX-License-Identifier: MIT
#include "app/run/shim/fence_waits.hpp"

#include <algorithm>

namespace valkyr::shim {
namespace {

// Further words of CREATE_RESOURCE, and bits of its hints (virgl_hw.h).
constexpr size_t kTargetWord = 1;
constexpr size_t kBindWord = 3;
constexpr uint32_t kBuffer = 0;
constexpr uint32_t kBindDisplayTarget = 1U << 7;
constexpr uint32_t kBindCustom = 1U << 17;
constexpr uint32_t kFenceBytes = 8;

}  // namespace

bool is_fence(const MessageWords& creation) {
    return creation[kTargetWord] == kBuffer && creation[kBindWord] == kBindCustom &&
           creation[kWidthWord] == kFenceBytes;
}

bool is_window(const MessageWords& creation) {
    return (creation[kBindWord] & kBindDisplayTarget) != 0;
}

bool FenceWaits::reads_window(uint32_t number) const {
    return number != 0 && std::find(windows_.begin(), windows_.end(), number) != windows_.end();
}

void FenceWaits::note(uint32_t command, const MessageWords& words) {
    if (command == kResourceUnref)
        return;
    const Step before = step_;
    step_ = Step::Other;
    if (command == kCreateResource && is_fence(words)) {
        step_ = Step::Created;
        fence_ = words[kNumberWord];
    } else if (command == kCreateResource && is_window(words)) {
        windows_[next_window_++ % windows_.size()] = words[kNumberWord];
    }
    if (command == kBusyWait && before == Step::Created && words[0] == fence_ &&
        words[1] == kUntilDone)
        step_ = Step::Waited;
    if (before == Step::Waited)
        frames_ = command == kTransferGet && reads_window(words[0]) ? frames_ + 1 : 0;
}

}  // namespace valkyr::shim
