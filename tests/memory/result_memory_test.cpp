// Result test: keeps errors for which there is no memory.
// SPDX-License-Identifier: MIT
#include "base/result.hpp"
#include "tests/memory/failing_memory.hpp"

#include <doctest/doctest.h>
#include <utility>

using valkyr::Errc;
using valkyr::Error;
using valkyr::Result;
using valkyr::test::FailingMemory;

TEST_CASE("an error that finds no memory is OutOfMemory, also where it is copied and taken") {
    const Result<int> kept = Error{Errc::Syntax, {3, 7}, "digit expected"};
    Errc made{};
    Errc copied{};
    Errc taken{};
    Errc again{};
    {
        const FailingMemory none(1, FailingMemory::kForever);
        Result<void> result = Error{Errc::Semantic, {}, "short"};
        made = result.error().code;
        copied = Result<int>(kept).error().code;
        taken = std::move(result).error().code;
        again = Result<void>(Error{Errc::Semantic, {}, "short"}).error().code;
    }
    CHECK(made == Errc::OutOfMemory);
    CHECK(copied == Errc::OutOfMemory);
    CHECK(taken == Errc::OutOfMemory);
    CHECK(again == Errc::OutOfMemory);
    CHECK(kept.error().text == "digit expected");
}
