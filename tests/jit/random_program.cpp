// Random programs for the recompiler's tests: pieces that several of them share.
// SPDX-License-Identifier: MIT
#include "jit/random_program.hpp"

#include "valhall/isa/disassemble.hpp"
#include "valhall/isa/executable.hpp"

#include <algorithm>
#include <cstdlib>

namespace valkyr::test {

bool is_alu_op(const valhall::OpInfo& info) {
    return info.has_dest && valhall::is_alu(info.unit);
}

std::optional<valhall::Instr>
random_legal(valhall::Op op, Random& random, const RandomInstrOptions& options) {
    for (unsigned attempt = 0; attempt < 50; ++attempt) {
        const valhall::Instr instr = random_instr(op, random, options);
        if (valhall::reject_reason(instr).empty())
            return instr;
    }
    return std::nullopt;
}

std::string random_alu_line(Random& random, const RandomInstrOptions& options) {
    for (;;) {
        const auto op = static_cast<valhall::Op>(random.below(valhall::kOpCount));
        if (!is_alu_op(valhall::op_info(op)))
            continue;
        if (const auto instr = random_legal(op, random, options))
            return valhall::disassemble(*instr) + "\n";
    }
}

unsigned rounds(unsigned usual) {
    const char* text = std::getenv("VALKYR_JIT_ROUNDS");
    return usual * (text ? static_cast<unsigned>(std::max(1, std::atoi(text))) : 1);
}

}  // namespace valkyr::test
