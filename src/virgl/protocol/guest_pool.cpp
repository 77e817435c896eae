// Guest pool: keeps guest storage of one client for its next resources.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/guest_pool.hpp"

#include <algorithm>
#include <sys/resource.h>
#include <utility>

namespace valkyr::virgl {

namespace {

size_t descriptors_of_a_client() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return std::min<rlim_t>(limit.rlim_cur / GuestPool::kClients, GuestPool::kMost);
}

}  // namespace

GuestPool::GuestPool(size_t most)
    : most_(std::min(most, kMost)) {
    idle_.reserve(most_);
    lent_.reserve(most_);
}

GuestPool::GuestPool()
    : GuestPool(descriptors_of_a_client()) {}

Result<SharedMemory> GuestPool::take(size_t bytes) {
    const auto found = std::ranges::find(idle_, bytes, &SharedMemory::size);
    if (found == idle_.end()) {
        auto made = SharedMemory::create(bytes);
        if (made || idle_.empty())
            return made;
        idle_.clear();
        idle_bytes_ = 0;
        return SharedMemory::create(bytes);
    }
    SharedMemory memory = std::move(*found);
    idle_.erase(found);
    idle_bytes_ -= bytes;
    std::ranges::fill(memory.bytes(), std::byte{0});
    return memory;
}

void GuestPool::share(SharedMemory& memory) noexcept {
    Descriptor descriptor = memory.take_descriptor();
    if (memory.size() > kLargest || most_ == 0)
        return;
    if (idle_.size() + lent_.size() == most_) {
        if (idle_.empty())
            lent_.erase(lent_.begin());
        else
            drop_oldest_idle();
    }
    lent_.push_back({memory.bytes().data(), std::move(descriptor)});
}

void GuestPool::give(SharedMemory&& memory) noexcept {
    const auto found = std::ranges::find(lent_, memory.bytes().data(), &Lent::place);
    if (memory.size() == 0 || found == lent_.end())
        return;
    memory.put_descriptor(std::move(found->descriptor));
    lent_.erase(found);
    idle_bytes_ += memory.size();
    idle_.push_back(std::move(memory));
    while (idle_bytes_ > kMostIdleBytes)
        drop_oldest_idle();
}

void GuestPool::drop_oldest_idle() noexcept {
    idle_bytes_ -= idle_.front().size();
    idle_.erase(idle_.begin());
}

}  // namespace valkyr::virgl
