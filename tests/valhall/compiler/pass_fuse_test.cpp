// Pass fuse test: checks passes that fuse modifiers and comparisons into other instructions.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/pass_case.hpp"

using namespace valkyr;
using namespace valkyr::test;

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

TEST_CASE("fuse_modifiers reads the larger of x and -x as an absolute value") {
    Case c;
    const Operand larger = c.b.fmax(c.x, neg(c.x));
    const Operand smaller = c.b.fmin(neg(c.y), c.y);
    c.store(c.b.fma(larger, smaller, c.z));
    c.store(c.b.fmax(c.x, neg(c.y)));
    c.finish();
    fuse_modifiers(c.function);
    remove_dead(c.function);
    CHECK(count(c.function, Op::FMIN_F32) == 0);
    CHECK(count(c.function, Op::FMAX_F32) == 1);
    const Inst& fma = only(c.function, Op::FMA_F32);
    CHECK(fma.src[0] == abs(c.x));
    CHECK(fma.src[1] == neg(abs(c.y)));
}

TEST_CASE("fuse_modifiers takes squares of what has a sign without it") {
    Case c;
    const Operand size = c.b.fmax(c.x, neg(c.x));
    c.store(c.b.fma(size, size, neg(c.z)));
    c.finish();
    fuse_modifiers(c.function);
    const Inst& fma = only(c.function, Op::FMA_F32);
    CHECK(fma.src[0] == c.x);
    CHECK(fma.src[1] == c.x);
    CHECK(fma.src[2] == neg(c.z));
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
