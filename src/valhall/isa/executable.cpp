// Rejections: names the instructions that decode but have no meaning.
// SPDX-License-Identifier: MIT
#include "valhall/isa/executable.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

int64_t value_of(const Instr& instr, const TestInfo& test) {
    switch (test.subject) {
    case TestSubject::Modifier: return instr.mods[test.index];
    case TestSubject::Selector: return instr.src[test.index].selector;
    case TestSubject::Immediate: break;
    }
    return instr.imm[test.index];
}

bool holds(const Instr& instr, const TestInfo& test) {
    constexpr int64_t kValues = 16;  // of the set
    const int64_t value = value_of(instr, test);
    const bool in_set = value >= 0 && value < kValues && (test.values >> value & 1) != 0;
    return in_set == test.inside;
}

bool applies(const Instr& instr, const RejectionInfo& rejection) {
    return std::ranges::all_of(rejection.tests,
                               [&](const TestInfo& test) { return holds(instr, test); });
}

}  // namespace

std::string_view reject_reason(const Instr& instr) {
    if (static_cast<unsigned>(instr.op) >= kOpCount)
        return "the instruction has no known meaning";
    for (const RejectionInfo& rejection : op_info(instr.op).rejections)
        if (applies(instr, rejection))
            return rejection.reason;
    return {};
}

}  // namespace valkyr::valhall
