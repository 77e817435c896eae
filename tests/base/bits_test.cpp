// Bits test: checks bit fields, sign extension and alignment.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"

#include <doctest/doctest.h>

using namespace valkyr;

TEST_CASE("fields of every width, the whole word included") {
    CHECK(extract_bits(0xFEDCBA9876543210, 4, 8) == 0x21);
    CHECK(extract_bits(0xFEDCBA9876543210, 0, 64) == 0xFEDCBA9876543210);
    CHECK(extract_bits(0xFEDCBA9876543210, 60, 4) == 0xF);
    CHECK(extract_bits(~uint64_t{0}, 10, 0) == 0);
    CHECK(place_bits(0x1FF, 8, 8) == 0xFF00);
    CHECK(bit_mask(62, 2) == 0xC000000000000000);
}

TEST_CASE("sign extension") {
    CHECK(sign_extend(0x7F, 8) == 127);
    CHECK(sign_extend(0x80, 8) == -128);
    CHECK(sign_extend(0xFF80, 8) == -128);
    CHECK(sign_extend(1, 1) == -1);
    CHECK(sign_extend(0x8000000000000000, 64) == INT64_MIN);
}

TEST_CASE("alignment") {
    CHECK(align_up(0U, 16U) == 0);
    CHECK(align_up(1U, 16U) == 16);
    CHECK(align_up(16U, 16U) == 16);
}
