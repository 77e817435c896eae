// Pass place test: checks passes that place uniforms, constants and messages.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/pass_case.hpp"

#include <algorithm>

using namespace valkyr;
using namespace valkyr::test;

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
    // Words 0 and 3 share a slot, and words 1 and 2 do; the last sum needs a move.
    CHECK(count(c.function, Op::MOV_I32) == 1);
    CHECK(c.function.uniforms[0].value == 0);
    CHECK(c.function.uniforms[1].value == 11);
    CHECK(c.function.uniforms[2].value == 7);
    CHECK(c.function.uniforms[3].value == 9);
}

TEST_CASE("schedule sends messages together, with what they need, before what waits for them") {
    Case c;
    const auto load = [&](Operand offset) {
        return value_operand(c.b.emit_message(Spec(Op::LD_BUFFER_I32).with(Mod::unsigned_, 1),
                                              {offset, literal(0)}, {.def_count = 1})
                                 .def);
    };
    const Operand first = load(c.x);
    const Operand sum = c.b.fadd(first, c.y);
    const Operand address = c.b.iadd(c.x, c.y);
    const Operand second = load(address);
    c.store(c.b.fadd(sum, second));
    c.finish();
    schedule(c.function);
    REQUIRE(verify(c.function) == "");
    std::vector<Op> order;
    for (const Inst& inst : c.function.insts)
        order.push_back(inst.op);
    CHECK(order == std::vector<Op>{kPreload, kPreload, kPreload, Op::LD_BUFFER_I32, Op::IADD_U32,
                                   Op::LD_BUFFER_I32, Op::FADD_F32, Op::FADD_F32, Op::STORE_I32,
                                   kEnd});
}

TEST_CASE("schedule sends messages together up to 40 values alive, and not beyond") {
    // Places of the two loads, beside which `others` values stay alive.
    const auto distance = [](unsigned others) {
        Case c;
        std::vector<Operand> alive;
        for (unsigned i = 0; i < others; ++i)
            alive.push_back(c.b.fadd(c.x, literal(i + 1)));
        const auto load = [&](Operand offset) {
            return value_operand(c.b.emit_message(Spec(Op::LD_BUFFER_I32).with(Mod::unsigned_, 1),
                                                  {offset, literal(0)}, {.def_count = 1})
                                     .def);
        };
        Operand sum = c.b.fadd(load(c.x), c.y);
        sum = c.b.fadd(sum, load(c.y));
        c.store(sum);
        for (const Operand& value : alive)
            c.store(value);
        c.finish();
        schedule(c.function);
        REQUIRE(verify(c.function) == "");
        const auto is_load = [](const Inst& inst) { return inst.op == Op::LD_BUFFER_I32; };
        const auto first = std::ranges::find_if(c.function.insts, is_load);
        return std::find_if(first + 1, c.function.insts.end(), is_load) - first;
    };
    CHECK(distance(4) == 1);
    CHECK(distance(30) == 1);
    CHECK(distance(60) == 2);
}

TEST_CASE("schedule leaves a message behind another's result where it is") {
    Case c;
    const auto load = [&](Operand offset) {
        return value_operand(c.b.emit_message(Spec(Op::LD_BUFFER_I32).with(Mod::unsigned_, 1),
                                              {offset, literal(0)}, {.def_count = 1})
                                 .def);
    };
    const Operand first = load(c.x);
    const Operand second = load(first);
    c.store(c.b.fadd(second, c.y));
    c.finish();
    const std::string before = c.text();
    schedule(c.function);
    CHECK(c.text() == before);
}
