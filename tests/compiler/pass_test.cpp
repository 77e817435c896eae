// Each pass by itself: IR before, IR after, and what must stay as it is.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/builder.hpp"
#include "valhall/compiler/ir_print.hpp"
#include "valhall/compiler/ir_verify.hpp"
#include "valhall/compiler/passes.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::ir;

namespace {

constexpr uint32_t kOne = 0x3F800000;

/// A function of one block that stores `results`; `build` makes them from three inputs.
struct Case {
    Function function;
    Builder b{function};
    Operand x, y, z;

    Case() {
        function.info.stage = exec::Stage::Vertex;
        b.start_block({}, kNone);
        x = b.preload(59);
        y = b.preload(60);
        z = b.preload(61);
    }

    void store(Operand value) {
        const Operand address = b.pair(x, y);
        b.emit_message(Spec(Op::STORE_I32), {address}, {.staging = {&value, 1}});
    }
    void finish() {
        b.end_program();
        REQUIRE(verify(function) == "");
    }
    [[nodiscard]] std::string text() const { return print(function); }
};

/// How many instructions of this kind there are.
unsigned count(const Function& f, Op op) {
    unsigned n = 0;
    for (const Inst& inst : f.insts)
        n += inst.op == op ? 1 : 0;
    return n;
}

const Inst& only(const Function& f, Op op) {
    REQUIRE(count(f, op) == 1);
    for (const Inst& inst : f.insts)
        if (inst.op == op)
            return inst;
    return f.insts[0];
}

Operand neg(Operand x) {
    x.flags ^= kNeg;
    return x;
}
Operand abs(Operand x) {
    x.flags = static_cast<uint8_t>(x.flags | kAbs);
    return x;
}

}  // namespace

TEST_CASE("remove_dead drops what nobody reads, through chains, and keeps stores") {
    Case c;
    const Operand unused = c.b.fadd(c.x, c.y);
    c.b.fmul(unused, unused);
    c.store(c.b.fmax(c.x, c.z));
    c.finish();
    remove_dead(c.function);
    CHECK(count(c.function, Op::FADD_F32) == 0);
    CHECK(count(c.function, Op::FMA_F32) == 0);
    CHECK(count(c.function, Op::FMAX_F32) == 1);
    CHECK(count(c.function, Op::STORE_I32) == 1);
    CHECK(verify(c.function) == "");
}

TEST_CASE("fuse_modifiers reads through negations and absolute values") {
    Case c;
    const Operand inner = c.b.fadd(abs(c.y), literal(0x80000000));
    const Operand outer = c.b.fadd(neg(inner), literal(0x80000000));
    c.store(c.b.fma(outer, neg(outer), c.z));
    c.finish();
    fuse_modifiers(c.function);
    const Inst& fma = only(c.function, Op::FMA_F32);
    CHECK(fma.src[0] == neg(abs(c.y)));
    CHECK(fma.src[1] == abs(c.y));
}

TEST_CASE("fuse_modifiers leaves sources alone that take no modifiers, and sums with +0") {
    Case c;
    const Operand negated = c.b.fadd(neg(c.y), literal(0x80000000));
    const Operand not_identity = c.b.fadd(neg(c.z), literal(0));
    const Operand selected = c.b.csel_f32(Condition::lt, c.x, literal(0), negated, c.y);
    c.store(c.b.fmul(selected, not_identity));
    c.finish();
    fuse_modifiers(c.function);
    CHECK(only(c.function, Op::CSEL_F32).src[2] == negated);
    CHECK(only(c.function, Op::FMA_F32).src[1] == not_identity);
}

TEST_CASE("fuse_modifiers clamps where the value is made, if nobody else reads it") {
    Case once;
    once.store(once.b.fclamp(once.b.fmul(once.x, once.y), Clamp::clamp_0_1));
    once.finish();
    fuse_modifiers(once.function);
    remove_dead(once.function);
    CHECK(count(once.function, Op::FADD_F32) == 0);
    CHECK(get_mod_as<Clamp>(only(once.function, Op::FMA_F32), Mod::clamp) == Clamp::clamp_0_1);

    Case twice;
    const Operand product = twice.b.fmul(twice.x, twice.y);
    twice.store(twice.b.fclamp(product, Clamp::clamp_0_1));
    twice.store(product);
    twice.finish();
    const std::string before = twice.text();
    fuse_modifiers(twice.function);
    CHECK(twice.text() == before);
}

TEST_CASE("fuse_compares selects by the comparison itself") {
    Case c;
    const Operand less = c.b.fcmp(Condition::lt, ResultType::m1, c.x, c.y);
    c.store(c.b.mux(Mux::int_zero, c.y, c.z, less));
    c.finish();
    fuse_compares(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::FCMP_F32) == 0);
    const Inst& select = only(c.function, Op::CSEL_F32);
    CHECK(get_mod_as<Condition>(select, Mod::cmp) == Condition::lt);
    CHECK(select.src == std::array<Operand, 4>{c.x, c.y, c.z, c.y});
}

TEST_CASE("fuse_compares does not take modified operands into selects") {
    Case c;
    const Operand less = c.b.fcmp(Condition::lt, ResultType::m1, neg(c.x), c.y);
    c.store(c.b.mux(Mux::int_zero, c.y, c.z, less));
    c.finish();
    const std::string before = c.text();
    fuse_compares(c.function);
    CHECK(c.text() == before);
}

TEST_CASE("fuse_compares lets a comparison make 1.0 instead of masking ~0") {
    Case c;
    const Operand less = c.b.fcmp(Condition::lt, ResultType::m1, c.x, c.y);
    c.store(c.b.bit_and(less, literal(kOne)));
    c.finish();
    fuse_compares(c.function);
    remove_dead(c.function);
    CHECK(get_mod_as<ResultType>(only(c.function, Op::FCMP_F32), Mod::result_type) ==
          ResultType::f1);
}

TEST_CASE("value_numbering shares equal instructions, not those of other modifiers") {
    Case c;
    c.store(c.b.fadd(c.x, c.y));
    c.store(c.b.fadd(c.x, c.y));
    c.store(c.b.fadd(c.x, neg(c.y)));
    c.store(c.b.fclamp(c.x, Clamp::clamp_0_1));
    c.store(c.b.fclamp(c.x, Clamp::clamp_0_inf));
    c.finish();
    number_values(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::FADD_F32) == 4);
    CHECK(count(c.function, Op::STORE_I32) == 5);
}

TEST_CASE("value_numbering does not look from one branch into the other") {
    Case c;
    const Operand condition = c.b.icmp_u32(Condition::eq, ResultType::m1, c.x, c.y);
    const BlockId head = c.b.end_with_branch(condition);
    const BlockId yes = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 0, yes);
    c.store(c.b.fadd(c.x, c.z));
    c.b.end_with_jump();
    const BlockId no = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 1, no);
    c.store(c.b.fadd(c.x, c.z));
    c.b.end_with_jump();
    const std::array<BlockId, 2> preds{yes, no};
    const BlockId join = c.b.start_block(preds, kNone);
    c.b.set_successor(yes, 0, join);
    c.b.set_successor(no, 0, join);
    c.finish();
    number_values(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::FADD_F32) == 2);
}

TEST_CASE("fold_constants: products with one vanish, sums with +0 stay, products with 8 shift") {
    Case c;
    c.store(c.b.fmul(c.x, literal(kOne)));
    c.store(c.b.fadd(c.y, literal(0)));
    c.store(c.b.imul(c.x, literal(8)));
    c.store(c.b.iadd(literal(40), literal(2)));
    c.finish();
    fold_constants(c.function);
    CHECK(count(c.function, Op::FMA_F32) == 0);
    CHECK(count(c.function, Op::FADD_F32) == 2);
    CHECK(count(c.function, Op::IMUL_I32) == 0);
    CHECK(only(c.function, Op::LSHIFT_OR_I32).src[1] == shift_count(3));
    CHECK(c.text().find("@#0x2A") != std::string::npos);
}

TEST_CASE("convert_ifs turns a short branch into a select") {
    Case c;
    const Operand condition = c.b.icmp_u32(Condition::eq, ResultType::m1, c.x, c.y);
    const BlockId head = c.b.end_with_branch(condition);
    const BlockId yes = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 0, yes);
    const Operand sum = c.b.fadd(c.x, c.z);
    c.b.end_with_jump();
    const BlockId no = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 1, no);
    c.b.end_with_jump();
    const std::array<BlockId, 2> preds{yes, no};
    const BlockId join = c.b.start_block(preds, kNone);
    c.b.set_successor(yes, 0, join);
    c.b.set_successor(no, 0, join);
    const std::array<Operand, 2> inputs{sum, c.z};
    c.store(c.b.phi(inputs));
    c.finish();
    convert_ifs(c.function);
    REQUIRE(verify(c.function) == "");
    CHECK(c.function.blocks.size() == 1);
    const Inst& select = only(c.function, Op::MUX_I32);
    CHECK(select.src == std::array<Operand, 4>{c.z, sum, condition, Operand{}});
}

TEST_CASE("convert_ifs leaves branches with stores alone") {
    Case c;
    const Operand condition = c.b.icmp_u32(Condition::eq, ResultType::m1, c.x, c.y);
    const BlockId head = c.b.end_with_branch(condition);
    const BlockId yes = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 0, yes);
    c.store(c.z);
    c.b.end_with_jump();
    const BlockId no = c.b.start_block({&head, 1}, kNone);
    c.b.set_successor(head, 1, no);
    c.b.end_with_jump();
    const std::array<BlockId, 2> preds{yes, no};
    const BlockId join = c.b.start_block(preds, kNone);
    c.b.set_successor(yes, 0, join);
    c.b.set_successor(no, 0, join);
    c.finish();
    const std::string before = c.text();
    convert_ifs(c.function);
    CHECK(c.text() == before);
}

TEST_CASE("hoist_uniforms moves work on uniforms into a prologue, and leaves little work alone") {
    Case c;
    c.function.uniforms.assign(4, {FauKind::Constant, 0, 0});
    const auto u = [](uint32_t i) {
        return Operand{i, OperandKind::Uniform, 0, kDefaultSelector, 0};
    };
    const Operand length = c.b.unary(Op::FRSQ_F32, c.b.fmul(u(0), u(1)));
    c.store(c.b.fmul(c.x, length));
    c.finish();
    Function prologue;
    REQUIRE(hoist_uniforms(c.function, prologue));
    CHECK(count(c.function, Op::FRSQ_F32) == 0);
    CHECK(count(prologue, Op::FRSQ_F32) == 1);
    CHECK(verify(prologue) == "");
    CHECK(only(c.function, Op::FMA_F32).src[1] == u(4));
    CHECK(c.function.uniforms[4] == FauWord{FauKind::Prologue, 0, 0});

    Case small;
    small.function.uniforms.assign(2, {FauKind::Constant, 0, 0});
    small.store(small.b.fmul(small.x, small.b.fadd(u(0), u(1))));
    small.finish();
    Function none;
    CHECK_FALSE(hoist_uniforms(small.function, none));
}

TEST_CASE(
    "lower_constants: table, halves of the table, signs, FAU words, one slot an instruction") {
    Case c;
    c.store(c.b.fmul(c.x, literal(kOne)));
    c.store(c.b.fmul(c.x, literal(0xBF000000)));  // -0.5: half 1 of 0x38000000, negated
    c.store(c.b.fmul(c.x, literal(0x12345678)));
    c.store(c.b.iadd(c.x, literal(13)));  // byte 1 of 0x0F0E0D0C
    c.finish();
    REQUIRE(lower_constants(c.function).has_value());
    const std::string text = c.text();
    CHECK(text.find("0x3F800000, 0x0.neg") != std::string::npos);
    CHECK(text.find("0x38000000.neg.h1, 0x0.neg") != std::string::npos);
    CHECK(text.find("u0=0x12345678, 0x0.neg") != std::string::npos);
    CHECK(text.find("0xF0E0D0C.b1") != std::string::npos);
}

TEST_CASE(
    "lower_constants puts two words of one instruction into one slot, a third in a register") {
    Case c;
    c.function.uniforms = {{FauKind::Constant, 0, 0},
                           {FauKind::Constant, 0, 7},
                           {FauKind::Constant, 0, 9},
                           {FauKind::Constant, 0, 11}};
    const auto u = [](uint32_t i) {
        return Operand{i, OperandKind::Uniform, 0, kDefaultSelector, 0};
    };
    c.store(c.b.fadd(u(0), u(3)));
    c.store(c.b.fma(u(1), c.x, u(2)));
    c.store(c.b.fadd(u(1), u(3)));
    c.finish();
    REQUIRE(lower_constants(c.function).has_value());
    // Words 0 and 3 share a slot, so do 1 and 2; the last sum needs a move.
    CHECK(count(c.function, Op::MOV_I32) == 1);
    CHECK(c.function.uniforms[0].value == 0);
    CHECK(c.function.uniforms[1].value == 11);
    CHECK(c.function.uniforms[2].value == 7);
    CHECK(c.function.uniforms[3].value == 9);
}
