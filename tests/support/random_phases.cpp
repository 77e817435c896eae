// Random phases: chooses statements, and keeps count of the phase.
// SPDX-License-Identifier: MIT
#include "tests/support/random_phases.hpp"

#include <array>

namespace valkyr::test {
namespace {

/// Components of the immediates.
constexpr std::array<const char*, 8> kNumbers{"IMM[0].xxxx", "IMM[0].yyyy", "IMM[0].zzzz",
                                              "IMM[0].wwww", "IMM[1].xxxx", "IMM[1].yyyy",
                                              "IMM[1].zzzz", "IMM[1].wwww"};
constexpr const char* kOne = kNumbers[2];

}  // namespace

Choose choices_of(std::span<const uint8_t> bytes) {
    return [bytes](uint32_t limit) mutable {
        const uint32_t choice = bytes.empty() ? limit / 2 : bytes.front() % limit;
        bytes = bytes.subspan(bytes.empty() ? 0 : 1);
        return choice;
    };
}

const char* RandomPhases::number() {
    return kNumbers[below_(kNumbers.size())];
}

std::string RandomPhases::masked(const std::string& value) {
    static constexpr std::array kMasks{"", ".x", ".yz", ".xw", ".zw"};
    return value + kMasks[below_(kMasks.size())];
}

void RandomPhases::take(const std::string& from) {
    static constexpr std::array kOps{"XOR", "UADD", "ADD", "MUL", "MAX"};
    const std::string to = value();
    if (one_in(2)) {
        body_ += "MOV " + masked(to) + ", " + from + "\n";
        return;
    }
    const std::string op = kOps[below_(kOps.size())];
    const std::string result = masked(to);
    body_ += op + " " + result + ", " + from + ", " + value() + "\n";
}

void RandomPhases::block(unsigned depth, bool flips) {
    const bool at_end = reads_ != flips;
    for (unsigned n = 2 + below_(4); n != 0; --n)
        statement(depth);
    if (reads_ != at_end)
        barrier();
}

void RandomPhases::statement(unsigned depth) {
    const uint32_t kind = below_(depth != 0 ? 10 : 7);
    if (kind < 2)
        arithmetic();
    else if (kind < 5)
        reads_ ? load() : store();
    else if (kind < 7)
        barrier();
    else if (kind < 8)
        loop(depth - 1);
    else
        branch(depth - 1);
}

void RandomPhases::arithmetic() {
    static constexpr std::array kOps{"UADD", "UMUL", "XOR", "USHR", "UMAX"};
    const std::string to = value();
    body_ += std::string(kOps[below_(kOps.size())]) + " " + to + ", " + to + ", " +
             (one_in(2) ? value() : number()) + "\n";
}

/// Jumps by a bit of the number of the group or of the invocation.
void RandomPhases::branch(unsigned depth) {
    body_ += "AND TEMP[6].x, " + std::string(one_in(3) ? "TEMP[1].xxxx, " : "TEMP[0].xxxx, ") +
             number() + "\nUIF TEMP[6].xxxx\n";
    if (one_in(10)) {  // the others would wait
        body_ += "RET\nENDIF\n";
        return;
    }
    const bool flips = one_in(2);
    const bool before = reads_;
    block(depth, flips);
    reads_ = before;
    if (flips || one_in(2)) {
        body_ += "ELSE\n";
        block(depth, flips);
    }
    body_ += "ENDIF\n";
}

/// One to three rounds; invocations may do different numbers of them.
void RandomPhases::loop(unsigned depth) {
    const std::string counter = "TEMP[" + std::to_string(8 + counters_++ % 8) + "]";
    body_ += "AND " + counter + ".y, " + (one_in(2) ? "TEMP[1].xxxx" : "TEMP[0].xxxx") +
             ", IMM[0].wwww\nMOV " + counter + ".x, IMM[0].xxxx\nBGNLOOP\nUSLT TEMP[6].x, " +
             counter + ".yyyy, " + counter + ".xxxx\nUIF TEMP[6].xxxx\nBRK\nENDIF\n";
    block(depth, false);
    body_ += "UADD " + counter + ".x, " + counter + ".xxxx, " + kOne + "\nENDLOOP\n";
}

}  // namespace valkyr::test
