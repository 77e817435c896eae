// Register file: knows which host register or slot holds the value of each guest register.
// SPDX-License-Identifier: MIT
//
// Inside a block every guest register has one current value, that of the running lanes. It is in a
// host register, in a slot, a known constant, or several of these. When registers run out, the
// value whose next use is furthest away goes to its slot; when only homes are left, one of them is
// lent for the rest of the step. At block boundaries live values are in their homes (homes.hpp). In
// blocks where lanes may wait, a store to a home writes the running lanes only.
//
// register_file.cpp: blocks, steps and calls; register_values.cpp: values of guest registers;
// host_registers.cpp: owners of host registers.
#pragma once

#include "base/check.hpp"
#include "jit/guest/guest_program.hpp"
#include "jit/host/host_assembler.hpp"
#include "jit/registers/frame.hpp"
#include "jit/registers/homes.hpp"
#include "jit/registers/temporary.hpp"
#include "jit/registers/word_facts.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

namespace valkyr::jit {

class RegisterFile {
public:
    RegisterFile(HostAssembler& host,
                 const GuestProgram& program,
                 const Homes& homes,
                 unsigned parts,
                 const FrameLayout& layout);

    /// The most slots that a kernel of this program can need.
    static unsigned slot_bound(const GuestProgram& program, unsigned parts);

    /// Removes a register, from the top, for the whole kernel. Call it before code is emitted, and
    /// only for programs without homes.
    Vec reserve();

    // --- life of a block
    /// Call before the first block; then define() and define_constant() set the preloaded values.
    void begin_entry();
    /// Moves preloaded values to their homes if the first block expects them there.
    void end_entry();
    void begin_block(uint32_t block);
    void begin_step(uint32_t step);
    /// Frees temporaries; call it between the parts of a step.
    void end_part();
    /// Frees temporaries and values that are not read again.
    void end_step();
    /// Moves live values to their homes.
    void end_block();

    // --- values
    /// A host register with the current value, which stays unchanged until the step ends.
    Vec use(Reg r, unsigned part);
    /// The current value as an operand, possibly in memory.
    Operand operand(Reg r, unsigned part);
    [[nodiscard]] std::optional<uint32_t> constant(Reg r) const;
    /// Whether a later step, or code behind the block, reads r.
    [[nodiscard]] bool lives_on(Reg r) const { return next_use(r) != kNever; }
    /// Whether a host register has the value now, so that use() allocates none.
    [[nodiscard]] bool in_register(Reg r, unsigned part) const {
        return places_[r][part].vec.valid();
    }
    [[nodiscard]] const WordFacts& facts(Reg r) const { return facts_[r]; }
    /// Facts about the value just defined. They hold from the last part on: before that, the
    /// register may also be a source whose other parts still have the old value.
    void set_facts(Reg r, unsigned part, const WordFacts& facts) {
        if (part + 1 == parts_)
            facts_[r] = facts;
    }

    /// A register for a new value of r: its home if that saves a move, else a temporary. It may be
    /// the register of a source of this step.
    Temp result(Reg r, unsigned part);
    /// Like result(), but prefers a register of `sources` whose value ends with this step.
    Temp result_over(Reg r, unsigned part, std::initializer_list<Operand> sources);
    /// `value` (a temporary, or a register whose value dies here) becomes the value of r.
    void define(Reg r, unsigned part, Vec value);
    void define_constant(Reg r, uint32_t value);

    /// Forbids evictions until the part ends, because the code that follows may be skipped (checked
    /// in debug builds).
    void forbid_evictions() { evictions_allowed_ = false; }
    /// Ends forbid_evictions() earlier: no code from here on can be skipped.
    void allow_evictions() { evictions_allowed_ = true; }

    // --- temporaries, until the part ends
    Temp scratch() { return {*this, take_scratch()}; }
    TempMask scratch_mask() { return {*this, take_mask()}; }
    /// Undoes one use(). After the last one the register may be evicted again.
    void unpin(Vec v);
    /// Counts how often the register was given out as a temporary.
    [[nodiscard]] uint8_t lease_of(Vec v) const { return leases_[v.id]; }

    // --- homes, where values are between blocks, and Lanes arrays by register at `area`
    /// Copies these registers out. No block is being emitted, and host registers hold nothing else.
    void store_homes(RegSet registers, Address area);
    void load_homes(RegSet registers, Address area);

    // --- calls destroy all host registers
    void before_call();
    void after_call();

    /// True if an instruction needed more host registers than exist: the code is invalid.
    [[nodiscard]] bool exhausted() const { return exhausted_; }

    /// Execution mask of a part in the block being emitted.
    [[nodiscard]] Mask exec(unsigned part) const { return {host_.traits().exec_masks[part]}; }

private:
    friend class Temp;
    friend class TempMask;

    static constexpr uint32_t kNever = 0xFFFFFFFF;
    static constexpr uint32_t kBlockEnd = 0xFFFFFFFE;

    struct Place {
        Vec vec;
        bool defined = false;      ///< holds a value
        bool is_constant = false;  ///< `constant` is the value; vec may hold it too
        bool in_slot = false;      ///< the slot holds the value
        bool at_home = false;      ///< the home holds the value
        uint32_t constant = 0;
    };
    struct Uses {
        uint32_t begin = 0;  ///< range of events_
        uint32_t end = 0;
    };

    /// The value that a host register holds.
    struct Owner {
        Reg reg = kNobody;
        uint8_t part = 0;
    };
    static constexpr Reg kNobody = 0xFF;
    static constexpr unsigned kMaxVectors = 32;

    static uint32_t bit_of(Vec v) { return 1U << v.id; }
    void pin(Vec v) {
        pinned_ |= bit_of(v);
        ++pins_[v.id];
    }

    // --- blocks and steps
    void reserve_homes();
    void collect_events(const Block& block);
    [[nodiscard]] uint32_t next_use(Reg r) const;
    void go_home(Reg r, unsigned part);
    template <typename F>
    void each_place(RegSet registers, Address area, F f);
    /// Whether waiting lanes have a value of r that they will read.
    [[nodiscard]] bool keeps_waiting(Reg r) const { return block_ && block_->waited_for.has(r); }

    // --- values
    Place& place(Owner o) { return places_[o.reg][o.part]; }
    void hold(Reg r, unsigned part, Vec v);
    void forget(Reg r, unsigned part);
    [[nodiscard]] bool home_in_register(Reg r) const { return homes_.in_registers.has(r); }
    [[nodiscard]] bool result_is_home(Reg r) const;
    [[nodiscard]] bool ends_here(Reg r) const;
    [[nodiscard]] bool rests_at_home(Owner o) const;
    bool take_over(Vec v);
    void materialise(Vec v, uint32_t value);
    Vec load_value(Reg r, unsigned part);

    // --- host registers
    Vec take_scratch();
    void release(Vec v) {
        free_ |= scratch_ & bit_of(v);
        scratch_ &= ~bit_of(v);
    }
    [[nodiscard]] bool is_scratch(Vec v) const { return (scratch_ & bit_of(v)) != 0; }
    Mask take_mask();
    void release_mask(Mask m);
    Vec allocate();
    [[nodiscard]] Vec find_victim() const;
    [[nodiscard]] bool is_awaited(Owner o) const;
    [[nodiscard]] Vec find_home_to_lend() const;
    void save(Owner o);
    void drop_vec(Reg r, unsigned part);
    void lend_home(Vec home);
    void take_homes_back();
    Address slot_of(Reg r, unsigned part) { return slot_at(slots_[r], part); }
    Address home_slot_of(Reg r, unsigned part) { return slot_at(home_slots_[r], part); }
    Address slot_at(std::array<int16_t, kMaxParts>& indices, unsigned part);

    HostAssembler& host_;
    const GuestProgram& program_;
    const unsigned parts_;
    const FrameLayout& layout_;
    const Homes& homes_;
    std::array<std::array<Place, kMaxParts>, kRegCount> places_{};
    std::array<std::array<int16_t, kMaxParts>, kRegCount> slots_{};
    std::array<std::array<int16_t, kMaxParts>, kRegCount> home_slots_{};
    std::array<WordFacts, kRegCount> facts_{};
    unsigned slot_count_ = 0;

    const Block* block_ = nullptr;
    RegSet block_homes_;  ///< registers whose homes are reserved in this block
    uint32_t step_ = 0;
    std::array<RegSet, kMaxParts> taken_{};  ///< registers that emitters of this step have read
    std::vector<uint32_t> events_;           ///< step * 2 + (1 if read), by register, ascending
    std::array<Uses, kRegCount> uses_{};

    // Sets of host registers, one bit each.
    uint32_t available_ = 0;   ///< registers that are not reserved
    uint32_t free_ = 0;        ///< registers without an owner
    uint32_t pinned_ = 0;      ///< may not be evicted in this step
    uint32_t scratch_ = 0;     ///< temporaries of this step
    uint32_t homes_here_ = 0;  ///< homes of this block
    uint32_t lent_ = 0;        ///< homes lent for the rest of the step, saved in their home slots
    uint32_t free_masks_ = 0;
    std::array<uint8_t, kMaxVectors> leases_{};
    std::array<uint8_t, kMaxVectors> pins_{};    ///< how many operands rely on a register
    std::array<Owner, kMaxVectors> owner_{};     ///< for host registers that hold a value
    std::array<Owner, kMaxVectors> lives_in_{};  ///< for homes_here_: the value whose home it is
    RegSet homes_saved_;
    bool exhausted_ = false;
    bool evictions_allowed_ = true;
};

inline Temp::Temp(RegisterFile& owner, Vec v)
    : owner_(&owner)
    , vec_(v)
    , lease_(owner.lease_of(v)) {}

inline void Temp::reset() {
    if (owner_ == nullptr)
        return;
    VALKYR_DCHECK(!owner_->is_scratch(vec_) || owner_->lease_of(vec_) == lease_);
    owner_->release(vec_);
    owner_ = nullptr;
    vec_ = {};
}

inline void TempMask::reset() {
    if (owner_ == nullptr)
        return;
    owner_->release_mask(mask_);
    owner_ = nullptr;
    mask_ = {};
}

}  // namespace valkyr::jit
