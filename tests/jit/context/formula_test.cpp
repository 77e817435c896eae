// Formula test: formulas emit the operations that their header promises, and compute right values.
// SPDX-License-Identifier: MIT
//
// A model of one lane stands for the host levels: formulas are above them.
#include "base/bits.hpp"
#include "jit/context/formula.hpp"
#include "tests/jit/harness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace valkyr;
using namespace valkyr::test;
using namespace valkyr::jit;

namespace {

[[noreturn]] void refuse() {
    std::abort();  // not modelled
}

/// A host level of which no operation is implemented.
class NoAssembler : public HostAssembler {
public:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#define override                                                                                   \
    { refuse(); }
#include "jit/host/host_assembler_overrides.inc"
#undef override
#pragma GCC diagnostic pop
};

std::string name(Binary op) {
    static const std::map<Binary, std::string> names = {
        {Binary::AddF32, "AddF32"},
        {Binary::SubF32, "SubF32"},
        {Binary::MulF32, "MulF32"},
        {Binary::MinF32, "MinF32"},
        {Binary::MaxF32, "MaxF32"},
        {Binary::And, "And"},
        {Binary::Xor, "Xor"},
        {Binary::AndNot, "AndNot"},
        {Binary::AddI32, "AddI32"},
        {Binary::SubI32, "SubI32"},
        {Binary::MulI32, "MulI32"},
        {Binary::MinS32, "MinS32"},
        {Binary::MinU32, "MinU32"},
        {Binary::ShrAnyV32, "ShrAnyV32"},
        {Binary::AddSatU16, "AddSatU16"},
        {Binary::MulHighU16, "MulHighU16"},
        {Binary::MinU16, "MinU16"},
        {Binary::Or, "Or"},
    };
    return names.at(op);
}

float minimum(float a, float b) {
    return a < b ? a : b;
}

using Lines = std::vector<std::string>;

/// One lane of registers and memory, and the operations so far.
class Model final : public NoAssembler {
public:
    static constexpr unsigned kVectors = 12;
    std::array<uint32_t, 32> v{};
    std::map<int32_t, uint32_t> frame;
    std::vector<uint32_t> pool;
    Lines lines;

    using NoAssembler::move;
    [[nodiscard]] const HostTraits& traits() const override {
        static const HostTraits level{16,   kVectors, 4,     1,     {7, 6, 5, 4}, true, true,
                                      true, false,    false, false, false,        true};
        return level;
    }

    void op(Binary op, Vec d, Vec a, Operand b) override {
        note(name(op), d, text(a), text(b));
        v[d.id] = result(op, v[a.id], value(b));
    }
    void op(Unary op, Vec d, Operand a) override {
        const bool to_float = op == Unary::S32ToF32;
        note(to_float ? "S32ToF32" : "F32ToS32", d, text(a));
        v[d.id] = to_float ? as_bits(static_cast<float>(static_cast<int32_t>(value(a))))
                           : static_cast<uint32_t>(std::lrint(as_float(value(a))));
    }
    void op(ImmOp op, Vec d, Vec a, unsigned imm) override {
        const uint32_t bits = v[a.id];
        switch (op) {
        case ImmOp::Shl32: v[d.id] = bits << imm; break;
        case ImmOp::Shr32: v[d.id] = bits >> imm; break;
        case ImmOp::Sar32:
            v[d.id] = static_cast<uint32_t>(static_cast<int32_t>(bits) >> imm);
            break;
        default: refuse();
        }
        constexpr std::array names = {"Shl32", "Shr32", "Sar32"};
        const auto first = static_cast<unsigned>(ImmOp::Shl32);
        note(names.at(static_cast<unsigned>(op) - first), d, text(a), std::to_string(imm));
    }
    void fma(Vec d, Vec a, Operand b, Operand s, bool negate_product, bool) override {
        note(negate_product ? "fnma" : "fma", d, text(a), text(b), text(s));
        const float product = as_float(v[a.id]);
        v[d.id] = as_bits(
            std::fma(negate_product ? -product : product, as_float(value(b)), as_float(value(s))));
    }
    void round_f32(Vec d, Operand a, Rounding) override {
        note("floor", d, text(a));
        v[d.id] = as_bits(std::floor(as_float(value(a))));
    }
    void move(Vec d, Operand a) override {
        note("move", d, text(a));
        v[d.id] = value(a);
    }
    void zero(Vec d) override {
        note("zero", d);
        v[d.id] = 0;
    }
    void ones(Vec d) override {
        note("ones", d);
        v[d.id] = 0xFFFFFFFF;
    }
    void compare(FloatCond, Mask d, Vec a, Operand b) override {
        lines.push_back("compare k" + std::to_string(d.id) + " " + text(a) + " " + text(b));
    }
    void compare(IntCond, Element element, bool is_signed, Mask d, Vec a, Operand b) override {
        lines.push_back(std::string(is_signed ? "compare s" : "compare u") +
                        std::to_string(8 << static_cast<unsigned>(element)) + " k" +
                        std::to_string(d.id) + " " + text(a) + " " + text(b));
    }
    void mask_or(Mask d, Mask a, Mask b) override {
        lines.push_back("or k" + std::to_string(d.id) + " k" + std::to_string(a.id) + " k" +
                        std::to_string(b.id));
    }
    void select(Element, Vec d, Mask m, Operand t, Vec f) override {
        note("select", d, "k" + std::to_string(m.id), text(t), text(f));
    }
    void clear_lanes(Vec d, Mask m, Vec a) override {
        note("unless", d, "k" + std::to_string(m.id), text(a));
    }
    void keep_lanes(Vec d, Mask m, Operand t) override {
        note("keep", d, "k" + std::to_string(m.id), text(t));
    }
    void mask_value(Element, Vec d, Mask m, uint32_t) override {
        note("where", d, "k" + std::to_string(m.id));
    }
    Address pool_word(uint32_t value) override {
        const auto at = std::find(pool.begin(), pool.end(), value) - pool.begin();
        if (static_cast<size_t>(at) == pool.size())
            pool.push_back(value);
        return {Gp::Pool, static_cast<int32_t>(at)};
    }

private:
    template <typename... Operands>
    void note(const std::string& operation, Vec d, const Operands&... operands) {
        lines.push_back(operation + " " + text(d));
        ((lines.back() += " " + operands), ...);
    }
    [[nodiscard]] uint32_t value(Operand o) const {
        if (o.is_reg())
            return v[o.reg.id];
        const auto at = o.address.offset;
        return o.address.base == Gp::Pool ? pool.at(static_cast<size_t>(at)) : frame.at(at);
    }
    /// v1, [frame offset] or #pool word.
    [[nodiscard]] std::string text(Operand o) const {
        if (o.is_reg())
            return "v" + std::to_string(o.reg.id);
        if (o.address.base != Gp::Pool)
            return "[" + std::to_string(o.address.offset) + "]";
        char word[16];
        std::snprintf(word, sizeof word, "#%X", value(o));
        return word;
    }
    static uint32_t result(Binary op, uint32_t a, uint32_t b) {
        const float x = as_float(a);
        const float y = as_float(b);
        switch (op) {
        case Binary::AddF32: return as_bits(x + y);
        case Binary::SubF32: return as_bits(x - y);
        case Binary::MulF32: return as_bits(x * y);
        case Binary::MinF32: return as_bits(minimum(x, y));
        case Binary::AddI32: return a + b;
        case Binary::SubI32: return a - b;
        case Binary::MulI32: return a * b;
        case Binary::And: return a & b;
        case Binary::Or: return a | b;
        case Binary::Xor: return a ^ b;
        case Binary::AndNot: return ~a & b;
        default: return 0;
        }
    }
};

/// A context whose registers are all free, and the model below it.
struct Bench {
    valhall::Program program;
    KernelKey key;
    GuestProgram guest;
    KernelPlan plan;
    Model model;
    EmitContext c;

    Bench()
        : program(empty_program())
        , guest(*read_program(program, key))
        , plan(KernelSource{guest, key})
        , c(model, plan, nullptr) {
        c.regs.begin_entry();
    }
    static valhall::Program empty_program() {
        valhall::Program p;
        p.info.stage = exec::Stage::Compute;
        p.words = words_of("NOP.end");
        return p;
    }
    void set(Vec r, float number) { model.v[r.id] = as_bits(number); }
    [[nodiscard]] float number(Vec r) const { return as_float(model.v[r.id]); }
    /// The lines since the last call.
    Lines lines() { return std::exchange(model.lines, {}); }
    /// The number of the register that would be leased next.
    unsigned next_lease() { return Vec(c.scratch()).id; }
};

}  // namespace

TEST_CASE("A declaration leases a register, an assignment takes the one there is") {
    Bench b;
    F32 u(b.c);
    b.set(u, 2.75F);
    const F32 first = floor(u);
    const F32 weight = u - first;
    CHECK(b.lines() == Lines{"floor v1 v0", "SubF32 v2 v0 v1"});
    CHECK(b.number(weight) == 0.75F);
    u = weight + first;
    u += 1.0F;
    CHECK(b.lines() == Lines{"AddF32 v0 v2 v1", "AddF32 v0 v0 #3F800000"});
    CHECK(b.number(u) == 3.75F);
    CHECK(b.next_lease() == 3);
}

TEST_CASE("Types choose the operations") {
    Bench b;
    S32 s(b.c);
    U32 n(b.c);
    U16 h(b.c);
    F32 x(b.c);
    s = s >> 8;
    n = n >> 8;
    n = n >> s;
    s = min(s, 7);
    n = min(n, 7);
    h = min(h, 7);
    h = multiply_high(add_saturated(h, 128), 257);
    x = to_f32(s);
    s = to_s32(x * 2.0F);
    n = ~n & s;
    CHECK(b.lines() == Lines{"Sar32 v0 v0 8", "Shr32 v1 v1 8", "ShrAnyV32 v1 v1 v0",
                             "MinS32 v0 v0 #7", "MinU32 v1 v1 #7", "MinU16 v2 v2 #70007",
                             "AddSatU16 v2 v2 #800080", "MulHighU16 v2 v2 #1010101",
                             "S32ToF32 v3 v0", "MulF32 v0 v3 #40000000", "F32ToS32 v0 v0",
                             "AndNot v1 v1 v0"});
}

TEST_CASE("Operands without a type take that of the other side; bits can be read as another type") {
    Bench b;
    b.model.frame[64] = as_bits(3.0F);
    const Operand memory = Operand::memory({Gp::Frame, 64});
    const Temp plain = b.c.scratch();
    b.set(plain, 6.0F);
    F32 x(b.c, f32(memory));
    x = x * plain;
    CHECK(b.number(x) == 18.0F);
    x = memory - x;
    CHECK(b.number(x) == -15.0F);
    const F32 magnitude = abs(x);
    const U32 exponent = u32(x) >> 23;
    const F32 fraction = f32((u32(x) & 0x7FFFFFU) | 0x3F800000U) - 1.0F;
    CHECK(b.number(magnitude) == 15.0F);
    CHECK(b.model.v[Vec(exponent).id] == (as_bits(-15.0F) >> 23));
    CHECK(b.number(fraction) == 0.875F);
    CHECK(b.lines() == Lines{"move v1 [64]", "MulF32 v1 v1 v0", "move v2 [64]", "SubF32 v1 v2 v1",
                             "And v2 v1 #7FFFFFFF", "Shr32 v3 v1 23", "And v4 v1 #7FFFFF",
                             "Or v4 v4 #3F800000", "SubF32 v4 v4 #3F800000"});
}

TEST_CASE("Numbers are moved where a register must hold them") {
    Bench b;
    F32 x(b.c, 2.0F);
    x = 1.0F - x;  // reads the destination: leases
    CHECK(b.number(x) == -1.0F);
    const F32 y = 1.0F - x;
    CHECK(b.number(y) == 2.0F);
    S32 n(b.c, 0);
    n = -1;
    CHECK(b.lines() == Lines{"move v0 #40000000", "move v1 #3F800000", "SubF32 v0 v1 v0",
                             "move v1 #3F800000", "SubF32 v1 v1 v0", "zero v2", "ones v2"});
    CHECK(b.next_lease() == 3);
}

TEST_CASE("A chain of operations on the left leases nothing") {
    Bench b;
    F32 a(b.c, 5.0F);
    F32 d(b.c, 7.0F);
    b.lines();
    d = (a * 2.0F + a - 1.0F) * a;
    CHECK(b.number(d) == 70.0F);
    CHECK(b.lines() == Lines{"MulF32 v1 v0 #40000000", "AddF32 v1 v1 v0", "SubF32 v1 v1 #3F800000",
                             "MulF32 v1 v1 v0"});
    a = floor(a * 0.5F) - 1.0F;
    CHECK(b.number(a) == 1.0F);
    CHECK(b.lines() == Lines{"MulF32 v0 v0 #3F000000", "floor v0 v0", "SubF32 v0 v0 #3F800000"});
}

TEST_CASE(
    "An operation on the right is emitted into the destination if the left side is a register") {
    Bench b;
    const F32 a(b.c, 5.0F);
    F32 d(b.c, 7.0F);
    b.lines();
    d = a - d * 2.0F;
    CHECK(b.number(d) == -9.0F);
    CHECK(b.lines() == Lines{"MulF32 v1 v1 #40000000", "SubF32 v1 v0 v1"});
    d += a * a;  // the left side is the destination: leases
    CHECK(b.number(d) == 16.0F);
    CHECK(b.lines() == Lines{"MulF32 v2 v0 v0", "AddF32 v1 v1 v2"});
    CHECK(b.next_lease() == 2);
}

TEST_CASE("Two operations lease a register for the right one, at every level of nesting") {
    Bench b;
    const F32 a(b.c, 2.0F);
    const F32 e(b.c, 3.0F);
    F32 d(b.c, 5.0F);
    b.lines();
    d = (a * a + e * e) - (a + e) * (a - e);
    CHECK(b.number(d) == 18.0F);
    CHECK(b.lines() == Lines{"MulF32 v2 v0 v0", "MulF32 v3 v1 v1", "AddF32 v2 v2 v3",
                             "AddF32 v3 v0 v1", "SubF32 v4 v0 v1", "MulF32 v3 v3 v4",
                             "SubF32 v2 v2 v3"});
    CHECK(b.next_lease() == 3);
}

TEST_CASE("A destination that the right side reads keeps its value until then") {
    Bench b;
    const F32 a(b.c, 2.0F);
    F32 d(b.c, 5.0F);
    b.lines();
    d = (a + 1.0F) * d;
    CHECK(b.number(d) == 15.0F);
    CHECK(b.lines() == Lines{"AddF32 v2 v0 #3F800000", "MulF32 v1 v2 v1"});
    d = (a + 1.0F) - (d - a);
    CHECK(b.number(d) == -10.0F);
    CHECK(b.lines() == Lines{"AddF32 v2 v0 #3F800000", "SubF32 v3 v1 v0", "SubF32 v1 v2 v3"});
    CHECK(b.next_lease() == 2);
}

TEST_CASE("fma() rounds once; its first or last operand may be an operation") {
    Bench b;
    const F32 a(b.c, 2.0F);
    F32 d(b.c, 5.0F);
    b.lines();
    d = fma(a, a, d);
    CHECK(b.number(d) == 9.0F);
    d = fma(-d, a, a);
    CHECK(b.number(d) == -16.0F);
    CHECK(b.lines() == Lines{"fma v1 v0 v0 v1", "fnma v1 v1 v0 v0"});
    d = fma(a + 1.0F, a, d);  // the sum reads the destination: leases
    CHECK(b.number(d) == -10.0F);
    d = fma(a, a, d * 0.5F);
    CHECK(b.number(d) == -1.0F);
    CHECK(b.lines() == Lines{"AddF32 v2 v0 #3F800000", "fma v1 v2 v0 v1", "MulF32 v1 v1 #3F000000",
                             "fma v1 v0 v0 v1"});
    const float third = 1.0F / 3;
    const F32 x(b.c, third);
    d = x * x - third * third;
    CHECK(b.number(d) == 0);  // two roundings
}

TEST_CASE("Comparisons become masks, and masks choose lanes") {
    Bench b;
    F32 x(b.c);
    const S32 n(b.c);
    const U32 m(b.c);
    LaneMask lanes = is_nan(x);
    const LaneMask others = n >= 4;
    lanes = m < u32(n);
    lanes |= others;
    x = select(lanes, 1.0F, x);
    x = f32(where(lanes, 0x80000000));
    x = unless(others, x);
    CHECK(b.lines() == Lines{"compare k1 v0 v0", "compare s32 k2 v1 #4", "compare u32 k1 v2 v1",
                             "or k1 k1 k2", "select v0 k1 #3F800000 v0", "where v0 k1",
                             "unless v0 k2 v0"});
}

TEST_CASE("Variables hand over, borrow and end their leases") {
    Bench b;
    F32 a(b.c);
    F32 moved = std::move(a);
    a.reset();  // owns nothing
    CHECK(b.next_lease() == 1);
    {
        const F32 borrowed(b.c, moved);
        CHECK(Vec(borrowed) == Vec(moved));
    }
    CHECK(b.next_lease() == 1);
    Temp plain = std::move(moved);
    CHECK(b.next_lease() == 1);
    const S32 taken(b.c, std::move(plain));
    CHECK(Vec(taken).id == 0);
    F32 next(b.c);
    next.reset();
    CHECK(b.next_lease() == 1);
    static_assert(!std::is_copy_constructible_v<F32>);
    static_assert(!std::is_assignable_v<F32&, const F32&>);
    static_assert(!std::is_assignable_v<F32&, Temp>);
}
