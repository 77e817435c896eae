// Emit context: gives emitters their operands as host registers and takes their results.
// SPDX-License-Identifier: MIT
//
// Emitters of ALU instructions run once a part (host register of a value); the others handle all
// parts themselves. An emitter reads sources, computes in temporaries, and writes its destination
// last: the register that result() gives may be that of a source.
#pragma once

#include "jit/context/kernel_plan.hpp"
#include "jit/host/host_assembler.hpp"
#include "jit/registers/frame.hpp"
#include "jit/registers/invariants.hpp"
#include "jit/registers/register_file.hpp"
#include "jit/registers/scalar.hpp"
#include "valhall/isa/instr.hpp"

#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace valkyr::jit {

class ListingLogger;

/// A float operand and the sign change that the operation must still apply.
struct Signed {
    TempOperand value;
    bool negate = false;
};
struct SignedVec {
    Temp value;
    bool negate = false;
};

/// A 64-bit operand: two registers of 32-bit words.
struct VecPair {
    Temp low;
    Temp high;
};

/// Whether a comparison leaves its result in EmitContext::branch_lanes for the branch after it.
enum class BranchBits : uint8_t { None, Wanted, Ready };

class EmitContext : public KernelSource {
public:
    /// listing  gets the guest word of each instruction; may be null
    EmitContext(HostAssembler& host, const KernelPlan& plan, ListingLogger* listing);

    HostAssembler& h;        ///< takes the host instructions
    const KernelPlan& plan;  ///< the decisions made before emission
    const unsigned parts;    ///< KernelPlan::parts
    RegisterFile regs;       ///< the places of values
    Scalars scalars;         ///< scalar registers without a role
    Invariants invariants;   ///< values in registers over the loop of a call

    // --- what is being emitted
    unsigned part = 0;                          ///< the part that an ALU emitter computes
    const Step* step = nullptr;                 ///< the instruction
    const Block* block = nullptr;               ///< its basic block
    bool wrote_constant = false;                ///< the step's emitter called write_constant()
    BranchBits branch_bits = BranchBits::None;  ///< how a comparison and its branch agree
    Scalar branch_lanes;     ///< bits of the lanes for which the comparison holds
    std::vector<Vec> strip;  ///< registers of KernelPlan::strip_rows; calls destroy what they hold
    /// The loop that is being emitted; None: for calls with one primitive.
    exec::Batching batching = exec::Batching::None;
    Label warp_end;  ///< the end of a warp

    [[nodiscard]] uint32_t frame_bytes() const { return layout_.bytes(); }
    /// Whether early tests compute the pixel centres. In calls with several primitives this gains
    /// nothing if the centres are in the frame anyway, as those of packed quads always are.
    [[nodiscard]] bool computes_centres() const {
        const PositionNeeds& needs = plan.fragment.needs;
        return needs.computed_centre && !packs_quads() &&
               !(batching == exec::Batching::Blocks && needs.centre);
    }
    /// Whether the quads of a warp may belong to different primitives (exec::QuadWarp).
    [[nodiscard]] bool packs_quads() const { return batching == exec::Batching::Quads; }
    void begin_step(const Step& next);
    [[nodiscard]] const valhall::Instr& instr() const { return step->instr; }
    /// The type size in the instruction's name.
    [[nodiscard]] unsigned bits() const { return valhall::op_info(instr().op).type_size; }
    /// How the message becomes host code, with the facts known about it.
    [[nodiscard]] const MessageChoice& message() const { return step->message; }
    /// The lanes of this round and part in a Lanes array at `base`.
    [[nodiscard]] Address lanes_at(Address base, unsigned of_part) const;
    [[nodiscard]] Address lanes_at(Address base) const { return lanes_at(base, part); }

    // --- sources as 32-bit words, no selector or modifier applied; half 1 is the upper word
    Temp word(unsigned source, unsigned half = 0);
    TempOperand word_operand(unsigned source, unsigned half = 0);
    [[nodiscard]] std::optional<uint32_t> known_word(unsigned source, unsigned half = 0) const;
    /// A word that is the same in all lanes (V15), from the first running lane.
    Scalar uniform_word(unsigned source, unsigned half = 0);
    /// The word of lane 0, whether it runs or not.
    Scalar first_word(unsigned source, unsigned half = 0);

    // --- float sources: swizzle, abs and neg applied
    Temp f32(unsigned source);
    /// Like f32(), but the operation must still apply the sign.
    SignedVec f32_signed(unsigned source);
    Signed f32_operand(unsigned source);
    /// The value after modifiers, if known.
    [[nodiscard]] std::optional<uint32_t> known_f32(unsigned source) const;
    /// Whether the operand can be a signalling NaN.
    [[nodiscard]] bool may_signal(unsigned source) const;
    /// Facts about the operand after modifiers.
    [[nodiscard]] FloatFacts float_facts(unsigned source) const;
    /// Facts about the word of a source, before its selector and modifiers.
    [[nodiscard]] WordFacts word_facts(unsigned source) const;

    // --- integer sources: selector applied, packed as the operation's lanes (emit_operands.cpp)
    Temp widen32(unsigned source, bool is_signed);
    TempOperand widen32_operand(unsigned source, bool is_signed);
    [[nodiscard]] std::optional<uint32_t> known_widened(unsigned source, bool is_signed) const;
    /// All lanes of widen32() are below 2^n. `bit_not` is not applied.
    [[nodiscard]] unsigned widened_width(unsigned source, bool is_signed) const;
    Temp widen16(unsigned source, bool is_signed);
    Temp widen8(unsigned source);
    /// The low half of widen16(), extended to 32 bits.
    Temp low_half(unsigned source, bool is_signed);
    VecPair widen64(unsigned source, bool is_signed);
    /// The lower word of widen64().
    Temp widen64_low(unsigned source, bool is_signed);
    /// The two words of a 64-bit source, which has no selector.
    VecPair wide_word(unsigned source) { return {word(source, 0), word(source, 1)}; }
    /// An integer source by element: 8, 16 or 32 bits.
    Temp integer(unsigned source, Element element, bool is_signed);
    /// A byte of the source, zero-extended.
    Temp byte(unsigned source, unsigned index);
    /// The low lane of a v2f16 source as its 16 bits.
    Temp f16_bits(unsigned source);
    /// The low or high lane of a v2f16 source as f32, modifiers applied.
    Temp f16_lane(unsigned source, unsigned lane);
    /// A half of any word, as f32.
    Temp half_to_f32(Vec word_value, unsigned half);
    /// d = the half of each word that starts at bit `shift` (0 or 16), as f32.
    void f16_half_to_f32(Vec d, Vec bits, unsigned shift);
    /// Byte k of every 32-bit lane becomes byte `pattern >> 8k & 0xFF` (0..3), or 0 (0x80).
    void shuffle_bytes(Vec d, Vec a, uint32_t pattern);

    // --- values
    Temp scratch() { return regs.scratch(); }
    TempMask scratch_mask() { return regs.scratch_mask(); }
    Scalar scalar() { return scalars.lease(); }
    /// Loads 64 bits, usually a pointer.
    Scalar load64(Address a);
    /// d = 32 bits at base + (index << base.shift), in all lanes; d may be the index.
    void gather(Vec d, Address base, Vec index) { h.gather_words({&d, 1}, base, index); }
    /// Call when the emitter reads this source no more: its register may then serve temporaries.
    void done_with(Temp& source) {
        regs.unpin(source);
        source.reset();
    }
    void done_with(const Temp& source) = delete;
    void done_with(Vec source) { regs.unpin(source); }
    /// A register for the last operation of an emitter. It may be the register of a source.
    Temp result() { return writes_half() ? scratch() : regs.result(instr().dest.reg, part); }
    /// Like result(), for an operation that overwrites one of its inputs: prefers the register of a
    /// source that is not read again.
    template <typename... Sources>
    Temp result_over(const Sources&... sources) {
        return writes_half() ? scratch()
                             : regs.result_over(instr().dest.reg, part, {Operand(sources)...});
    }
    Temp constant(uint32_t value);
    void move_constant(Vec d, uint32_t value);
    static Operand memory(Address a) { return Operand::memory(a); }
    Operand pool(uint32_t value);
    /// These 64 bits in every 64-bit element.
    Operand pool_wide(uint64_t value);
    Operand pool_double(double value) { return pool_wide(std::bit_cast<uint64_t>(value)); }
    /// Sixteen words in the pool; equal rows share one address.
    Address pool_row(const std::array<uint32_t, exec::kLanes>& words);
    /// A word for all lanes in operations that take no broadcast operand: in a register over the
    /// loop, or W lanes of memory.
    Operand pool_lanes(uint32_t value);
    /// W lanes or a word of memory that does not change during the call.
    Operand invariant(Operand memory) { return invariants.get(memory); }

    // --- destinations
    /// Writes the halves in the destination's mask.
    void write(Vec value);
    /// A float result, changed in place: strict NaN and clamp.
    /// facts  of the value before them
    void write_f32(Vec value, const FloatFacts& facts = {});
    /// Like write_f32(), for FADD.f32 and FMA.f32: a half destination takes the result rounded to
    /// f16.
    void write_f32_narrowing(Vec value, const FloatFacts& facts);
    void write_pair(const VecPair& value);
    /// Writes the word of a source, without its selector and modifiers.
    void write_source(unsigned source);
    /// Writes this word to the destination in all lanes and parts. The emitter is not called for
    /// other parts, because their sources could already hold the new value.
    void write_constant(uint32_t value);
    /// Writes a 16-bit result (upper half 0) to the half in the destination's mask.
    void write_half(Vec value);
    /// Notes facts about the result just written.
    void set_facts(const WordFacts& facts);
    /// Notes that the result just written is no signalling NaN.
    void set_quiet() { set_facts({.quiet = true}); }
    /// Writes two f32 values as halves of a word, after strict NaN and clamp.
    void
    write_v2f16(Vec low, Vec high, valhall::Clamp mode, Rounding rounding, bool may_signal = false);
    /// d = low | high << 16; the upper half of `low` is 0.
    void pack_halves(Vec d, Vec low, Vec high);

    /// Whether the bits of NaNs in the instruction's result can be seen, or are in strict mode.
    [[nodiscard]] bool shows_nans() const { return plan.strict_nan || step->quiet_nans; }
    /// Replaces NaN by the quiet NaN where shows_nans().
    void canonicalise(Vec value);
    /// may_signal  whether the value can be a signalling NaN: if no operation computed it
    void clamp(Vec value, valhall::Clamp mode, bool may_signal = false);

    /// The values of this part's lanes from a table by lane number.
    Temp lane_table(const std::array<uint32_t, 16>& values);
    Temp lane_numbers();
    /// The offset that belongs to the kernel's stage.
    [[nodiscard]] int32_t call_member(int32_t vertex, int32_t fragment, int32_t compute) const;
    /// The member of the call that holds the base of thread-local storage.
    [[nodiscard]] Address thread_storage() const;

    // --- masks and bits; bit k of a group = lane k of this round
    /// Loads the execution masks of all parts from Gp::Running.
    void load_exec_masks();
    /// Adds the lanes of the current part's mask to `bits`; part 0 takes the lease.
    void collect_bits(Scalar& bits, Mask mask);
    /// After a call, restores the registers that the body relies on.
    void after_call();
    /// Whether Gp::Running can lack lanes here.
    [[nodiscard]] bool lanes_can_be_inactive() const {
        return block != nullptr ? !program.runs_whole(*block) : plan.lanes_can_be_inactive();
    }
    /// Bits of all lanes of a round.
    [[nodiscard]] uint32_t all_lanes() const {
        return static_cast<uint32_t>((uint64_t{1} << (h.traits().lanes * parts)) - 1);
    }
    /// Compute programs: copies r0..r63 of the running lanes to the caller, if it asked for them.
    void export_registers();

    /// Aborts: emitters of instructions that read_program() refuses call it.
    [[noreturn]] static void reject();

private:
    /// True if one half of the destination keeps its old value.
    [[nodiscard]] bool writes_half() const { return instr().dest.mask != 3; }
    std::vector<std::pair<std::array<uint32_t, exec::kLanes>, Address>> pool_rows_;
    ListingLogger* listing_;
    FrameLayout layout_;
    bool keeps_signalling_ = false;
    /// Applies strict NaN and clamp; takes and returns facts about the value.
    FloatFacts finish_f32(Vec value, const FloatFacts& facts);
    Temp special_word(const valhall::Source& source, unsigned half);
    TempOperand source_operand(const valhall::Source& source, unsigned half);
    Temp draw_special(unsigned index, unsigned half);
    /// A word of the call.
    Temp call_word(int32_t member);
};

/// Calls f() for every part, with c.part set to it.
template <typename F>
void each_part(EmitContext& c, F f) {
    for (c.part = 0; c.part < c.parts; ++c.part)
        f();
    c.part = 0;
}

/// Calls f() for every part of an expansion, and frees its registers after each.
template <typename F>
void expand_parts(EmitContext& c, F f) {
    each_part(c, [&] {
        f();
        c.regs.end_part();
    });
}

/// Register k of a staging run of the instruction.
inline Reg staging_register(const EmitContext& c, unsigned k, unsigned run = 0) {
    return register_behind(c.instr().staging[run].base, k);
}

}  // namespace valkyr::jit
