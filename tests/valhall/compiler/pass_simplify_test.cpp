// Pass simplify test: checks passes that remove dead code, constants and equal values.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/pass_case.hpp"

#include <vector>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// The first words of the stores of a function.
std::vector<uint32_t> stored_words(const Function& f) {
    std::vector<uint32_t> words;
    for (const Inst& inst : f.insts)
        if (inst.op == Op::STORE_I32)
            words.push_back(f.staging(inst)[0].value);
    return words;
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

TEST_CASE("fold_constants computes whatever the interpreter computes") {
    Case c;
    c.store(c.b.unary(Op::POPCOUNT_I32, literal(0xF0F00001)));
    c.store(c.b.fmax(neg(literal(0x40000000)), literal(0xC0400000)));  // max(-2, -3)
    c.finish();
    fold_constants(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::POPCOUNT_I32) == 0);
    CHECK(count(c.function, Op::FMAX_F32) == 0);
    CHECK(stored_words(c.function) == std::vector<uint32_t>{9, 0xC0000000});
}

TEST_CASE("fold_constants computes both words of a product") {
    Case c;
    const auto word = [](Operand x) { return select(x, static_cast<uint8_t>(Swizzles64Bit::w0)); };
    const uint32_t low =
        c.b.emit_message(Spec(Op::IMULD_U64), {word(literal(0x80000003)), word(literal(0x10))},
                         {.def_count = 2})
            .def;
    c.store(value_operand(low));
    c.store(value_operand(low + 1));
    c.finish();
    fold_constants(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::IMULD_U64) == 0);
    CHECK(stored_words(c.function) == std::vector<uint32_t>{0x30, 8});
}

TEST_CASE("fold_constants drops limits that a mask or shift keeps already") {
    const auto selects = [](uint32_t mask, uint32_t limit, bool minimum) {
        Case c;
        const Operand x = c.b.bit_and(c.x, literal(mask));
        c.store(c.b.csel_u32(Condition::lt, x, literal(limit), x,
                             minimum ? literal(limit) : literal(0)));
        c.finish();
        fold_constants(c.function);
        remove_dead(c.function);
        return count(c.function, Op::CSEL_U32);
    };
    CHECK(selects(15, 16, false) == 0);
    CHECK(selects(16, 16, false) == 1);
    CHECK(selects(16, 16, true) == 0);
    CHECK(selects(17, 16, true) == 1);
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
