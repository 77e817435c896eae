// Harmless run: lets a warp run again without leaving anything in the memory of its draw.
// SPDX-License-Identifier: MIT
#include "app/debug/history/harmless_run.hpp"

#include "exec/thread_storage.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::debug {

namespace {

void store_nothing(const exec::Warp& /*warp*/,
                   exec::RegisterFormat /*format*/,
                   uint8_t /*components*/,
                   const exec::Lanes& /*address_low*/,
                   const exec::Lanes& /*address_high*/,
                   uint32_t /*offset*/,
                   const exec::Lanes& /*conversion*/,
                   const exec::Lanes* /*in*/) noexcept {}

/// The bytes at a host address.
void* memory_at(uint64_t address) {
    return reinterpret_cast<void*>(address);  // NOLINT: addresses are host addresses
}

}  // namespace

void MemoryUndo::note(const valhall::LaneAccess& access) {
    if (access.kind == valhall::LaneAccess::Kind::Read || exec::is_thread_local(access.address))
        return;
    Old old{access.address, std::min<unsigned>(access.bytes, sizeof old.bytes), {}};
    std::memcpy(old.bytes.data(), memory_at(old.address), old.count);
    old_.push_back(old);
}

void MemoryUndo::undo() {
    for (auto old = old_.rbegin(); old != old_.rend(); ++old)
        std::memcpy(memory_at(old->address), old->bytes.data(), old->count);
    old_.clear();
}

StorelessDraw::StorelessDraw(const exec::DrawContext& original)
    : exec::DrawContext(original)
    , storeless_(*original.environment) {
    storeless_.convert_store = store_nothing;
    environment = &storeless_;
}

}  // namespace valkyr::debug
