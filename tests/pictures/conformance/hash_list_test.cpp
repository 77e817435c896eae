// Hash list test: reads lists of hashes, refuses bad lines, and finds hashes that differ.
// SPDX-License-Identifier: MIT
#include "app/hashes/hash_list.hpp"
#include "app/hashes/hash_run.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::hashes;

TEST_CASE("a list of hashes is written as it was read") {
    const auto list =
        parse_hash_list("# comment\ndemo/a 0123456789abcdef\n\nscene/b/c 00000000000000ff\n");
    REQUIRE(list.has_value());
    CHECK(list->at("demo/a") == 0x0123456789ABCDEF);
    CHECK(list->at("scene/b/c") == 0xFF);
    const auto again = parse_hash_list(hash_list_text(*list, "valkyr 1.2"));
    REQUIRE(again.has_value());
    CHECK(*again == *list);
}

TEST_CASE("a bad line of a list is refused with its number") {
    for (const char* line : {"demo/a", "demo/a 123", "demo/a 0123456789abcdeg", " 0123456789abcdef",
                             "demo/a 0123456789abcdef0", "first 0123456789abcdef"}) {
        CAPTURE(line);
        const auto list = parse_hash_list(std::string("first 0123456789abcdef\n") + line + "\n");
        REQUIRE(!list.has_value());
        CHECK(list.error().pos.line == 2);
    }
}

TEST_CASE("the recorded list is good") {
    const auto list = parse_hash_list(recorded_hashes());
    REQUIRE(list.has_value());
    CHECK(list->contains("demo/terrain"));
    CHECK(list->contains("scene/compute/nan_sums"));
}

TEST_CASE("works whose hashes differ are told, with who gave which") {
    const std::vector<conform::Configuration> two{{"first", {}}, {"second", {}}};
    const auto row = [](std::string name, Cell a, Cell b) { return Row{std::move(name), {a, b}}; };
    const Cell one{1, false, {}};
    const Cell other{2, false, {}};
    const Cell none{{}, true, "no level"};
    const Cell broken{{}, false, "no memory"};
    const std::vector<Row> rows{row("a", one, one), row("b", one, other), row("c", one, none),
                                row("d", other, other), row("e", one, broken)};
    const Comparison found = compare(rows, two, {{"a", 1}, {"b", 1}, {"d", 1}});
    CHECK(found.equal == 2);
    CHECK(found.unknown == 1);
    CHECK(found.problems == "b: recorded 0000000000000001; second 0000000000000002\n"
                            "d: recorded 0000000000000001; first 0000000000000002; second "
                            "0000000000000002\n"
                            "e: first 0000000000000001; second no memory\n");
    const HashList list = list_of(rows);
    CHECK(list.at("b") == 1);
}
