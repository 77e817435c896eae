// Guest pool: keeps small guest storage of one client for its next resources.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/guest_pool.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::virgl {

Result<SharedMemory> GuestPool::take(size_t bytes) {
    const auto found = std::ranges::find(idle_, bytes, &SharedMemory::size);
    if (found == idle_.end())
        return SharedMemory::create(bytes);
    SharedMemory memory = std::move(*found);
    idle_.erase(found);
    --open_;
    std::ranges::fill(memory.bytes(), std::byte{0});
    return memory;
}

void GuestPool::share(SharedMemory& memory) noexcept {
    if (memory.size() > kLargest || open_ == kMost)
        memory.close_descriptor();
    else
        ++open_;
}

void GuestPool::give(SharedMemory&& memory) noexcept {
    if (memory.descriptor() < 0)
        return;
    // A resource whose client never got the descriptor is not counted.
    if (memory.size() <= kLargest && idle_.size() < open_)
        idle_.push_back(std::move(memory));
}

}  // namespace valkyr::virgl
