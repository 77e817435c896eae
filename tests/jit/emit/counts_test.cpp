// Counts test: compares the number of host instructions per Valhall instruction with a table.
// SPDX-License-Identifier: MIT
//
// tests/jit/counts.txt has the numbers for operands in registers and default modifiers. After a
// change of code generation, VALKYR_UPDATE_COUNTS=1 rewrites it; review the difference.
#include "tests/jit/harness.hpp"
#include "tests/jit/random_program.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <sstream>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr const char* kFile = "tests/jit/counts.txt";

/// The plainest form of an instruction: r2, r4, r6 into r8, default modifiers.
std::optional<valhall::Instr> plain_instr(valhall::Op op) {
    RandomInstrOptions options;
    options.registers = 8;
    options.uniforms = 0;
    options.constants = options.specials = options.flows = options.last_use = false;
    Random random(static_cast<uint64_t>(op));
    std::optional<valhall::Instr> best;
    std::string best_text;
    for (unsigned attempt = 0; attempt < 400; ++attempt) {
        auto instr = random_legal(op, random, options);
        if (!instr)
            return std::nullopt;
        instr->dest.reg = 8;
        instr->dest.mask = 3;
        for (size_t k = 0; k < valhall::op_info(op).sources.size(); ++k)
            instr->src[k].index = static_cast<uint8_t>(2 + 2 * k);
        for (unsigned k = 0; k < instr->imm.size(); ++k)
            instr->imm[k] = valhall::op_info(op).immediates.size() > k ? 3 : 0;
        if (!valhall::encode(*instr))
            continue;
        const std::string text = valhall::disassemble(*instr);
        if (best && std::pair(text.size(), text) >= std::pair(best_text.size(), best_text))
            continue;
        best = instr;
        best_text = text;
    }
    return best;
}

/// Host instructions of the word, whose operands lie in host registers.
size_t host_instructions(jit::Recompiler& recompiler, const valhall::Instr& instr) {
    std::string text;
    for (unsigned r = 2; r < 8; ++r)
        text += "IADD.u32 r" + std::to_string(r) + ", r" + std::to_string(r) + ", u7\n";
    ComputeCase test;
    test.body = words_of(text);
    test.body.push_back(*valhall::encode(instr));
    const size_t from = test.body.size() - 1;
    // A float result goes to a float operation, so that its NaNs need no certain bits.
    if (const valhall::OpInfo& info = valhall::op_info(instr.op); info.dest_is_float)
        test.body.push_back(
            words_of(info.type_size == 16 ? "FADD.v2f16 r8, r8, r8\n" : "FADD.f32 r8, r8, r8\n")
                .front());
    test.body.push_back(words_of("NOP.end").front());
    const valhall::Program program = make_program(test);
    const auto word = static_cast<uint32_t>(program.words.size() - test.body.size() + from);
    jit::RecompileOptions options;
    options.listing = true;
    options.inline_messages = false;  // the operands' loads decide their registers
    const auto kernel = recompiler.recompile(program, {}, options);
    REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
    return static_cast<size_t>(
        std::ranges::count_if((*kernel)->listing(), [&](const jit::HostLine& line) {
            return line.word_index == word && !line.text.ends_with(":");
        }));
}

using Table = std::map<std::string, std::map<std::string, size_t>>;

/// "instruction | avx2 n | avx512 n | neon n" lines; # starts a comment.
Table read_table() {
    Table table;
    std::ifstream file(kFile);
    for (std::string line; std::getline(file, line);) {
        const size_t bar = line.find(" | ");
        if (line.starts_with("#") || bar == std::string::npos)
            continue;
        std::string name = line.substr(0, bar);
        name.erase(name.find_last_not_of(' ') + 1);
        std::istringstream rest(line.substr(bar));
        std::string separator;
        std::string level;
        for (size_t count = 0; rest >> separator >> level >> count;)
            table[name][level] = count;
    }
    return table;
}

void write_table(const Table& table) {
    std::ofstream file(kFile);
    file << "# Host instructions of a Valhall instruction: operands in registers, default "
            "modifiers,\n"
            "# one pass (avx2: 8 lanes, avx512: 16, neon: 4). VALKYR_UPDATE_COUNTS=1 test_jit "
            "writes this.\n";
    for (const auto& [name, counts] : table) {
        file << name << std::string(name.size() < 44 ? 44 - name.size() : 1, ' ');
        for (const auto& [level, count] : counts)
            file << " | " << level << " " << count;
        file << "\n";
    }
}

}  // namespace

// Listings do not require a processor that supports the level.
TEST_CASE("ALU instructions become as many host instructions as the table says") {
    std::vector<std::unique_ptr<jit::Recompiler>> listers;
    for (jit::HostLevel level :
         {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon}) {
        auto lister = jit::Recompiler::create(
            level, {.gather_method = jit::GatherMethod::Gathers, .listing_only = true});
        REQUIRE_MESSAGE(lister.has_value(), lister.error().text);
        listers.push_back(std::move(*lister));
    }
    const Table expected = read_table();
    Table found = expected;
    for (const valhall::OpInfo& info : valhall::all_ops()) {
        const auto instr = is_alu_op(info) ? plain_instr(info.op) : std::nullopt;
        if (!instr)
            continue;
        const std::string name = valhall::disassemble(*instr);
        for (const auto& recompiler : listers)
            found[name][std::string(jit::host_level_name(recompiler->level()))] =
                host_instructions(*recompiler, *instr);
    }
    if (std::getenv("VALKYR_UPDATE_COUNTS"))
        return write_table(found);
    // No structured bindings: Clang 14 cannot capture them in the lambdas of the checks.
    for (const auto& counted : found)
        for (const auto& cell : counted.second) {
            const std::string& name = counted.first;
            const std::string& level = cell.first;
            const auto row = expected.find(name);
            const bool known = row != expected.end() && row->second.contains(level);
            CHECK_MESSAGE(known, name, " is not in the table for ", level);
            if (known)
                CHECK_MESSAGE(row->second.at(level) == cell.second, name, " on ", level);
        }
}
