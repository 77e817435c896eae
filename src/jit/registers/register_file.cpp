// Register file: updates the places of values at basic blocks, steps and calls.
// SPDX-License-Identifier: MIT
#include "jit/registers/register_file.hpp"

#include <bit>

namespace valkyr::jit {

namespace {

uint32_t low_bits(unsigned count) {
    return count >= 32 ? 0xFFFFFFFF : (1U << count) - 1;
}

}  // namespace

RegisterFile::RegisterFile(HostAssembler& host,
                           const GuestProgram& program,
                           const Homes& homes,
                           unsigned parts,
                           const FrameLayout& layout)
    : host_(host)
    , program_(program)
    , parts_(parts)
    , layout_(layout)
    , homes_(homes) {
    available_ = low_bits(host.traits().vectors);
    for (auto& indices : slots_)
        indices.fill(-1);
    for (auto& indices : home_slots_)
        indices.fill(-1);
}

Vec RegisterFile::reserve() {
    const auto id = static_cast<uint8_t>(std::bit_width(available_) - 1);
    available_ &= ~(1U << id);
    return Vec{id};
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
    free_ = available_;
    free_masks_ = low_bits(host_.traits().masks);
    pinned_ = scratch_ = lent_ = 0;
    pins_.fill(0);
    reserve_homes();
    for (auto& parts : places_)
        parts.fill({});
    owner_.fill({});
    uses_.fill({});
    facts_.fill({});
}

void RegisterFile::end_entry() {
    // If no branch goes to the first block, preloaded values stay where they are.
    if (program_.entry_repeats)
        program_.blocks.front().live_in.each([&](Reg r) {
            for (unsigned p = 0; p < parts_; ++p)
                go_home(r, p);
        });
    end_step();
}

void RegisterFile::reserve_homes() {
    homes_here_ = 0;
    block_homes_.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p) {
            const Vec home = homes_.vec[r][p];
            homes_here_ |= bit_of(home);
            lives_in_[home.id] = {r, static_cast<uint8_t>(p)};
        }
    });
    free_ &= ~homes_here_;
}

void RegisterFile::begin_block(uint32_t block_index) {
    const Block& block = program_.blocks[block_index];
    const HostTraits& traits = host_.traits();
    block_ = &block;
    const bool keeps_places = block_index == 0 && !program_.entry_repeats;
    block_homes_ = (block.live_in | block.live_out) & homes_.in_registers;
    if (!keeps_places) {
        free_ = available_;
        for (auto& parts : places_)
            parts.fill({});
        owner_.fill({});
        facts_.fill({});
    }
    if (traits.masks == 0 && block.masks)
        for (unsigned p = 0; p < parts_; ++p)
            free_ &= ~(1U << traits.exec_masks[p]);
    reserve_homes();
    if (!keeps_places)
        block.live_in.each([&](Reg r) {
            for (unsigned p = 0; p < parts_; ++p) {
                places_[r][p].defined = places_[r][p].at_home = true;
                if (home_in_register(r))
                    hold(r, p, homes_.vec[r][p]);
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

/// The step that next reads the value that r has after the current step.
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
    taken_.fill({});
    evictions_allowed_ = true;
    free_masks_ = low_bits(host_.traits().masks);
}

void RegisterFile::end_part() {
    evictions_allowed_ = true;
    free_ |= scratch_;
    scratch_ = pinned_ = 0;
    pins_.fill(0);
    free_masks_ = low_bits(host_.traits().masks);
    if (lent_)
        take_homes_back();
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
        for (unsigned p = 0; p < parts_; ++p)
            forget(r, p);
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
        if (keeps_waiting(r))
            host_.select(Element::B32, home, exec(part), v, home);
        else
            host_.move(home, v);
    } else {
        const Address home = home_slot_of(r, part);
        if (keeps_waiting(r))
            host_.store_masked(home, exec(part), v);
        else
            host_.store(home, v);
    }
    unpin(v);
}

// ---------------------------------------------------------------------------------------------
// Homes

namespace {

/// A host register that takes values on their way from memory to memory.
constexpr Vec kCarrier{0};

}  // namespace

/// Calls f(register, part, its place in the area) for all parts.
template <typename F>
void RegisterFile::each_place(RegSet registers, Address area, F f) {
    const auto lane_bytes = static_cast<int32_t>(4 * host_.traits().lanes);
    registers.each([&](Reg r) {
        for (unsigned p = 0; p < parts_; ++p)
            f(r, p, area.plus(static_cast<int32_t>(r * sizeof(exec::Lanes) + p * lane_bytes)));
    });
}

void RegisterFile::store_homes(RegSet registers, Address area) {
    each_place(registers & homes_.in_registers, area,
               [&](Reg r, unsigned p, Address at) { host_.store(at, homes_.vec[r][p]); });
    each_place(registers - homes_.in_registers, area, [&](Reg r, unsigned p, Address at) {
        host_.load(kCarrier, home_slot_of(r, p));
        host_.store(at, kCarrier);
    });
}

void RegisterFile::load_homes(RegSet registers, Address area) {
    each_place(registers - homes_.in_registers, area, [&](Reg r, unsigned p, Address at) {
        host_.load(kCarrier, at);
        host_.store(home_slot_of(r, p), kCarrier);
    });
    each_place(registers & homes_.in_registers, area,
               [&](Reg r, unsigned p, Address at) { host_.load(homes_.vec[r][p], at); });
}

// ---------------------------------------------------------------------------------------------
// Calls

void RegisterFile::before_call() {
    end_part();
    for (unsigned id = 0; id < host_.traits().vectors; ++id) {
        const Owner o = owner_[id];
        if (o.reg == kNobody || rests_at_home(o))
            continue;
        if (lives_on(o.reg))
            save(o);
        drop_vec(o.reg, o.part);
    }
    homes_saved_ = {};
    block_homes_.each([&](Reg r) {
        // Save a home whose value this block or waiting lanes still need.
        const bool current = places_[r][0].at_home && lives_on(r);
        const bool waiting = keeps_waiting(r) && block_->live_out.has(r);
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
