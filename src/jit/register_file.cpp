// The register file of the kernel that is being made.
// SPDX-License-Identifier: MIT
#include "jit/register_file.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::jit {

namespace {

uint32_t low_bits(unsigned count) {
    return count >= 32 ? 0xFFFFFFFF : (1U << count) - 1;
}

uint32_t bit_of(Vec v) {
    return 1U << v.id;
}

}  // namespace

RegisterFile::RegisterFile(HostAssembler& host,
                           const GuestProgram& program,
                           unsigned parts,
                           const FrameLayout& layout)
    : host_(host)
    , program_(program)
    , parts_(parts)
    , layout_(layout)
    , homes_(assign_homes(program, host.traits(), parts)) {
    for (auto& indices : slots_)
        indices.fill(-1);
    for (auto& indices : home_slots_)
        indices.fill(-1);
}

unsigned RegisterFile::slot_bound(const GuestProgram& program, unsigned parts) {
    RegSet touched;
    for (const Step& step : program.steps)
        touched |= step.access.reads | step.access.writes;
    return 2 * parts * touched.size();
}

// ---------------------------------------------------------------------------------------------
// Blocks and steps

void RegisterFile::begin_entry() {
    block_ = nullptr;
    const Block& first = program_.blocks.front();
    block_homes_ = (first.live_in | first.live_out) & homes_.in_registers;
    free_ = low_bits(host_.traits().vectors);
    free_masks_ = low_bits(host_.traits().masks);
    reserve_homes();
    pinned_ = scratch_ = 0;
    for (auto& parts : places_)
        parts.fill({});
    uses_.fill({});
    quiet_ = {};
}

void RegisterFile::end_entry() {
    // If the first block is entered once, the preloads stay where they are.
    if (program_.entry_repeats)
        program_.blocks.front().live_in.each([&](Reg r) {
            for (unsigned p = 0; p < parts_; ++p)
                go_home(r, p);
        });
    end_step();
}

void RegisterFile::reserve_homes() {
    block_homes_.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p)
            free_ &= ~bit_of(homes_.vec[r][p]);
    });
}

void RegisterFile::begin_block(uint32_t block_index) {
    const Block& block = program_.blocks[block_index];
    const HostTraits& traits = host_.traits();
    block_ = &block;
    const bool keeps_places = block_index == 0 && !program_.entry_repeats;
    block_homes_ = (block.live_in | block.live_out) & homes_.in_registers;
    if (!keeps_places) {
        free_ = low_bits(traits.vectors);
        for (auto& parts : places_)
            parts.fill({});
        quiet_ = {};
    }
    if (traits.masks == 0 && block.partial)
        for (unsigned p = 0; p < parts_; ++p)
            free_ &= ~(1U << traits.exec_masks[p]);
    reserve_homes();
    block.live_in.each([&](Reg r) {
        if (keeps_places)
            return;
        for (unsigned p = 0; p < parts_; ++p) {
            places_[r][p].defined = places_[r][p].at_home = true;
            if (home_in_register(r))
                places_[r][p].vec = homes_.vec[r][p];
        }
    });
    collect_events(block);
}

void RegisterFile::collect_events(const Block& block) {
    std::array<uint32_t, kRegCount> count{};
    const auto each_step = [&](auto f) {
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            const Access& access = program_.steps[k].access;
            (access.reads | access.writes).each([&](Reg r) { f(k, r, access.reads.has(r)); });
        }
    };
    each_step([&](uint32_t, Reg r, bool) { ++count[r]; });
    uint32_t next = 0;
    for (unsigned r = 0; r < kRegCount; ++r) {
        uses_[r] = {next, next};
        next += count[r];
    }
    events_.resize(next);
    each_step(
        [&](uint32_t k, Reg r, bool read) { events_[uses_[r].end++] = 2 * k + (read ? 1 : 0); });
}

/// Step of the next read after the current step of the value that r then has.
uint32_t RegisterFile::next_use(Reg r) const {
    uint32_t e = uses_[r].begin;
    while (e < uses_[r].end && events_[e] / 2 <= step_)
        ++e;
    if (e < uses_[r].end)
        return events_[e] & 1 ? events_[e] / 2 : kNever;
    return block_ && block_->live_out.has(r) ? kBlockEnd : kNever;
}

void RegisterFile::begin_step(uint32_t step) {
    step_ = step;
    free_masks_ = low_bits(host_.traits().masks);
}

void RegisterFile::end_part() {
    free_ |= scratch_;
    scratch_ = pinned_ = 0;
    free_masks_ = low_bits(host_.traits().masks);
    restore_homes();
}

void RegisterFile::end_step() {
    end_part();
    if (!block_)
        return;
    const Access& access = program_.steps[step_].access;
    (access.reads | access.writes).each([&](Reg r) {
        while (uses_[r].begin < uses_[r].end && events_[uses_[r].begin] / 2 <= step_)
            ++uses_[r].begin;
        if (lives_on(r))
            return;
        for (Place& place : places_[r]) {
            drop_vec(place);
            place = {};
        }
    });
}

void RegisterFile::end_block() {
    block_->live_out.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p)
            go_home(r, p);
    });
    end_part();
}

void RegisterFile::go_home(Reg r, unsigned part) {
    if (places_[r][part].at_home)
        return;
    const Vec v = use(r, part);
    if (home_in_register(r)) {
        const Vec home = homes_.vec[r][part];
        if (block_ && block_->partial)
            host_.select(Element::B32, home, exec(part), v, home);
        else
            host_.move(home, v);
    } else {
        const Address home = home_slot_of(r, part);
        if (block_ && block_->partial)
            host_.store_masked(home, exec(part), v);
        else
            host_.store(home, v);
    }
    unpin(v);
}

// ---------------------------------------------------------------------------------------------
// Values

void RegisterFile::materialise(Vec v, uint32_t value) {
    if (value == 0)
        host_.zero(v);
    else if (value == 0xFFFFFFFF)
        host_.ones(v);
    else
        host_.move(v, Operand::broadcast(host_.pool_word(value)));
}

Vec RegisterFile::use(Reg r, unsigned part) {
    Place& place = places_[r][part];
    if (!place.vec.valid()) {
        const Vec v = allocate();
        if (!place.defined || place.is_constant) {
            materialise(v, place.constant);
            place.defined = place.is_constant = true;
        } else {
            VALKYR_CHECK(place.in_slot || place.at_home);
            host_.load(v, place.in_slot ? slot_of(r, part) : home_slot_of(r, part));
        }
        place.vec = v;
    }
    pinned_ |= bit_of(place.vec);
    return place.vec;
}

Operand RegisterFile::operand(Reg r, unsigned part) {
    Place& place = places_[r][part];
    if (place.vec.valid())
        return use(r, part);
    if ((!place.defined || place.is_constant) && host_.traits().folds_broadcast)
        return Operand::broadcast(host_.pool_word(place.constant));
    const bool in_memory = place.defined && !place.is_constant;
    if (in_memory && !lives_on(r))
        return Operand::memory(place.in_slot ? slot_of(r, part) : home_slot_of(r, part));
    return use(r, part);
}

std::optional<uint32_t> RegisterFile::constant(Reg r) const {
    const Place& place = places_[r][0];
    if (place.defined && !place.is_constant)
        return std::nullopt;
    return place.constant;
}

Vec RegisterFile::result(Reg r, unsigned part) {
    return result_is_home(r) ? homes_.vec[r][part] : scratch();
}

/// Whether a result for r can be computed in its home: the last value of r in this block, and no
/// lane waits.
bool RegisterFile::result_is_home(Reg r) const {
    return displaced_.empty() && block_ && !block_->partial && block_homes_.has(r) &&
           next_use(r) == kBlockEnd;
}

Vec RegisterFile::result_over(Reg r, unsigned part, std::initializer_list<Operand> sources) {
    if (result_is_home(r))
        return homes_.vec[r][part];
    for (const Operand& source : sources)
        if (source.is_reg() && take_over(source.reg, part))
            return source.reg;
    return scratch();
}

/// Whether the value that r has before this step is not needed after it.
bool RegisterFile::ends_here(Reg r) const {
    if (!lives_on(r))
        return true;
    const valhall::Instr& instr = program_.steps[step_].instr;
    return valhall::op_info(instr.op).has_dest && instr.dest.reg == r && instr.dest.mask == 3;
}

/// Turns the register of a value that ends here into a temporary.
bool RegisterFile::take_over(Vec v, unsigned part) {
    if (scratch_ & bit_of(v))
        return true;
    for (unsigned i = 0; i < kRegCount; ++i) {
        const auto r = static_cast<Reg>(i);
        Place& place = places_[i][part];
        if (!(place.vec == v))
            continue;
        const bool in_home = place.at_home && home_in_register(r) && !is_displaced(r, part);
        if (in_home || !ends_here(r))
            return false;
        place.vec = {};
        scratch_ |= bit_of(v);
        return true;
    }
    return false;
}

void RegisterFile::define(Reg r, unsigned part, Vec value) {
    Place& place = places_[r][part];
    const bool is_home =
        block_homes_.has(r) && homes_.vec[r][part] == value && !(scratch_ & bit_of(value));
    if (!is_home && !(scratch_ & bit_of(value))) {
        // The register of another value: a copy.
        const Vec copy = scratch();
        host_.move(copy, value);
        value = copy;
    }
    if (place.vec.valid() && !(place.vec == value))
        drop_vec(place);
    scratch_ &= ~bit_of(value);
    pinned_ |= bit_of(value);
    place = {};
    place.vec = value;
    place.defined = true;
    place.at_home = is_home;
    quiet_ = quiet_ - RegSet::one(r);
}

void RegisterFile::define_constant(Reg r, uint32_t value) {
    for (unsigned p = 0; p < parts_; ++p) {
        Place& place = places_[r][p];
        drop_vec(place);
        place = {};
        place.defined = place.is_constant = true;
        place.constant = value;
    }
    quiet_ = quiet_ - RegSet::one(r);
}

// ---------------------------------------------------------------------------------------------
// Host registers

void RegisterFile::drop_vec(Place& place) {
    if (!place.vec.valid())
        return;
    set_free(place.vec);
    place.vec = {};
}

/// A register that is reserved as a home stays so.
void RegisterFile::set_free(Vec v) {
    bool reserved = false;
    block_homes_.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p)
            reserved |= homes_.vec[r][p] == v;
    });
    if (!reserved)
        free_ |= bit_of(v);
}

Vec RegisterFile::allocate() {
    if (free_ == 0)
        evict();
    const Vec v{static_cast<uint8_t>(std::countr_zero(free_))};
    free_ &= free_ - 1;
    return v;
}

/// The value whose next use is furthest away; of two, the one that needs no store.
RegisterFile::Place* RegisterFile::find_victim(Reg& reg, unsigned& part) {
    Place* victim = nullptr;
    uint64_t best = 0;
    for (unsigned i = 0; i < kRegCount; ++i) {
        const auto r = static_cast<Reg>(i);
        for (unsigned p = 0; p < parts_; ++p) {
            Place& place = places_[r][p];
            if (!place.vec.valid() || (pinned_ & bit_of(place.vec)))
                continue;
            if (place.at_home && home_in_register(r) && !is_displaced(r, p))
                continue;
            const bool clean = place.in_slot || place.is_constant || place.at_home;
            const uint64_t score = 2 * uint64_t{next_use(r)} + (clean ? 2 : 1);
            if (score <= best)
                continue;
            best = score;
            victim = &place;
            reg = r;
            part = p;
        }
    }
    return victim;
}

void RegisterFile::evict() {
    Reg r = 0;
    unsigned part = 0;
    Place* victim = find_victim(r, part);
    if (!victim) {
        displace_home();
        return;
    }
    if (!victim->in_slot && !victim->is_constant && !victim->at_home) {
        host_.store(slot_of(r, part), victim->vec);
        victim->in_slot = true;
    }
    drop_vec(*victim);
}

bool RegisterFile::is_displaced(Reg r, unsigned part) const {
    return std::find(displaced_.begin(), displaced_.end(), std::pair{r, part}) != displaced_.end();
}

/// Lends a home for the rest of the step.
void RegisterFile::displace_home() {
    bool done = false;
    block_homes_.each([&](Reg r) {
        for (unsigned p = 0; p < parts_ && !done; ++p) {
            const Vec home = homes_.vec[r][p];
            if ((pinned_ & bit_of(home)) || is_displaced(r, p))
                continue;
            host_.store(home_slot_of(r, p), home);
            displaced_.emplace_back(r, p);
            if (places_[r][p].at_home)
                places_[r][p].vec = {};
            free_ |= bit_of(home);
            done = true;
        }
    });
    VALKYR_CHECK(done);
}

/// Moves the value that sits in v somewhere else.
void RegisterFile::relocate(Vec v) {
    for (unsigned i = 0; i < kRegCount; ++i)
        for (unsigned p = 0; p < parts_; ++p) {
            Place& place = places_[i][p];
            if (!(place.vec == v))
                continue;
            const auto r = static_cast<Reg>(i);
            if (!place.in_slot && !place.is_constant && !place.at_home) {
                host_.store(slot_of(r, p), v);
                place.in_slot = true;
            }
            place.vec = {};
        }
}

/// Gives lent homes back; no temporary is in use.
void RegisterFile::restore_homes() {
    while (!displaced_.empty()) {
        const auto [r, part] = displaced_.back();
        displaced_.pop_back();
        const Vec home = homes_.vec[r][part];
        Place& place = places_[r][part];
        if (place.at_home && !(place.vec == home))
            drop_vec(place);
        relocate(home);
        free_ &= ~bit_of(home);
        host_.load(home, home_slot_of(r, part));
        if (place.at_home)
            place.vec = home;
    }
}

Vec RegisterFile::scratch() {
    const Vec v = allocate();
    scratch_ |= bit_of(v);
    return v;
}

void RegisterFile::release(Vec v) {
    if (!(scratch_ & bit_of(v)))
        return;
    scratch_ &= ~bit_of(v);
    free_ |= bit_of(v);
}

void RegisterFile::unpin(Vec v) {
    pinned_ &= ~bit_of(v);
    release(v);
}

Mask RegisterFile::scratch_mask() {
    const HostTraits& traits = host_.traits();
    if (traits.masks == 0)
        return {scratch().id};
    VALKYR_CHECK(free_masks_ != 0);
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

Address RegisterFile::slot_at(std::array<int16_t, kMaxParts>& indices, unsigned part) {
    if (indices[part] < 0)
        indices[part] = static_cast<int16_t>(slot_count_++);
    return layout_.slot(static_cast<unsigned>(indices[part]));
}

Address RegisterFile::slot_of(Reg r, unsigned part) {
    return slot_at(slots_[r], part);
}

Address RegisterFile::home_slot_of(Reg r, unsigned part) {
    return slot_at(home_slots_[r], part);
}

// ---------------------------------------------------------------------------------------------
// Calls

void RegisterFile::before_call() {
    end_part();
    for (unsigned i = 0; i < kRegCount; ++i) {
        const auto r = static_cast<Reg>(i);
        const bool needed = lives_on(r);
        for (unsigned p = 0; p < parts_; ++p) {
            Place& place = places_[r][p];
            if (!place.vec.valid() || (place.at_home && home_in_register(r)))
                continue;
            if (needed && !place.in_slot && !place.is_constant && !place.at_home) {
                host_.store(slot_of(r, p), place.vec);
                place.in_slot = true;
            }
            drop_vec(place);
        }
    }
    homes_saved_ = {};
    block_homes_.each([&](Reg r) {
        // What the home holds is still wanted by this block, or by lanes that wait.
        const bool current = places_[r][0].at_home && lives_on(r);
        const bool waiting = block_->partial && block_->live_out.has(r);
        if (!current && !waiting)
            return;
        homes_saved_ |= RegSet::one(r);
        for (unsigned p = 0; p < parts_; ++p)
            host_.store(home_slot_of(r, p), homes_.vec[r][p]);
    });
}

void RegisterFile::after_call() {
    homes_saved_.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p)
            host_.load(homes_.vec[r][p], home_slot_of(r, p));
    });
}

}  // namespace valkyr::jit
