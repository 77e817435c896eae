// Rejections test: checks each kind of condition, and that no rejection of the XML is idle.
// SPDX-License-Identifier: MIT
#include "valhall/isa/decode.hpp"
#include "valhall/isa/executable.hpp"
#include "valhall/text/assemble.hpp"

#include <bit>
#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;

namespace {

std::string reason_of(const std::string& line) {
    const auto instr = parse_instr(line);
    REQUIRE_MESSAGE(instr.has_value(), line);
    return std::string(reject_reason(*instr));
}

/// The values, as a set, that may stand where the condition looks.
unsigned legal_values(const OpInfo& info, const TestInfo& test) {
    if (test.subject == TestSubject::Selector)
        return info.sources[test.index].selector_values;
    for (const ModInfo& mod : info.mods)
        if (test.subject == TestSubject::Modifier && mod.mod == static_cast<Mod>(test.index))
            return mod.valid_values;
    return test.subject == TestSubject::Immediate ? 0xFFFF : 0;
}

/// Sets a legal value for which the condition holds.
void satisfy(Instr& instr, const TestInfo& test) {
    const unsigned wanted = test.inside ? test.values : ~unsigned{test.values};
    const unsigned legal = legal_values(op_info(instr.op), test) & wanted;
    REQUIRE(legal != 0);
    const auto value = static_cast<uint8_t>(std::countr_zero(legal));
    switch (test.subject) {
    case TestSubject::Modifier: instr.mods[test.index] = value; break;
    case TestSubject::Selector: instr.src[test.index].selector = value; break;
    case TestSubject::Immediate: instr.imm[test.index] = value; break;
    }
}

}  // namespace

TEST_CASE("an instruction without a meaning is rejected whatever its operands are") {
    CHECK(reason_of("FATAN_ASSIST.f32 r0, r2, r4") == "the instruction has no known meaning");
    Instr unknown;
    unknown.op = static_cast<Op>(kOpCount);
    CHECK(reject_reason(unknown) == "the instruction has no known meaning");
}

TEST_CASE("a modifier that is, or is not, one of some values") {
    CHECK(reason_of("IADD.u64.saturate r0, r2, r4") == "64-bit results cannot saturate");
    CHECK(reason_of("IADD.u64 r0, r2, r4").empty());
    CHECK(reason_of("IADD.u32.saturate r0, r2, r4").empty());
    CHECK(reason_of("CSEL.s32.total r0, r1, r2, r3, r4") ==
          "gtlt and total are conditions for floats only");
    CHECK(reason_of("CSEL.s32.lt r0, r1, r2, r3, r4").empty());
    CHECK(reason_of("FEXP.f32.clamp_m1_1 r0, r1, r2") == "FEXP cannot clamp");
    CHECK(reason_of("FEXP.f32 r0, r1, r2").empty());
}

TEST_CASE("two modifiers together") {
    const std::string reason = "sqrt and log exclude each other";
    CHECK(reason_of("FREXPM.f32.sqrt.log r0, r1") == reason);
    CHECK(reason_of("FREXPM.f32.sqrt r0, r1").empty());
    CHECK(reason_of("FREXPM.f32.log r0, r1").empty());
    CHECK(reason_of("ICMP.u32.lt.u1 r0, r1, r2, 0x0") ==
          "the result type u1 needs ICMP.u32 with seq");
    CHECK(reason_of("ICMP.u32.lt.u1.seq r0, r1, r2, 0x0").empty());
}

TEST_CASE("a selector of a source, and an immediate") {
    CHECK(reason_of("BRANCHZ.reconverge r0.lowbits, offset:0") ==
          "the combine mode lowbits has no known meaning");
    CHECK(reason_of("BRANCHZ.reconverge r0.h0, offset:0").empty());
    Instr special = make_instr(Op::LD_VAR_SPECIAL);
    for (const int64_t index : {0, 2, 3}) {
        special.imm[0] = index;
        CHECK(reject_reason(special).empty());
    }
    for (const int64_t index : {-1, 1, 4, 15, 16}) {
        special.imm[0] = index;
        CHECK(reject_reason(special) == "there is no special varying of this index");
    }
}

TEST_CASE("the first rejection of several gives the reason") {
    CHECK(reason_of("ICMP.v4u8.total.u1.seq r0, r1, r2, 0x0") ==
          "gtlt and total are conditions for floats only");
    CHECK(reason_of("ICMP.v4u8.lt.u1.seq r0, r1, r2, 0x0") == "seq exists for 32-bit lanes only");
}

TEST_CASE("every rejection applies to some legal values") {
    for (const OpInfo& info : all_ops())
        for (const RejectionInfo& rejection : info.rejections) {
            INFO(std::string(info.name));
            Instr instr = make_instr(info.op);
            for (const TestInfo& test : rejection.tests)
                satisfy(instr, test);
            CHECK(!reject_reason(instr).empty());
        }
}
