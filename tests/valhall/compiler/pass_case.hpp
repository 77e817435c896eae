// Pass case: makes small functions for the tests of single passes.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/builder.hpp"
#include "valhall/compiler/ir/ir_print.hpp"
#include "valhall/compiler/ir/ir_verify.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace valkyr::test {

using namespace valhall;
using namespace valhall::ir;

inline constexpr uint32_t kOne = 0x3F800000;

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

/// The number of instructions of this opcode.
inline unsigned count(const Function& f, Op op) {
    unsigned n = 0;
    for (const Inst& inst : f.insts)
        n += inst.op == op ? 1 : 0;
    return n;
}

inline const Inst& only(const Function& f, Op op) {
    REQUIRE(count(f, op) == 1);
    for (const Inst& inst : f.insts)
        if (inst.op == op)
            return inst;
    return f.insts[0];
}

inline Operand neg(Operand x) {
    x.flags ^= kNeg;
    return x;
}
inline Operand abs(Operand x) {
    x.flags = static_cast<uint8_t>(x.flags | kAbs);
    return x;
}

}  // namespace valkyr::test
