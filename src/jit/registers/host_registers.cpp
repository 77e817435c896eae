// Host registers: allocate, evict and lend them.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/registers/register_file.hpp"

#include <bit>

namespace valkyr::jit {

namespace {

template <typename F>
void each_bit(uint32_t bits, F f) {
    for (; bits; bits &= bits - 1)
        f(Vec{static_cast<uint8_t>(std::countr_zero(bits))});
}

}  // namespace

Vec RegisterFile::allocate() {
    if (free_ == 0) {
        VALKYR_DCHECK(evictions_allowed_);
        if (const Vec victim = find_victim(); victim.valid()) {
            const Owner o = owner_[victim.id];
            save(o);
            drop_vec(o.reg, o.part);
        } else if (const Vec home = find_home_to_lend(); home.valid()) {
            lend_home(home);
        } else {
            exhausted_ = true;
            return Vec{0};
        }
    }
    const Vec v{static_cast<uint8_t>(std::countr_zero(free_))};
    free_ &= free_ - 1;
    return v;
}

/// Finds the value whose next use is furthest away; with equal uses, a value that needs no store.
/// Operands of this step that no emitter has taken yet are needed next.
Vec RegisterFile::find_victim() const {
    Vec victim;
    uint64_t best = 0;
    each_bit(~(free_ | pinned_ | scratch_), [&](Vec v) {
        const Owner o = owner_[v.id];
        if (o.reg == kNobody || rests_at_home(o))
            return;
        const Place& place = places_[o.reg][o.part];
        const bool clean = place.in_slot || place.is_constant || place.at_home;
        const uint32_t next = is_awaited(o) ? step_ : next_use(o.reg);
        const uint64_t score = 2 * uint64_t{next} + (clean ? 2 : 1);
        if (score <= best)
            return;
        best = score;
        victim = v;
    });
    return victim;
}

/// Whether the step reads the value, and its emitter has not asked for it yet.
bool RegisterFile::is_awaited(Owner o) const {
    return block_ && !taken_[o.part].has(o.reg) && program_.steps[step_].access.reads.has(o.reg);
}

/// Writes a value to memory if only its register holds it: to its home, if that is in memory and
/// no waiting lane has another value there, else to its slot.
void RegisterFile::save(Owner o) {
    Place& p = place(o);
    if (p.in_slot || p.is_constant || p.at_home)
        return;
    const bool home =
        block_ && block_->live_out.has(o.reg) && !home_in_register(o.reg) && !keeps_waiting(o.reg);
    host_.store(home ? home_slot_of(o.reg, o.part) : slot_of(o.reg, o.part), p.vec);
    (home ? p.at_home : p.in_slot) = true;
}

/// Removes a value from its register, which becomes free unless it is a home.
void RegisterFile::drop_vec(Reg r, unsigned part) {
    const Vec v = places_[r][part].vec;
    if (!v.valid())
        return;
    places_[r][part].vec = {};
    owner_[v.id] = {};
    free_ |= bit_of(v) & ~(homes_here_ & ~lent_);
}

// ---------------------------------------------------------------------------------------------
// Homes lent for the rest of a step

/// Finds the home whose value is read last. A home that only waiting lanes need counts as never
/// read.
Vec RegisterFile::find_home_to_lend() const {
    Vec found;
    uint64_t best = 0;
    each_bit(homes_here_ & ~lent_ & ~pinned_, [&](Vec home) {
        const uint64_t score = uint64_t{next_use(lives_in_[home.id].reg)} + 1;
        if (score <= best)
            return;
        best = score;
        found = home;
    });
    return found;
}

void RegisterFile::lend_home(Vec home) {
    const Owner o = lives_in_[home.id];
    host_.store(home_slot_of(o.reg, o.part), home);
    lent_ |= bit_of(home);
    if (place(o).vec == home)
        place(o).vec = {};
    owner_[home.id] = {};
    free_ |= bit_of(home);
}

/// Takes lent homes back; no temporary may be in use.
void RegisterFile::take_homes_back() {
    // First save values in lent registers: the home of such a value may be another lent register.
    each_bit(lent_, [&](Vec home) {
        const Owner guest = owner_[home.id];
        if (guest.reg == kNobody)
            return;
        save(guest);
        drop_vec(guest.reg, guest.part);
    });
    each_bit(lent_, [&](Vec home) {
        const Owner o = lives_in_[home.id];
        free_ &= ~bit_of(home);
        host_.load(home, home_slot_of(o.reg, o.part));
        if (!place(o).at_home)
            return;
        drop_vec(o.reg, o.part);
        hold(o.reg, o.part, home);
    });
    lent_ = 0;
}

// ---------------------------------------------------------------------------------------------
// Temporaries

Vec RegisterFile::take_scratch() {
    const Vec v = allocate();
    scratch_ |= bit_of(v);
    ++leases_[v.id];
    return v;
}

void RegisterFile::unpin(Vec v) {
    if (pins_[v.id] > 0 && --pins_[v.id] == 0)
        pinned_ &= ~bit_of(v);
}

Mask RegisterFile::take_mask() {
    const HostTraits& traits = host_.traits();
    if (traits.masks == 0)
        return {take_scratch().id};
    if (free_masks_ == 0) {
        exhausted_ = true;
        return {traits.first_mask};
    }
    const auto index = static_cast<uint8_t>(std::countr_zero(free_masks_));
    free_masks_ &= free_masks_ - 1;
    return {static_cast<uint8_t>(traits.first_mask + index)};
}

void RegisterFile::release_mask(Mask m) {
    if (host_.traits().masks == 0)
        release(Vec{m.id});
    else
        free_masks_ |= 1U << (m.id - host_.traits().first_mask);
}

// ---------------------------------------------------------------------------------------------
// Slots

Address RegisterFile::slot_at(std::array<int16_t, kMaxParts>& indices, unsigned part) {
    if (indices[part] < 0)
        indices[part] = static_cast<int16_t>(slot_count_++);
    return layout_.slot(static_cast<unsigned>(indices[part]));
}

}  // namespace valkyr::jit
