// Inline atomic test: expanded atomics agree with the interpreter, in shared and other memory.
// SPDX-License-Identifier: MIT
#include "tests/jit/kernel/groups_case.hpp"

#include <doctest/doctest.h>
#include <iterator>
#include <string>

using namespace valkyr;
using namespace valkyr::test;

namespace {

constexpr const char* kOperations[] = {"aadd", "asmin", "asmax", "aumin", "aumax",
                                       "aand", "aor",   "axor",  "axchg"};
constexpr uint32_t kExchange = std::size(kOperations) - 1;  ///< needs a result
constexpr const char* kWithOne[] = {"ainc", "adec", "aumax1", "asmax1", "aor1"};

std::string offset_of(Random& random) {
    return ", offset:" + std::to_string(random.one_in(2) ? 0 : 4 * random.below(4)) + "\n";
}

/// An atomic at r16 with operands in r4 and r5 that leaves old words in r6.
std::string atomic(Random& random) {
    const uint32_t number = random.below(std::size(kOperations));
    const std::string operation = kOperations[number];
    switch (number == kExchange ? 1 + random.below(3) : random.below(4)) {
    case 0: return "ATOM.i32.slot0.wait0." + operation + " @r4, r16" + offset_of(random);
    case 1:
        return "ATOM_RETURN.i32.slot0.wait0." + operation + " @r6, @r4, r16" + offset_of(random);
    case 2: return "ATOM_RETURN.i32.slot0.wait0.compare.axchg @r6, @r4:r5, r16" + offset_of(random);
    default:
        return "ATOM1_RETURN.i32.slot0.wait0." +
               std::string(kWithOne[random.below(std::size(kWithOne))]) + " @r6, r16" +
               offset_of(random);
    }
}

/// Lanes share words or have words one behind the other, or those of a block, and their operands
/// have both signs; some have other memory or none.
std::string random_atomics(Random& random) {
    constexpr const char* kPlaces[] = {"LSHIFT_AND.i32 r18, r55, 0x0.b00, u4",
                                       "LSHIFT_AND.i32 r18, r55, 0x0.b00, u7",
                                       "MOV.i32 r18, r55",
                                       "MOV.i32 r18, u2",
                                       "LSHIFT_XOR.i32 r18, r55, 0x0.b00, u2",
                                       "IADD.u32 r18, r55, u2"};
    std::string text = std::string(kPlaces[random.below(std::size(kPlaces))]) +
                       "\nSHADDX.u64 r16, workgroup_local_pointer.w0, r18.w0, shift:0x2\n"
                       "LSHIFT_AND.i32 r19, r60, 0x0.b00, u0\n";
    if (random.one_in(4))
        text += "CSEL.u32.eq r16, r19, 0x0, 0x0, r16\nCSEL.u32.eq r17, r19, 0x0, 0x0, r17\n";
    if (random.one_in(4))
        text += "SHADDX.u64 r20, thread_local_pointer.w0, 0x0, shift:0x0\n"
                "CSEL.u32.eq r16, r19, u0, r20, r16\n"
                "CSEL.u32.eq r17, r19, u0, r21, r17\n";
    text += "IMUL.i32 r4, r60, 0x1F1E1D1C.b3\nISUB.u32 r4, u5, r4\nISUB.u32 r5, r18, u3\n";
    for (unsigned n = 1 + random.below(5); n != 0; --n)
        text += atomic(random) + "IADD.u32 r5, r5, r6\nISUB.u32 r4, r6, r4\n";
    return text + "NOP.end\n";
}

}  // namespace

TEST_CASE("atomics are the same expanded as by the interpreter") {
    for (uint64_t seed = 0; seed < rounds(300); ++seed) {
        Random random(seed);
        const std::string text = random_atomics(random);
        GroupShape shape{{1 + random.below(70), 1, 1}, {3, 1, 1}, 0, 2, 0};
        shape.shared_bytes = random.one_in(4) ? 0 : 4 * (36 + random.below(8));
        INFO("seed ", seed, "\n", text);
        agreed_groups(text, shape);
    }
}
