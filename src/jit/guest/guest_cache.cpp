// Guest cache: keeps decoded programs that may be recompiled for another state.
// SPDX-License-Identifier: MIT
#include "jit/guest/guest_cache.hpp"

#include <utility>

namespace valkyr::jit {

namespace {

constexpr size_t kEntries = 64;
constexpr size_t kMaxWords = 4096;  ///< longer programs are not kept

/// FNV-1a, a word at a time.
uint64_t hash_of(const std::vector<uint64_t>& words) {
    uint64_t hash = 0xCBF29CE484222325;
    for (uint64_t word : words)
        hash = (hash ^ word) * 0x100000001B3;
    return hash;
}

}  // namespace

Result<GuestProgram> GuestCache::read(const valhall::Program& program,
                                      const KernelKey& key,
                                      bool host_doubles,
                                      Cancellation cancellation) {
    const uint64_t hash = hash_of(program.words);
    const KeyFacts facts{reads_second_color(key), returns_registers(program, key), host_doubles};
    if (const auto known = find(hash, program, facts)) {
        GuestProgram copy = *known;
        copy.source = &program;
        return copy;
    }
    VALKYR_TRY(guest, read_program(program, key, host_doubles, cancellation));
    if (program.words.size() <= kMaxWords) {
        auto kept = std::make_shared<GuestProgram>(guest);
        kept->source = nullptr;
        remember(
            {{hash, program.info.stage, facts, program.words, program.fau, program.double_ranges},
             std::move(kept)});
    }
    return guest;
}

std::shared_ptr<const GuestProgram>
GuestCache::find(uint64_t hash, const valhall::Program& program, const KeyFacts& facts) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
        const Identity& identity = entry.identity;
        if (identity.hash == hash && identity.stage == program.info.stage &&
            identity.facts == facts && identity.words == program.words &&
            identity.fau == program.fau && identity.double_ranges == program.double_ranges)
            return entry.program;
    }
    return nullptr;
}

void GuestCache::remember(Entry entry) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() < kEntries) {
        entries_.push_back(std::move(entry));
        return;
    }
    entries_[next_] = std::move(entry);
    next_ = (next_ + 1) % kEntries;
}

}  // namespace valkyr::jit
