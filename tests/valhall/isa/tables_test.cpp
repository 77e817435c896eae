// Tables test: checks look-ups in the generated tables, and that the case files are complete.
// SPDX-License-Identifier: MIT
#include "tests/valhall/isa/case_files.hpp"
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;

TEST_CASE("every instruction is found by its name and by its opcodes") {
    REQUIRE(all_ops().size() == kOpCount);
    for (unsigned i = 0; i < kOpCount; ++i) {
        const OpInfo& info = all_ops()[i];
        CHECK(static_cast<unsigned>(info.op) == i);
        CHECK(find_op(info.name) == info.op);
        CHECK(op_of_word(info.fixed_value) == info.op);
        CHECK(op_of_word(info.fixed_value | ~(info.fixed_mask | info.field_mask) |
                         info.field_mask) == info.op);
        CHECK(!info.title.empty());
        CHECK(info.description.size() > 10);
        CHECK((info.fixed_mask & info.field_mask) == 0);
        CHECK((info.fixed_value & ~info.fixed_mask) == 0);
    }
    CHECK(!find_op("FMA"));
    CHECK(!find_op(""));
    CHECK(!find_op("fma.f32"));
    CHECK(!op_of_word(uint64_t{0x1A2} << 48));
}

TEST_CASE("the row of FMA.f32 says what the machine's documents say") {
    const OpInfo& info = op_info(Op::FMA_F32);
    CHECK(info.name == "FMA.f32");
    CHECK(info.unit == Unit::Fma);
    CHECK(info.opcode == 0xB2);
    CHECK(info.type_size == 32);
    CHECK(info.has_dest);
    CHECK(!info.dest_is_pair);
    REQUIRE(info.sources.size() == 3);
    for (unsigned i = 0; i < 3; ++i) {
        CHECK(info.sources[i].byte == i);
        CHECK(info.sources[i].is_float);
        CHECK(info.sources[i].selector == SelectorKind::Swizzle32);
        CHECK(info.sources[i].selector_bits.start == 28 - 2 * i);
        CHECK(info.sources[i].neg.start == 38 - 2 * i);
        CHECK(info.sources[i].abs.start == 39 - 2 * i);
    }
    REQUIRE(info.mods.size() == 1);
    CHECK(info.mods[0].mod == Mod::clamp);
    CHECK(info.mods[0].values == EnumId::Clamp);
    CHECK(enum_tokens(EnumId::Clamp)[static_cast<size_t>(Clamp::clamp_0_1)] == "clamp_0_1");
}

TEST_CASE("cost and latency have defaults, and the largest latency is known") {
    CHECK(op_info(Op::FADD_F32).cost == 1);
    CHECK(op_info(Op::FADD_F32).latency == 4);
    CHECK(kPlainLatency == 4);
    CHECK(op_info(Op::FRCP_F32).cost == 4);
    CHECK(op_info(Op::FRCP_F32).latency == 16);
    CHECK(std::ranges::max(all_ops(), {}, &OpInfo::latency).latency == kMaxLatency);
}

TEST_CASE("64-bit results are pairs, and only they") {
    std::set<std::string> pairs;
    for (const OpInfo& info : all_ops())
        if (info.dest_is_pair)
            pairs.emplace(info.name);
    CHECK(pairs == std::set<std::string>{"IADD.u64", "IADD.s64", "ISUB.u64", "ISUB.s64",
                                         "SEG_ADD.u64", "SHADDX.u64", "SHADDX.s64", "IMULD.u64",
                                         "CLPER.u64", "CLPER.s64", "LSHIFT_AND.i64",
                                         "LSHIFT_OR.i64", "LSHIFT_XOR.i64", "RSHIFT_AND.i64",
                                         "RSHIFT_OR.i64", "RSHIFT_XOR.i64", "NOT_OLD.i64"});
}

TEST_CASE("constants and specials") {
    CHECK(immediate_table()[0] == 0);
    CHECK(immediate_table()[16] == 0x3F800000);
    CHECK(immediate_table()[21] == 0);
    CHECK(immediate_table()[31] == 0x42480000);
    CHECK(special_name(0, 8) == "blend_descriptor_0");
    CHECK(special_name(3, 15) == "program_counter");
    CHECK(special_name(0, 0).empty());
    for (unsigned k = 0; k < 16; ++k)
        CHECK(special_name(2, k).empty());
    CHECK(find_special("lane_id") == 3 * 16 + 1);
    CHECK(!find_special("lane"));
    CHECK(!find_special(""));
}

TEST_CASE("a new instruction has its defaults") {
    const Instr fma = make_instr(Op::FMA_V2F16);
    CHECK(fma.flow == Flow::none);
    CHECK(fma.dest.mask == 3);
    CHECK(fma.src[2].selector == static_cast<uint8_t>(Swizzles16Bit::h01));
    const Instr tex = make_instr(Op::TEX_SINGLE);
    CHECK(tex.get<WriteMask>(Mod::write_mask) == WriteMask::rgba);
    CHECK(tex.get<LodMode>(Mod::lod_mode) == LodMode::zero);
}

TEST_CASE("source bytes name the operands of the encoding table") {
    CHECK(source_of_byte(0x05, 0) == Source{SourceKind::Register, 5});
    CHECK(source_of_byte(0x45, 3) == Source{SourceKind::Register, 5, 0, true});
    CHECK(source_of_byte(0x8D, 1) == Source{SourceKind::Uniform, 77});
    CHECK(source_of_byte(0xD0, 2) == Source{SourceKind::Constant, 16});
    CHECK(source_of_byte(0xE3, 1) == Source{SourceKind::Special, 17, 1});
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned page = 0; page < 4; ++page)
            CHECK(source_byte(source_of_byte(static_cast<uint8_t>(byte), page)) == byte);
}

namespace {

Rule fault_of(const Instr& instr) {
    unsigned page = 0;
    return check_instr(instr, page).rule;
}

/// The rule that `MOV.i32 r0, r0` violates after a change.
template <typename F>
Rule fault_after(F change) {
    Instr mov = make_instr(Op::MOV_I32);
    REQUIRE(fault_of(mov) == Rule::None);
    change(mov);
    return fault_of(mov);
}

}  // namespace

TEST_CASE("numbers that no field can hold are refused with the rule they break") {
    CHECK(fault_after([](Instr& i) { i.op = static_cast<Op>(kOpCount); }) == Rule::UnknownOp);
    CHECK(fault_after([](Instr& i) { i.flow = static_cast<Flow>(11); }) == Rule::ReservedFlow);
    CHECK(fault_after([](Instr& i) { i.flow = static_cast<Flow>(200); }) == Rule::ReservedFlow);
    CHECK(fault_after([](Instr& i) { i.dest.reg = 64; }) == Rule::DestinationRange);
    CHECK(fault_after([](Instr& i) { i.dest.mask = 4; }) == Rule::DestinationMask);
    CHECK(fault_after([](Instr& i) { i.src[0].index = 64; }) == Rule::SourceRange);
    CHECK(fault_after([](Instr& i) {
              i.src[0] = {SourceKind::Constant, 32};
          }) == Rule::SourceRange);
    CHECK(fault_after([](Instr& i) { i.src[0] = {SourceKind::Special, 64}; }) == Rule::SourceRange);
    CHECK(fault_after([](Instr& i) {
              i.src[0] = {SourceKind::Special, 0};
          }) == Rule::ReservedSpecial);
    CHECK(fault_after([](Instr& i) { i.src[0].kind = static_cast<SourceKind>(9); }) ==
          Rule::SourceRange);
    CHECK(fault_after([](Instr& i) { i.src[0].word = 1; }) == Rule::WordSelect);
    CHECK(fault_after([](Instr& i) { i.src[0].selector = 1; }) == Rule::ReservedSelector);
    CHECK(fault_after([](Instr& i) {
              i.src[0] = {SourceKind::Uniform, 0, 0, true};
          }) == Rule::LastUse);
    Instr bad = make_instr(Op::MOV_I32);
    bad.op = static_cast<Op>(0xFFFF);
    CHECK(!encode(bad).has_value());
}

TEST_CASE("modifiers, staging runs and immediates out of range are refused") {
    Instr add = make_instr(Op::FADD_F32);
    add.set_mod(Mod::clamp, 77);
    CHECK(fault_of(add) == Rule::ReservedModifier);
    Instr load = make_instr(Op::LOAD_I32);
    CHECK(fault_of(load) == Rule::StagingCount);
    load.staging[0] = {0, 200};
    CHECK(fault_of(load) == Rule::StagingCount);
    load.staging[0] = {255, 1};
    CHECK(fault_of(load) == Rule::StagingRange);
    load.staging[0] = {0, 1};
    CHECK(fault_of(load) == Rule::None);
    load.imm[0] = INT64_MIN;
    CHECK(fault_of(load) == Rule::ImmediateRange);
}

namespace {

/// The values of fields in the case files. A field is identified by its row in the tables.
struct Coverage {
    std::set<std::pair<const void*, unsigned>> seen;
    std::map<std::string, std::set<unsigned>> operands;

    void add(const Instr& instr) {
        const OpInfo& info = op_info(instr.op);
        seen.emplace(&info, 0);
        operands["flow"].insert(static_cast<unsigned>(instr.flow));
        for (const ModInfo& mod : info.mods)
            seen.emplace(&mod, instr.mod(mod.mod));
        for (size_t i = 0; i < info.staging.size(); ++i)
            seen.emplace(&info.staging[i], instr.staging[i].count);
        for (size_t i = 0; i < info.sources.size(); ++i)
            add_source(info.sources[i], instr.src[i]);
    }
    void add_source(const SourceInfo& info, const Source& source) {
        seen.emplace(&info, source.selector);
        seen.emplace(&info.neg, source.neg * 2u + source.abs);
        if (source.kind == SourceKind::Constant)
            operands["constant"].insert(source.index);
        if (source.kind == SourceKind::Special)
            operands["special"].insert(source.index * 2u + source.word);
    }
    /// Whether every value in the set `legal` was seen.
    [[nodiscard]] bool has_all(const void* row, unsigned legal) const {
        for (unsigned v = 0; v < 16; ++v)
            if ((legal >> v & 1) != 0 && seen.count({row, v}) == 0)
                return false;
        return true;
    }
};

}  // namespace

TEST_CASE("the case files have every value of every field of every instruction") {
    Coverage coverage;
    for (const test::Case& item : test::read_word_cases("tests/valhall/encodings/generated.txt")) {
        const auto instr = decode(item.word);
        REQUIRE_MESSAGE(instr.has_value(), item.where());
        coverage.add(*instr);
    }
    for (const OpInfo& info : all_ops()) {
        INFO(std::string(info.name));
        CHECK(coverage.has_all(&info, 1));
        for (const ModInfo& mod : info.mods)
            CHECK_MESSAGE(coverage.has_all(&mod, mod.valid_values), std::string(mod.name));
        for (const SourceInfo& source : info.sources) {
            CHECK(coverage.has_all(&source, source.selector_values));
            CHECK(coverage.has_all(&source.neg, source.neg.size != 0 ? 0xF : 1));
        }
        for (const StagingInfo& run : info.staging)
            CHECK(coverage.has_all(&run, (2u << run.max_count) - (run.may_be_empty ? 1 : 2)));
    }
    CHECK(coverage.operands["flow"].size() == 13);
    CHECK(coverage.operands["constant"].size() == 31);  // constant 21 prints like constant 0
    CHECK(coverage.operands["special"].size() == 2 * 18);
}
