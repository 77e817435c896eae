// Host assembler: declares the lane-vector operations that every host level emits.
// SPDX-License-Identifier: MIT
//
// An operation may be several host instructions. A destination may be the register of any source.
// The host level reserves a few registers for itself (reserved_vectors), so operations except calls
// change no other register.
#pragma once

#include "jit/host/lane_vector.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

namespace valkyr::jit {

/// An argument of a routine: a pointer into the frame or pool, a register, or a constant.
struct Argument {
    enum class Kind : uint8_t { Effective, Load64, Load32, Scalar, Constant };
    Kind kind = Kind::Constant;
    Address address;
    uint64_t value = 0;
    static Argument effective(Address a) { return {Kind::Effective, a, 0}; }
    static Argument load64(Address a) { return {Kind::Load64, a, 0}; }
    static Argument load32(Address a) { return {Kind::Load32, a, 0}; }
    /// The value of Gp::Argument.
    static Argument scalar() { return {Kind::Scalar, {}, 0}; }
    static Argument constant(uint64_t v) { return {Kind::Constant, {}, v}; }
};

/// Most host registers a value (parts) of a warp, and most rounds: four, with four lanes each.
inline constexpr unsigned kMaxParts = 4;

/// Known facts about the operands of min_num() and max_num().
struct NumOperands {
    bool may_signal = true;         ///< one can be a signalling NaN
    bool second_is_number = false;  ///< it is no NaN
    bool numbers = false;           ///< neither is a NaN
    /// The second one is the result if they are equal or the first one is a NaN: it is a number,
    /// and zeros come in the right order. In this case alone it may lie in memory.
    bool second_if_equal = false;
};

/// Properties of a host level that register allocation needs.
struct HostTraits {
    unsigned lanes;      ///< W
    unsigned vectors;    ///< registers that emitters may use: ids 0 .. vectors - 1
    unsigned masks;      ///< separate mask registers for emitters; 0: masks are vectors
    uint8_t first_mask;  ///< id of the first of them
    /// ids reserved for execution masks, one a part (vectors if masks == 0)
    uint8_t exec_masks[kMaxParts];
    bool scatters;         ///< scatter32() exists
    bool permutes_pairs;   ///< permute_pair() exists
    bool combines_rows;    ///< combine_row() exists
    bool permutes_tables;  ///< table256() exists
    bool permutes_bytes;   ///< table256_bytes() exists, and is faster than table256()
    bool encodes_bytes;    ///< encode_bytes() exists, and is faster than gathers
    bool loads_lanes;      ///< gather_words() loads one or two words of a lane at once, too
    bool folds_broadcast;  ///< a broadcast operand of a 32-bit operation costs no instruction
};

class HostAssembler {
public:
    virtual ~HostAssembler() = default;
    [[nodiscard]] virtual const HostTraits& traits() const = 0;

    // --- vectors
    virtual void op(Binary op, Vec d, Vec a, Operand b) = 0;
    virtual void op(Unary op, Vec d, Operand a) = 0;
    virtual void op(ImmOp op, Vec d, Vec a, unsigned imm) = 0;
    /// d = (negate_product ? -(a*b) : a*b) + (negate_addend ? -c : c), rounded once.
    virtual void
    fma(Vec d, Vec a, Operand b, Operand c, bool negate_product, bool negate_addend) = 0;
    virtual void fma_f64(Vec d, Vec a, Vec b, Vec c) = 0;
    virtual void move(Vec d, Operand a) = 0;
    virtual void zero(Vec d) = 0;
    virtual void ones(Vec d) = 0;
    virtual void load(Vec d, Address a) = 0;  ///< W lanes, any alignment
    virtual void store(Address a, Vec s) = 0;
    virtual void load_quad(Vec d, Address a) = 0;                ///< 16 bytes into quad 0, rest 0
    virtual void insert_quad(Vec d, unsigned q, Address a) = 0;  ///< 16 bytes into quad q
    virtual void store_quad(Address a, unsigned q, Vec s) = 0;   ///< 16 bytes of quad q
    virtual void broadcast_quad(Vec d, Address a) = 0;           ///< 16 bytes into every quad
    /// Loads W consecutive bytes (16-bit words) as 32-bit lanes, zero-extended.
    virtual void load_bytes(Vec d, Address a) = 0;
    virtual void load_halves(Vec d, Address a) = 0;
    /// Stores W lanes, which must be below 256 (65536), as consecutive bytes (16-bit words).
    virtual void store_bytes(Address a, Vec s) = 0;
    virtual void store_halves(Address a, Vec s) = 0;
    virtual void extract_first(Gp d, Vec s) = 0;     ///< lane 0
    virtual void broadcast_first(Vec d, Vec s) = 0;  ///< lane 0 into every lane
    virtual void broadcast_word(Vec d, Gp s) = 0;    ///< the low 32 bits of s into every lane
    /// d lane k = a lane index[k] (modulo W).
    virtual void permute(Vec d, Vec index, Vec a) = 0;
    /// Lanes of the mask (no mask: all): d lane k = word d[k] (modulo 2 W) of the lanes of a, then
    /// of b. Only if traits().permutes_pairs.
    virtual void permute_pair(Vec d, Vec a, Operand b, Mask lanes) = 0;
    /// d = the word number (index & 15) of a table of 16.
    virtual void table16(Vec d, Vec index, Address table) = 0;
    /// d = the word number `index` (below 256) of a table of 256. Only if traits().permutes_tables.
    virtual void table256(Vec d, Vec index, Address table) = 0;
    /// d[k] = the word number (byte k of `indices`) of a table of 256, k = 0 .. 2. The memory holds
    /// four planes of 256 bytes: byte 0 of all words, byte 1, ... `indices` is none of the
    /// destinations. Only if traits().permutes_bytes.
    virtual void table256_bytes(std::span<const Vec, 3> d, Vec indices, Address planes) = 0;
    /// Byte k of d = the code of values[k], byte 3 is 0: numbers from 2^-13 to 1, and tables with
    /// the layout of exec::SrgbSegments at an address without index. d may be one of the others.
    /// Overwrites `spare`. Only if traits().encodes_bytes.
    virtual void encode_bytes(Vec d,
                              std::span<const Vec, 3> values,
                              Address tables,
                              std::span<const Vec, 5> spare) = 0;
    /// d = the upper 32 bits of the 64-bit products of 32-bit lanes.
    virtual void multiply_high(Vec d, Vec a, Vec b, bool is_signed) = 0;
    /// d = the low half of each lane of `low` and the high half of `high`.
    virtual void merge_halves(Vec d, Vec low, Vec high) = 0;
    /// Lanes of the mask: d = 32 bits at base + (index << base.shift); other lanes 0. No mask: all
    /// lanes.
    virtual void gather32(Vec d, Address base, Vec index, Mask lanes) = 0;
    /// d[k] = 32 bits at base + (index << base.shift) + 4 k, in all lanes; one, two or four words.
    /// `index` may be one of the destinations. The base is not the frame.
    virtual void gather_words(std::span<const Vec> d, Address base, Vec index) = 0;
    /// Quad q of d[k] = 16 bytes at base + (index << base.shift) of lane 4 q + k; four registers,
    /// none of which is the index. The base is not the frame.
    virtual void gather_quads(std::span<const Vec> d, Address base, Vec index) = 0;
    /// The same of four halves as f32, as f16_to_f32() does. Only if traits().loads_lanes.
    virtual void gather_half_quads(std::span<const Vec> d, Address base, Vec index) = 0;
    /// Transposes the 4x4 words of four registers in each quad.
    virtual void transpose_quads(std::span<const Vec> d) = 0;
    /// d[k] = the f16 at base + (index << base.shift) + 2 k as f32, as f16_to_f32() does; four
    /// registers. Only if traits().loads_lanes.
    virtual void gather_halves(std::span<const Vec> d, Address base, Vec index) = 0;
    /// Lanes of the mask, in ascending order: 32 bits at base + index = s. Only if
    /// traits().scatters.
    virtual void scatter32(Address base, Vec index, Mask lanes, Vec s) = 0;
    /// Widen to and narrow from 64-bit elements: lanes 0 .. W/2-1 are in low, the others in high.
    virtual void widen_f64(Vec low, Vec high, Vec a) = 0;
    virtual void widen_s64(Vec low, Vec high, Vec a) = 0;
    virtual void narrow_f64(Vec d, Vec low, Vec high) = 0;  ///< one rounding, nearest even
    /// In each quad: d = word `word` (0 or 1) of the 64-bit elements of low, then of high.
    virtual void pick_words(Vec d, Vec low, Vec high, unsigned word) = 0;

    // --- float and conversion operations whose shape differs between hosts
    /// minNum and maxNum with -0 < +0. One NaN gives the other operand, two give a quiet NaN.
    virtual void min_num(Vec d, Vec a, Operand b, NumOperands known) = 0;
    virtual void max_num(Vec d, Vec a, Operand b, NumOperands known) = 0;
    /// d = a, with `by` in lanes that are NaN.
    virtual void replace_nans(Vec d, Vec a, Operand by) = 0;
    virtual void round_f32(Vec d, Operand a, Rounding mode) = 0;
    virtual void round_f64(Vec d, Vec a, Rounding mode) = 0;
    /// These saturate; NaN gives 0.
    virtual void f32_to_s32(Vec d, Vec a, Rounding mode) = 0;
    virtual void f32_to_u32(Vec d, Vec a, Rounding mode) = 0;
    /// As f32_to_s32() for numbers within the range of the result; NaN gives any integer.
    virtual void small_f32_to_s32(Vec d, Vec a, Rounding mode) = 0;
    /// Rounds to nearest even; numbers must be within the range of the result. NaN gives 0.
    virtual void to_s32_or_zero(Vec d, Vec a) = 0;
    virtual void s32_to_f32(Vec d, Vec a, Rounding mode) = 0;
    virtual void u32_to_f32(Vec d, Vec a, Rounding mode) = 0;
    /// Converts the low (0) or high (1) half of every lane, an f16: exact, but quiets NaN.
    virtual void f16_to_f32(Vec d, Vec a, unsigned which) = 0;
    /// Converts to the low half of every lane; the upper half becomes 0.
    virtual void f32_to_f16(Vec d, Vec a, Rounding mode) = 0;
    virtual void count_leading_zeros(Vec d, Vec a) = 0;  ///< of 32-bit lanes; 32 for 0
    virtual void count_ones(Vec d, Vec a) = 0;           ///< bits of 32-bit lanes that are set
    /// a * 2^n, one rounding (nearest even); n a signed 32-bit integer.
    virtual void scale_f32(Vec d, Vec a, Vec n, Rounding mode) = 0;

    // --- masks
    virtual void compare(FloatCond cond, Mask d, Vec a, Operand b) = 0;
    virtual void
    compare(IntCond cond, Element element, bool is_signed, Mask d, Vec a, Operand b) = 0;
    virtual void compare_f64(FloatCond cond, Mask d, Vec a, Vec b) = 0;
    virtual void test_nonzero(Mask d, Vec a) = 0;            ///< 32-bit elements
    virtual void sign_mask(Mask d, Vec a) = 0;               ///< top bits of 32-bit elements
    virtual void test_bit(Mask d, Vec a, unsigned bit) = 0;  ///< of 32-bit elements
    virtual void mask_and(Mask d, Mask a, Mask b) = 0;
    virtual void mask_or(Mask d, Mask a, Mask b) = 0;
    virtual void mask_and_not(Mask d, Mask a, Mask b) = 0;  ///< ~a & b
    virtual void mask_not(Mask d, Mask a) = 0;
    /// d = mask ? t : f.
    virtual void select(Element element, Vec d, Mask mask, Operand t, Vec f) = 0;
    /// 32-bit elements: d = top bit of sign ? t : f.
    virtual void select_negative(Vec d, Vec sign, Operand t, Vec f) = 0;
    /// 32-bit elements: d = mask ? 0 : a.
    virtual void clear_lanes(Vec d, Mask mask, Vec a) = 0;
    /// 32-bit elements: d = mask ? t : 0.
    virtual void keep_lanes(Vec d, Mask mask, Operand t) = 0;
    /// d = mask ? value : 0, with `value` in every 32 bits.
    virtual void mask_value(Element element, Vec d, Mask mask, uint32_t value) = 0;
    virtual void mask_bits(Gp d, Mask mask) = 0;       ///< bit k = lane k (32-bit elements)
    virtual void mask_from_bits(Mask d, Gp bits) = 0;  ///< uses the low W bits
    /// Lanes of the mask. AVX-512 does not touch the memory of the others; other hosts write back
    /// what they read, so no other thread may write there.
    virtual void store_masked(Address a, Mask mask, Vec s) = 0;
    virtual void load_masked(Vec d, Mask mask, Address a) = 0;  ///< other lanes 0

    // --- constants
    /// Address of this word in the constant pool.
    virtual Address pool_word(uint32_t value) = 0;
    /// Address of these words, aligned to 64 bytes.
    virtual Address pool_words(std::span<const uint32_t> words) = 0;

    // --- scalars
    virtual void load64(Gp d, Address a) = 0;
    virtual void load32(Gp d, Address a) = 0;  ///< zero-extends
    virtual void load16(Gp d, Address a) = 0;
    virtual void load8(Gp d, Address a) = 0;
    virtual void store64(Address a, Gp s) = 0;
    virtual void store32(Address a, Gp s) = 0;
    virtual void store16(Address a, Gp s) = 0;
    virtual void store8(Address a, Gp s) = 0;
    virtual void store32(Address a, uint32_t value) = 0;
    virtual void load_address(Gp d, Address a) = 0;
    virtual void move(Gp d, Gp s) = 0;
    virtual void move(Gp d, uint64_t value) = 0;
    virtual void add64(Gp d, Gp s) = 0;
    virtual void add64(Gp d, int32_t value) = 0;
    virtual void add32(Gp d, Address word) = 0;
    virtual void add32(Gp d, int32_t value) = 0;
    virtual void sub32(Gp d, Gp s) = 0;
    virtual void sub64(Gp d, Gp s) = 0;
    virtual void mul64(Gp d, Gp s) = 0;
    virtual void and32(Gp d, Gp s) = 0;
    virtual void and32(Gp d, uint32_t value) = 0;
    virtual void and32(Gp d, Address word) = 0;
    virtual void or32(Gp d, Gp s) = 0;
    virtual void or32(Gp d, Address word) = 0;
    virtual void or32(Address word, Gp s) = 0;
    virtual void xor32(Gp d, Gp s) = 0;
    virtual void and_not32(Gp d, Gp a, Gp b) = 0;  ///< d = ~a & b
    virtual void shift_left64(Gp d, unsigned count) = 0;
    virtual void shift_right32(Gp d, unsigned count) = 0;
    virtual void shift_left32_variable(Gp d, Gp count) = 0;
    virtual void shift_right32_variable(Gp d, Gp count) = 0;
    virtual void count_bits(Gp d, Gp s) = 0;
    virtual void lowest_bit(Gp d, Gp s) = 0;  ///< number of the lowest set bit
    virtual void compare32(Gp a, Gp b) = 0;
    virtual void compare32(Gp a, uint32_t value) = 0;
    virtual void compare32(Gp a, Address word) = 0;
    virtual void compare32(Address word, uint32_t value) = 0;
    virtual void compare64(Gp a, Gp b) = 0;
    virtual void test32(Gp a) = 0;        ///< sets Equal if zero
    virtual void test32(Gp a, Gp b) = 0;  ///< sets Equal if no bit is set in both

    // --- atomics on a word, sequentially consistent; its address has none of the other registers
    virtual void exchange32(Gp d, Address word) = 0;      ///< swaps d and the word
    virtual void exchange_add32(Gp d, Address word) = 0;  ///< the word += d; d = the old word
    /// Writes `desired` if the word is `expected`, which becomes the old word. Sets Equal if it
    /// wrote.
    virtual void compare_exchange32(Gp expected, Address word, Gp desired) = 0;
    /// Combines the W words at Gp::Argument, aligned to 16 bytes, with s, each of them atomically;
    /// no operation: replaces them. d, another register than s, gets the old words. Destroys the
    /// scalars that calls destroy. Only if traits().combines_rows.
    /// room  memory for two registers, aligned to their size
    virtual void combine_row(std::optional<Binary> op, Vec d, Vec s, Address room) = 0;

    // --- flow
    virtual Label new_label() = 0;
    virtual void bind(Label label) = 0;
    virtual void jump(Label label) = 0;
    virtual void jump(Jump cond, Label label) = 0;
    /// Calls the function whose address is at `function` with up to six arguments. Destroys all
    /// vector and mask registers, and the scalars that `enum Gp` names.
    virtual void call_indirect(Address function, std::initializer_list<Argument> arguments) = 0;
    virtual void call(const void* function, std::initializer_list<Argument> arguments) = 0;
    /// Saves the registers of the calling convention, aligns the frame to 64 bytes and sets
    /// Gp::Call from the second argument. leave() restores and returns.
    virtual void enter(uint32_t frame_bytes) = 0;
    virtual void leave() = 0;
    /// Appends the constant pool to the code.
    virtual void finish() = 0;
    [[nodiscard]] virtual uint32_t offset() const = 0;
};

}  // namespace valkyr::jit
