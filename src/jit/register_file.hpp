// The register file of the kernel that is being made: which host register or stack slot holds the
// current value of each guest register, and which host registers are free.
// SPDX-License-Identifier: MIT
//
// Inside a block every guest register has one current value (that of the running lanes). It sits in
// a host register, in a slot, is a known constant, or all at once. When registers run out, the
// value whose next use is furthest away goes to its slot. At block boundaries live values lie in
// their homes (homes.hpp); in blocks where lanes may wait, the way home writes the running lanes
// only.
#pragma once

#include "jit/frame.hpp"
#include "jit/guest_program.hpp"
#include "jit/homes.hpp"
#include "jit/host_assembler.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace valkyr::jit {

class RegisterFile {
public:
    RegisterFile(HostAssembler& host,
                 const GuestProgram& program,
                 unsigned parts,
                 const FrameLayout& layout);

    /// Slots that a kernel of this program can need.
    static unsigned slot_bound(const GuestProgram& program, unsigned parts);

    // --- life of a block
    /// Before the first block: define() and define_constant() set what the kernel preloads.
    void begin_entry();
    /// Takes what the preloads defined home, if the first block expects it there.
    void end_entry();
    void begin_block(uint32_t block);
    void begin_step(uint32_t step);
    /// Between the parts of a step: frees temporaries.
    void end_part();
    /// Frees temporaries and values that are not read again.
    void end_step();
    /// Puts live values home.
    void end_block();

    // --- values
    /// A host register with the current value; valid and unchanged until the step ends.
    Vec use(Reg r, unsigned part);
    /// The same, possibly in memory.
    Operand operand(Reg r, unsigned part);
    [[nodiscard]] std::optional<uint32_t> constant(Reg r) const;
    /// Whether the value came from a float operation, so that it is no signalling NaN.
    [[nodiscard]] bool is_quiet(Reg r) const { return quiet_.has(r); }
    void set_quiet(Reg r) { quiet_ |= RegSet::one(r); }

    /// A register to compute a new value of r in: its home if that saves a move, else a temporary.
    /// It may be the register of a source of this step.
    Vec result(Reg r, unsigned part);
    /// The same, but preferably a register of `sources` whose value ends with this step.
    Vec result_over(Reg r, unsigned part, std::initializer_list<Operand> sources);
    /// `value` (a temporary, or a register whose value dies here) becomes the value of r.
    void define(Reg r, unsigned part, Vec value);
    void define_constant(Reg r, uint32_t value);

    // --- temporaries, until the step ends
    Vec scratch();
    void release(Vec v);
    /// A register that use() gave may be evicted again, or freed if it is a temporary.
    void unpin(Vec v);
    Mask scratch_mask();
    void release_mask(Mask m);

    // --- calls destroy all host registers
    void before_call();
    void after_call();

    /// Execution mask of a part in the block being emitted.
    [[nodiscard]] Mask exec(unsigned part) const { return {host_.traits().exec_masks[part]}; }

private:
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

    void reserve_homes();
    void collect_events(const Block& block);
    [[nodiscard]] uint32_t next_use(Reg r) const;
    [[nodiscard]] bool lives_on(Reg r) const { return next_use(r) != kNever; }
    [[nodiscard]] bool home_in_register(Reg r) const { return homes_.in_registers.has(r); }
    [[nodiscard]] bool result_is_home(Reg r) const;
    [[nodiscard]] bool ends_here(Reg r) const;
    bool take_over(Vec v, unsigned part);
    Vec allocate();
    void evict();
    [[nodiscard]] Place* find_victim(Reg& r, unsigned& part);
    void displace_home();
    void restore_homes();
    void relocate(Vec v);
    [[nodiscard]] bool is_displaced(Reg r, unsigned part) const;
    void drop_vec(Place& place);
    void set_free(Vec v);
    Address slot_of(Reg r, unsigned part);
    Address home_slot_of(Reg r, unsigned part);
    Address slot_at(std::array<int16_t, kMaxParts>& indices, unsigned part);
    void go_home(Reg r, unsigned part);
    void materialise(Vec v, uint32_t value);

    HostAssembler& host_;
    const GuestProgram& program_;
    const unsigned parts_;
    const FrameLayout& layout_;
    Homes homes_;
    std::array<std::array<Place, kMaxParts>, kRegCount> places_{};
    std::array<std::array<int16_t, kMaxParts>, kRegCount> slots_{};
    std::array<std::array<int16_t, kMaxParts>, kRegCount> home_slots_{};
    RegSet quiet_;
    unsigned slot_count_ = 0;

    const Block* block_ = nullptr;
    RegSet block_homes_;  ///< registers whose homes are reserved in this block
    uint32_t step_ = 0;
    std::vector<uint32_t> events_;  ///< step * 2 + (1 if read), by register, ascending
    std::array<Uses, kRegCount> uses_{};

    uint32_t free_ = 0;     ///< host registers without an owner
    uint32_t pinned_ = 0;   ///< may not be evicted in this step
    uint32_t scratch_ = 0;  ///< temporaries of this step
    uint32_t free_masks_ = 0;
    RegSet homes_saved_;
    /// Homes lent as temporaries for the rest of the step, their contents in the home slots.
    std::vector<std::pair<Reg, unsigned>> displaced_;
};

}  // namespace valkyr::jit
