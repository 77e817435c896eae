// The generated tables: look-ups, and that the case files leave nothing out.
// SPDX-License-Identifier: MIT
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/source_byte.hpp"
#include "valhall_isa/case_files.hpp"

#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;

TEST_CASE("every instruction is found by its name and by its opcodes") {
    CHECK(kOpCount == 238);
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
        CHECK(info.sources[i].slot == i);
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

TEST_CASE("instructions that cannot be encoded are refused with the rule they break") {
    const auto fault_of = [](const Instr& instr) {
        unsigned page = 0;
        return check_instr(instr, page).rule;
    };
    Instr mov = make_instr(Op::MOV_I32);
    CHECK(fault_of(mov) == Rule::None);
    Instr bad = mov;
    bad.op = static_cast<Op>(kOpCount);
    CHECK(fault_of(bad) == Rule::UnknownOp);
    CHECK(!encode(bad).has_value());
    bad = mov;
    bad.flow = static_cast<Flow>(11);
    CHECK(fault_of(bad) == Rule::ReservedFlow);
    bad.flow = static_cast<Flow>(200);
    CHECK(fault_of(bad) == Rule::ReservedFlow);
    bad = mov;
    bad.dest.reg = 64;
    CHECK(fault_of(bad) == Rule::DestinationRange);
    bad = mov;
    bad.dest.mask = 4;
    CHECK(fault_of(bad) == Rule::DestinationMask);
    bad = mov;
    bad.src[0].index = 64;
    CHECK(fault_of(bad) == Rule::SourceRange);
    bad.src[0].kind = SourceKind::Constant;
    CHECK(fault_of(bad) == Rule::SourceRange);
    bad.src[0].kind = SourceKind::Special;
    CHECK(fault_of(bad) == Rule::SourceRange);
    bad.src[0].kind = static_cast<SourceKind>(9);
    CHECK(fault_of(bad) == Rule::SourceRange);
    bad = mov;
    bad.src[0].word = 1;
    CHECK(fault_of(bad) == Rule::WordSelect);
    bad = mov;
    bad.src[0].selector = 1;
    CHECK(fault_of(bad) == Rule::ReservedSelector);
    bad = mov;
    bad.src[0].kind = SourceKind::Uniform;
    bad.src[0].last_use = true;
    CHECK(fault_of(bad) == Rule::LastUse);
    bad = make_instr(Op::FADD_F32);
    bad.set_mod(Mod::clamp, 77);
    CHECK(fault_of(bad) == Rule::ReservedModifier);
    bad = make_instr(Op::LOAD_I32);
    CHECK(fault_of(bad) == Rule::StagingCount);
    bad.staging[0] = {0, 200};
    CHECK(fault_of(bad) == Rule::StagingCount);
    bad.staging[0] = {255, 1};
    CHECK(fault_of(bad) == Rule::StagingRange);
    bad.staging[0] = {0, 1};
    CHECK(fault_of(bad) == Rule::None);
    bad.imm[0] = INT64_MIN;
    CHECK(fault_of(bad) == Rule::ImmediateRange);
}

TEST_CASE("the case files have every value of every field of every instruction") {
    using Key = std::pair<const void*, unsigned>;  // a row of the tables, and a value of its field
    std::set<Key> seen;
    std::map<std::string, std::set<unsigned>> operands;
    for (const test::Case& item : test::read_word_cases("tests/encodings/generated.txt")) {
        const auto instr = decode(item.word);
        REQUIRE_MESSAGE(instr.has_value(), item.where());
        const OpInfo& info = op_info(instr->op);
        operands["flow"].insert(static_cast<unsigned>(instr->flow));
        for (const ModInfo& mod : info.mods)
            seen.emplace(&mod, instr->mod(mod.mod));
        for (size_t i = 0; i < info.staging.size(); ++i)
            seen.emplace(&info.staging[i], instr->staging[i].count);
        for (size_t i = 0; i < info.sources.size(); ++i) {
            const Source& source = instr->src[i];
            seen.emplace(&info.sources[i], source.selector);
            seen.emplace(&info.sources[i].neg, source.neg * 2u + source.abs);
            if (source.kind == SourceKind::Constant)
                operands["constant"].insert(source.index);
            if (source.kind == SourceKind::Special)
                operands["special"].insert(source.index * 2u + source.word);
        }
        seen.emplace(&info, 0);
    }
    for (const OpInfo& info : all_ops()) {
        CHECK_MESSAGE(seen.count({&info, 0}) == 1, std::string(info.name));
        for (const ModInfo& mod : info.mods)
            for (unsigned v = 0; v < 16; ++v)
                if ((mod.valid_values >> v & 1) != 0)
                    CHECK_MESSAGE(seen.count({&mod, v}) == 1,
                                  (std::string(info.name) + " " + std::string(mod.name)));
        for (const SourceInfo& source : info.sources) {
            for (unsigned v = 0; v < 16; ++v)
                if ((source.selector_values >> v & 1) != 0)
                    CHECK_MESSAGE(seen.count({&source, v}) == 1,
                                  (std::string(info.name) + " selector"));
            for (unsigned v = 0; v < (source.neg.size != 0 ? 4u : 1u); ++v)
                CHECK_MESSAGE(seen.count({&source.neg, v}) == 1,
                              (std::string(info.name) + " neg, abs"));
        }
        for (const StagingInfo& run : info.staging)
            for (unsigned n = run.may_be_empty ? 0 : 1; n <= run.max_count; ++n)
                CHECK_MESSAGE(seen.count({&run, n}) == 1,
                              (std::string(info.name) + " staging count"));
    }
    CHECK(operands["flow"].size() == 13);
    CHECK(operands["constant"].size() == 31);  // constant 21 prints like constant 0
    CHECK(operands["special"].size() == 2 * 18);
}
