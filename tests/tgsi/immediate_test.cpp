// Immediate test: checks every type, special values and ranges of IMM statements.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"
#include "tgsi/text/printer.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;
using Texts = std::vector<std::string>;
using Words = std::array<uint32_t, 4>;

namespace {

Words words(std::string_view immediate) {
    const Shader shader = parse_good("FRAG\nIMM[0] " + std::string(immediate) + "\n");
    REQUIRE(shader.immediates.size() == 1);
    return shader.immediates[0].words;
}

Texts errors_of(std::string_view immediate) {
    return parse_errors("FRAG\nIMM[0] " + std::string(immediate) + "\n");
}

}  // namespace

TEST_CASE("FLT32 takes bit patterns and decimal fractions") {
    CHECK(words("FLT32 {0x3f800000, 0xffffffff, 0X00000001, 0x0}") ==
          Words{0x3F800000, 0xFFFFFFFF, 1, 0});
    CHECK(words("FLT32 {    1.0000, -0.5, 1e10, 3}") ==
          Words{0x3F800000, 0xBF000000, 0x501502F9, 0x40400000});
    CHECK(words("FLT32 {inf, -inf, -0.0, +2.5}") ==
          Words{0x7F800000, 0xFF800000, 0x80000000, 0x40200000});
    CHECK(words("FLT32 {nan, -nan, nan(0x7fc00001), 1e-50}") ==
          Words{0x7FC00000, 0xFFC00000, 0x7FC00001, 0});
    CHECK(errors_of("FLT32 {1e39, 0, 0, 0}") == Texts{"2:15: number too large for FLT32"});
    CHECK(errors_of("FLT32 {0x1ffffffff, 0, 0, 0}") == Texts{"2:15: more bits than FLT32 has"});
    CHECK(errors_of("FLT32 {0x, 0, 0, 0}") == Texts{"2:15: expected hexadecimal digits"});
    CHECK(errors_of("FLT32 {1.5.2, 0, 0, 0}") == Texts{"2:15: expected a number"});
    CHECK(errors_of("FLT32 {nan(0x3f800000), 0, 0, 0}") == Texts{"2:15: expected a number"});
    CHECK(errors_of("FLT32 {" + std::string(2000, '1') + ", 0, 0, 0}") ==
          Texts{"2:15: expected a number"});
}

TEST_CASE("32-bit integers keep their bits and refuse more") {
    CHECK(words("UINT32 {0, 4294967295, 0x80000000, 7}") == Words{0, 0xFFFFFFFF, 0x80000000, 7});
    CHECK(words("INT32 {-1, -2147483648, 2147483647, 4294967295}") ==
          Words{0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF});
    CHECK(errors_of("UINT32 {-1, 0, 0, 0}") == Texts{"2:16: number too large for UINT32"});
    CHECK(errors_of("UINT32 {4294967296, 0, 0, 0}") == Texts{"2:16: number too large for UINT32"});
    CHECK(errors_of("INT32 {-2147483649, 0, 0, 0}") == Texts{"2:15: number too large for INT32"});
    CHECK(errors_of("INT32 {99999999999999999999999, 0, 0, 0}") ==
          Texts{"2:15: number too large for INT32"});
}

TEST_CASE("64-bit immediates have two values, low word first") {
    CHECK(words("FLT64 {1.0, -2.5}") == Words{0, 0x3FF00000, 0, 0xC0040000});
    CHECK(words("FLT64 {inf, 5e-324}") == Words{0, 0x7FF00000, 1, 0});
    CHECK(words("UINT64 {18446744073709551615, 4294967296}") ==
          Words{0xFFFFFFFF, 0xFFFFFFFF, 0, 1});
    CHECK(words("INT64 {-9223372036854775808, -1}") ==
          Words{0, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFF});
    CHECK(errors_of("UINT64 {18446744073709551616, 0}") ==
          Texts{"2:16: number too large for UINT64"});
    CHECK(errors_of("FLT64 {1e309, 0}") == Texts{"2:15: number too large for FLT64"});
    CHECK(errors_of("FLT64 {1, 2, 3}") == Texts{"2:20: more than 2 values"});
}

TEST_CASE("fewer values than four are followed by zeros; more are refused") {
    CHECK(words("UINT32 {5}") == Words{5, 0, 0, 0});
    CHECK(errors_of("UINT32 {1, 2, 3, 4, 5}") == Texts{"2:27: more than 4 values"});
    CHECK(errors_of("UINT32 1, 2, 3, 4") == Texts{"2:14: expected '{' before the values"});
    CHECK(errors_of("UINT32 {1, 2, 3, 4") == Texts{"2:26: expected '}' after the values"});
    CHECK(errors_of("UINT16 {1}") ==
          Texts{"2:8: expected FLT32, UINT32, INT32, FLT64, UINT64 or INT64"});
}

TEST_CASE("the index is optional, but counts from 0") {
    CHECK(parse_good("FRAG\nIMM UINT32 {1, 0, 0, 0}\nIMM[1] UINT32 {2, 0, 0, 0}\n")
              .immediates.size() == 2);
    CHECK(parse_errors("FRAG\nIMM[0] UINT32 {1, 0, 0, 0}\nIMM[2] UINT32 {2, 0, 0, 0}\n") ==
          Texts{"3:5: immediates count from 0: expected index 1"});
}

TEST_CASE("doubles are printed so that they read back to the same bits") {
    for (const uint64_t value :
         {0x3FB999999999999AULL, 0x0000000000000001ULL, 0x7FEFFFFFFFFFFFFFULL,
          0x8000000000000000ULL, 0xFFF8000000000123ULL, 0xFFF0000000000000ULL}) {
        Shader shader = parse_good("FRAG\nIMM[0] FLT64 {0, 0}\n");
        shader.immediates[0].words = {static_cast<uint32_t>(value),
                                      static_cast<uint32_t>(value >> 32), 0, 0};
        CHECK(parse_good(print(shader)).immediates[0].words == shader.immediates[0].words);
    }
}
