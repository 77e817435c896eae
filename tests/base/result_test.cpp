// Result test: checks Result<T>, Error and VALKYR_TRY.
// SPDX-License-Identifier: MIT
#include "base/result.hpp"

#include <doctest/doctest.h>
#include <memory>

namespace {

using valkyr::Errc;
using valkyr::Error;
using valkyr::Result;

Result<int> parse_digit(char c) {
    if (c < '0' || c > '9')
        return Error{Errc::Syntax, {3, 7}, "digit expected"};
    return c - '0';
}

Result<std::unique_ptr<int>> boxed_sum(char a, char b) {
    VALKYR_TRY(x, parse_digit(a));
    VALKYR_TRY(y, parse_digit(b));
    return std::make_unique<int>(x + y);
}

Result<void> check_digit(char c) {
    VALKYR_TRY_VOID(parse_digit(c));
    return {};
}

}  // namespace

TEST_CASE("a result carries a value, a move-only one too") {
    auto sum = boxed_sum('4', '5');
    REQUIRE(sum.has_value());
    CHECK(**sum == 9);
    CHECK(check_digit('1').has_value());
}

TEST_CASE("VALKYR_TRY hands the first error on unchanged") {
    auto sum = boxed_sum('4', 'x');
    REQUIRE_FALSE(sum.has_value());
    CHECK(sum.error().code == Errc::Syntax);
    CHECK(sum.error().pos == valkyr::SourcePos{3, 7});
    CHECK_FALSE(check_digit('x').has_value());
}

TEST_CASE("errors format like a compiler's, leaving out unknown places") {
    CHECK(Error{Errc::Syntax, {3, 7}, "t"}.format("f") == "f:3:7: error: t");
    CHECK(Error{Errc::Syntax, {3, 0}, "t"}.format("f") == "f:3: error: t");
    CHECK(Error{Errc::Syntax, {}, "t"}.format("f") == "f: error: t");
}
