// Color test: checks which streams get colours, and which words are coloured.
// SPDX-License-Identifier: MIT
#include "app/cli/color.hpp"

#include <doctest/doctest.h>

namespace valkyr::app {
namespace {

const std::string kRed = "\033[1;31m";
const std::string kYellow = "\033[1;33m";
const std::string kEnd = "\033[0m";

TEST_CASE("colour is for screens, NO_COLOR takes it away, --color decides") {
    struct Row {
        ColorChoice choice;
        const char* no_color;
        bool screen;
        bool expected;
    };
    const Row rows[] = {
        {ColorChoice::Auto, nullptr, true, true},    {ColorChoice::Auto, nullptr, false, false},
        {ColorChoice::Auto, "", true, true},         {ColorChoice::Auto, "1", true, false},
        {ColorChoice::Auto, "0", true, false},       {ColorChoice::Auto, "1", false, false},
        {ColorChoice::Always, nullptr, false, true}, {ColorChoice::Always, "1", false, true},
        {ColorChoice::Never, nullptr, true, false},  {ColorChoice::Never, "", true, false},
    };
    for (const Row& row : rows) {
        CAPTURE(static_cast<int>(row.choice));
        CAPTURE(row.screen);
        CHECK(uses_color(row.choice, row.no_color, {row.screen, 80}) == row.expected);
    }
}

TEST_CASE("plain text stays as it is") {
    CHECK(Style().paint(Tone::Bad, "failed") == "failed");
    CHECK(Style().paint_labels("a:1:2: error: b\n") == "a:1:2: error: b\n");
}

TEST_CASE("words are painted by what they mean") {
    const Style style(true);
    CHECK(style.paint(Tone::Bad, "failed") == kRed + "failed" + kEnd);
    CHECK(style.paint(Tone::Good, "x") != style.paint(Tone::Bad, "x"));
}

TEST_CASE("the first label of each line is painted, and nothing is lost") {
    const Style style(true);
    CHECK(style.paint_labels("a:1:2: error: no error: here\nFROB error:\n^") ==
          "a:1:2: " + kRed + "error:" + kEnd + " no error: here\nFROB error:\n^");
    CHECK(style.paint_labels("note: x\nb: warning: note: y\n") ==
          kYellow + "note:" + kEnd + " x\nb: " + kYellow + "warning:" + kEnd + " note: y\n");
    CHECK(style.paint_labels("").empty());
    CHECK(style.paint_labels("\n\n") == "\n\n");
}

}  // namespace
}  // namespace valkyr::app
