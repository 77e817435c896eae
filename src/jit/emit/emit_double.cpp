// Double emitters: compute operations on doubles with those of the host.
// SPDX-License-Identifier: MIT
//
// A part's doubles fill two registers: those of the first two lanes of each quad are in the low
// one, the others in the high one. Where only operations on doubles read them (wide_doubles.hpp),
// they stay so in the guest registers of their words.
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"

#include <array>
#include <bit>

namespace valkyr::jit {

using valhall::DoubleOp;

namespace {

constexpr uint64_t kNan = 0x7FF8000000000000;
constexpr unsigned kMaxSources = valhall::kMaxDoubleSources / 2;

/// The sources of an operation, in registers of either half.
using Half = std::array<Vec, kMaxSources>;

struct Doubles {
    Temp low;
    Temp high;
    bool is_shared = false;  ///< a half may not be changed: it is both, or the value of a register
};

Doubles load_constant(EmitContext& c, uint64_t bits) {
    Doubles d{c.scratch(), {}, true};
    c.h.move(d.low, c.pool_wide(bits));
    d.high = Temp(Vec(d.low));
    return d;
}

/// Source i of the step, a double.
Doubles load_source(EmitContext& c, unsigned i) {
    const Reg low_word = c.step->doubles->sources[size_t{2} * i];
    const Reg high_word = c.step->doubles->sources[size_t{2} * i + 1];
    if ((c.step->wide.sources >> i & 1) != 0)
        return {Temp(c.regs.use(low_word, c.part)), Temp(c.regs.use(high_word, c.part)), true};
    const auto low_bits = c.regs.constant(low_word);
    const auto high_bits = c.regs.constant(high_word);
    if (low_bits && high_bits)
        return load_constant(c, uint64_t{*high_bits} << 32 | *low_bits);
    const Vec low = c.regs.use(low_word, c.part);
    const Vec high = c.regs.use(high_word, c.part);
    Doubles d{c.scratch(), c.scratch()};
    c.h.op(Binary::UnpackLow32, d.low, low, high);
    c.h.op(Binary::UnpackHigh32, d.high, low, high);
    c.done_with(low);
    c.done_with(high);
    return d;
}

/// The sources of the step, and a place for its result.
class Sources {
public:
    explicit Sources(EmitContext& c) {
        const valhall::DoubleRange& step = *c.step->doubles;
        const unsigned count = valhall::double_op_info(step.op).source_words / 2;
        unsigned last = 0;
        for (unsigned i = 0; i < count; ++i) {
            last = same_source(step, i);
            if (last == i)
                loaded_[i] = load_source(c, i);
            halves_[0][i] = loaded_[last].low;
            halves_[1][i] = loaded_[last].high;
        }
        const bool reusable = last + 1 == count && !loaded_[last].is_shared;
        result_ = reusable ? std::move(loaded_[last]) : Doubles{c.scratch(), c.scratch()};
    }

    /// Calls f(register of the result, which may be that of the last source; sources) for both
    /// halves.
    template <typename F>
    void each_half(F f) const {
        f(Vec(result_.low), halves_[0]);
        f(Vec(result_.high), halves_[1]);
    }
    [[nodiscard]] const Doubles& result() const { return result_; }

private:
    /// The first source that has the registers of source i.
    static unsigned same_source(const valhall::DoubleRange& step, unsigned i) {
        unsigned k = 0;
        while (step.sources[size_t{2} * k] != step.sources[size_t{2} * i] ||
               step.sources[size_t{2} * k + 1] != step.sources[size_t{2} * i + 1])
            ++k;
        return k;
    }

    std::array<Doubles, kMaxSources> loaded_;
    std::array<Half, 2> halves_{};
    Doubles result_;
};

/// Writes one word of each double.
void write_word(EmitContext& c, const Doubles& d, unsigned word) {
    const Reg reg = register_behind(c.step->doubles->result, word);
    const Temp words = c.regs.result(reg, c.part);
    c.h.pick_words(words, d.low, d.high, word);
    c.regs.define(reg, c.part, words);
}

void replace_nan(EmitContext& c, Vec d, Operand by) {
    const TempMask nan = c.scratch_mask();
    c.h.compare_f64(FloatCond::Unordered, nan, d, d);
    c.h.select(Element::B64, d, nan, by, d);
}

/// The result of the step; if it is not wide, it has no NaN.
void write_numbers(EmitContext& c, const Doubles& d) {
    if (c.step->wide.result) {
        const Reg low_word = c.step->doubles->result;
        c.regs.define(low_word, c.part, d.low);
        c.regs.define(register_behind(low_word, 1), c.part, d.high);
        return;
    }
    write_word(c, d, 0);
    write_word(c, d, 1);
}

void write_doubles(EmitContext& c, const Doubles& d) {
    if (!c.step->wide.result) {
        replace_nan(c, d.low, c.pool_wide(kNan));
        replace_nan(c, d.high, c.pool_wide(kNan));
    }
    write_numbers(c, d);
}

// ---------------------------------------------------------------------------------------------
// Doubles to doubles, by half

void add(EmitContext& c, Vec d, const Half& s) {
    c.h.op(Binary::AddF64, d, s[0], s[1]);
}
void multiply(EmitContext& c, Vec d, const Half& s) {
    c.h.op(Binary::MulF64, d, s[0], s[1]);
}
void fused(EmitContext& c, Vec d, const Half& s) {
    c.h.fma_f64(d, s[0], s[1], s[2]);
}
void divide(EmitContext& c, Vec d, const Half& s) {
    c.h.op(Binary::DivF64, d, s[0], s[1]);
}
void square_root(EmitContext& c, Vec d, const Half& s) {
    c.h.op(Unary::SqrtF64, d, s[0]);
}

template <Rounding mode>
void round(EmitContext& c, Vec d, const Half& s) {
    c.h.round_f64(d, s[0], mode);
}

/// First replaces a NaN in s[0] by s[1]. The host's operation returns its second operand if the
/// first is NaN or both are equal, so it is then wrong for zeros of different signs only. Where
/// operands are equal, OR and AND give the right zero and leave other numbers as they are.
template <bool maximum>
void extremum(EmitContext& c, Vec d, const Half& s) {
    HostAssembler& h = c.h;
    const TempMask mask = c.scratch_mask();
    const Temp number = c.scratch();
    const Temp both = c.scratch();
    h.compare_f64(FloatCond::Unordered, mask, s[0], s[0]);
    h.select(Element::B64, number, mask, s[1], s[0]);
    h.compare_f64(FloatCond::Equal, mask, number, s[1]);
    h.op(maximum ? Binary::And : Binary::Or, both, number, s[1]);
    h.op(maximum ? Binary::MaxF64 : Binary::MinF64, number, s[1], number);
    h.select(Element::B64, d, mask, both, number);
}

template <void (*compute)(EmitContext&, Vec, const Half&)>
void arithmetic(EmitContext& c) {
    const Sources sources(c);
    sources.each_half([&](Vec d, const Half& s) { compute(c, d, s); });
    write_doubles(c, sources.result());
}

template <FloatCond cond>
void compare(EmitContext& c) {
    const Sources sources(c);
    sources.each_half([&](Vec d, const Half& s) {
        const TempMask mask = c.scratch_mask();
        c.h.compare_f64(cond, mask, s[0], s[1]);
        c.h.mask_value(Element::B64, d, mask, 0xFFFFFFFF);
    });
    write_word(c, sources.result(), 0);
}

// ---------------------------------------------------------------------------------------------
// Scaling by a power of two

/// k = the part of n that one factor 2^k of a normal double can take. A step down that is not the
/// last leaves at least 54 places to the next: a number that it rounds as a subnormal becomes 0.
void take_step(EmitContext& c, Vec k, Vec n, bool last) {
    constexpr int32_t least = -1022;
    constexpr int32_t most = 1023;
    HostAssembler& h = c.h;
    const auto word = [&c](int32_t value) { return c.pool(static_cast<uint32_t>(value)); };
    h.op(Binary::MinS32, k, n, word(most));
    if (last)
        return h.op(Binary::MaxS32, k, k, word(least));
    const TempMask below = c.scratch_mask();
    h.compare(IntCond::Less, Element::B32, true, below, n, word(least));
    h.select(Element::B32, k, below, word(least + 53), k);
    h.op(Binary::SubI32, n, n, k);
}

/// Multiplies each double by 2^k of its lane; k becomes the upper words of the factors.
void multiply_by_power(EmitContext& c, const Doubles& d, Vec k) {
    constexpr uint32_t bias = 1023;
    constexpr unsigned exponent_place = 20;
    HostAssembler& h = c.h;
    h.op(Binary::AddI32, k, k, c.pool(bias));
    h.op(ImmOp::Shl32, k, k, exponent_place);
    const Temp factor = c.scratch();
    const auto scale_half = [&](Binary unpack, Vec half) {
        h.zero(factor);
        h.op(unpack, factor, factor, Vec(k));
        h.op(Binary::MulF64, half, half, Vec(factor));
    };
    scale_half(Binary::UnpackLow32, d.low);
    scale_half(Binary::UnpackHigh32, d.high);
}

/// The exponents of any two doubles differ by less than three steps take.
void scale(EmitContext& c) {
    const valhall::DoubleRange& step = *c.step->doubles;
    const Doubles x = load_source(c, 0);
    const Doubles d{c.scratch(), c.scratch()};
    c.h.move(d.low, Vec(x.low));
    c.h.move(d.high, Vec(x.high));
    const Temp rest = c.scratch();
    c.h.move(rest, c.regs.use(step.sources[2], c.part));
    const Temp k = c.scratch();
    for (const bool last : {false, false, true}) {
        take_step(c, k, rest, last);
        multiply_by_power(c, d, k);
    }
    write_doubles(c, d);
}

// ---------------------------------------------------------------------------------------------
// Conversions

/// Adds 2^52 + 2^51 to whole numbers between -2^31 and 2^32, whose words are then the low ones of
/// the sums.
void to_word(EmitContext& c, Vec d) {
    c.h.op(Binary::AddF64, d, d, c.pool_double(0x1.8p52));
}

void limit(EmitContext& c, Vec d, Vec s, double low, double high) {
    c.h.op(Binary::MaxF64, d, s, c.pool_double(low));  // NaN gives `low`
    c.h.op(Binary::MinF64, d, d, c.pool_double(high));
    c.h.round_f64(d, d, Rounding::Zero);
}

void to_s32(EmitContext& c) {
    const Sources sources(c);
    sources.each_half([&](Vec d, const Half& s) {
        const TempMask nan = c.scratch_mask();
        c.h.compare_f64(FloatCond::Unordered, nan, s[0], s[0]);
        limit(c, d, s[0], -0x1p31, 0x7FFFFFFF);
        c.h.select(Element::B64, d, nan, c.pool_double(0), d);
        to_word(c, d);
    });
    write_word(c, sources.result(), 0);
}

void to_u32(EmitContext& c) {
    const Sources sources(c);
    sources.each_half([&](Vec d, const Half& s) {
        limit(c, d, s[0], 0, 0xFFFFFFFF);
        to_word(c, d);
    });
    write_word(c, sources.result(), 0);
}

/// Makes the word the low one of 2^52 + word, from which it subtracts 2^52 and `bias`.
void from_word(EmitContext& c, Vec word, double bias) {
    constexpr uint32_t high_of_two_52 = 0x43300000;
    const Doubles d{c.scratch(), c.scratch()};
    c.h.op(Binary::UnpackLow32, d.low, word, c.pool(high_of_two_52));
    c.h.op(Binary::UnpackHigh32, d.high, word, c.pool(high_of_two_52));
    for (const Vec half : {Vec(d.low), Vec(d.high)})
        c.h.op(Binary::SubF64, half, half, c.pool_double(0x1p52 + bias));
    write_numbers(c, d);
}

Vec source_word(EmitContext& c) {
    return c.regs.use(c.step->doubles->sources[0], c.part);
}

void from_u32(EmitContext& c) {
    from_word(c, source_word(c), 0);
}

void from_s32(EmitContext& c) {
    const Temp biased = c.scratch();
    c.h.op(Binary::Xor, biased, source_word(c), c.pool(float_bits::kSign));
    from_word(c, biased, 0x1p31);
}

using Lanes = std::array<uint32_t, exec::kLanes>;

/// The lanes of a register's doubles, in order.
Lanes double_order(unsigned lanes) {
    Lanes order{};
    unsigned next = 0;
    for (const unsigned half : {0U, 2U})
        for (unsigned lane = 0; lane < lanes; ++lane)
            if ((lane & 2) == half)
                order[next++] = lane;
    return order;
}

/// d = lane order[k] of s in lane k, or the other way round.
void reorder(EmitContext& c, Vec d, Vec s, bool back) {
    const unsigned lanes = c.h.traits().lanes;
    const Lanes order = double_order(lanes);
    Lanes index = order;
    for (unsigned k = 0; back && k < lanes; ++k)
        index[order[k]] = k;
    const Temp numbers = c.scratch();
    c.h.load(numbers, c.pool_row(index));
    c.h.permute(d, numbers, s);
}

/// Whether doubles are in the order of their lanes: a register is one quad.
bool is_in_order(const EmitContext& c) {
    return c.h.traits().lanes == 4;
}

void from_float(EmitContext& c) {
    Temp words(source_word(c));
    if (!is_in_order(c)) {
        Temp ordered = c.scratch();
        reorder(c, ordered, words, false);
        words = std::move(ordered);
    }
    const Doubles d{c.scratch(), c.scratch()};
    c.h.widen_f64(d.low, d.high, words);
    write_doubles(c, d);
}

void to_float(EmitContext& c) {
    const valhall::DoubleRange& step = *c.step->doubles;
    const Doubles s = load_source(c, 0);
    const Temp d = c.scratch();
    c.h.narrow_f64(d, s.low, s.high);
    if (!is_in_order(c))
        reorder(c, d, d, true);
    const TempMask nan = c.scratch_mask();
    c.h.compare(FloatCond::Unordered, nan, d, d);
    c.h.select(Element::B32, d, nan, c.pool(float_bits::kQuietNan), d);
    c.regs.define(step.result, c.part, d);
}

using Compute = void (*)(EmitContext&);
/// By operation; null where has_host_double() is false.
constexpr std::array<Compute, valhall::kDoubleOpCount> kCompute{
    arithmetic<add>,
    arithmetic<multiply>,
    arithmetic<fused>,
    arithmetic<divide>,
    arithmetic<square_root>,
    arithmetic<extremum<false>>,
    arithmetic<extremum<true>>,
    compare<FloatCond::Less>,
    compare<FloatCond::LessEqual>,
    compare<FloatCond::Equal>,
    arithmetic<round<Rounding::Zero>>,
    arithmetic<round<Rounding::Down>>,
    arithmetic<round<Rounding::Up>>,
    arithmetic<round<Rounding::Nearest>>,
    scale,
    from_float,
    from_s32,
    from_u32,
    nullptr,  // FromS64
    nullptr,  // FromU64
    to_float,
    to_s32,
    to_u32,
    nullptr,  // ToS64
    nullptr,  // ToU64
};

}  // namespace

void emit_double(EmitContext& c) {
    kCompute[static_cast<size_t>(c.step->doubles->op)](c);
}

}  // namespace valkyr::jit
