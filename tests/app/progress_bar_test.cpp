// Progress bar test: draws on a fake terminal with a fake clock.
// SPDX-License-Identifier: MIT
#include "app/cli/progress_bar.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace valkyr::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Keeps the output; the test advances the clock.
struct FakeTerminal {
    Terminal terminal{true, 80};
    std::chrono::steady_clock::time_point time{};
    std::vector<std::string> written;

    ProgressOutput output() {
        return {terminal.screen, [this](std::string_view text) { written.emplace_back(text); },
                [this] { return terminal.columns; }, [this] { return time; }};
    }
};

const std::string kClear = "\r\033[K";

TEST_CASE("a screen shows what is done, a bar, n of m and the time") {
    FakeTerminal fake;
    ProgressBar bar(fake.output());
    bar.show("blend", 0, 4);
    REQUIRE(fake.written.size() == 1);
    CHECK(fake.written[0] == "\rblend [" + std::string(40, '.') + "] 0 of 4, 0:00\033[K");
    fake.time += seconds(65);
    bar.show("depth", 1, 4);
    REQUIRE(fake.written.size() == 2);
    CHECK(fake.written[1] == "\rdepth [" + std::string(10, '#') + std::string(30, '.') +
                                 "] 1 of 4, 1:05, 3:15 left\033[K");
    fake.time += seconds(7200);
    bar.show("flow", 1.0);
    CHECK(fake.written[2] ==
          "\rflow [" + std::string(40, '#') + "] 100 %, 2:01:05, 0:00 left\033[K");
}

TEST_CASE("a screen is drawn at most ten times a second") {
    FakeTerminal fake;
    ProgressBar bar(fake.output());
    for (int i = 0; i < 1000; ++i) {
        bar.show("x", static_cast<uint64_t>(i), 1000);
        fake.time += milliseconds(1);
    }
    CHECK(fake.written.size() == 10);
}

TEST_CASE("the line is cleared before other output and at the end, once") {
    FakeTerminal fake;
    {
        ProgressBar bar(fake.output());
        bar.clear();
        CHECK(fake.written.empty());
        bar.show("x", 1, 3);
        bar.clear();
        bar.clear();
        CHECK(fake.written.size() == 2);
        CHECK(fake.written.back() == kClear);
        fake.time += seconds(1);
        bar.show("x", 2, 3);
        CHECK(fake.written.size() == 3);
    }
    CHECK(fake.written.size() == 4);
    CHECK(fake.written.back() == kClear);
}

TEST_CASE("no line is as wide as the terminal, however narrow it is") {
    for (size_t columns = 1; columns < 130; ++columns) {
        FakeTerminal fake;
        fake.terminal.columns = columns;
        ProgressBar bar(fake.output());
        fake.time += seconds(100);
        bar.show("geometry/a_case_with_a_rather_long_name", 7, 1200);
        const std::string& text = fake.written.front();
        CAPTURE(text);
        // Without "\r" and "\033[K".
        CHECK(text.size() - 4 < std::max<size_t>(columns, 2));
        if (columns >= 100)
            CHECK(text.find('[') != std::string::npos);
    }
}

TEST_CASE("names are cut between characters and cannot move the cursor") {
    FakeTerminal fake;
    fake.terminal.columns = 11;
    {
        ProgressBar bar(fake.output());
        bar.show("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc", 0, 2);
    }
    CHECK(fake.written.front() == "\r\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6 0 of\033[K");
    fake.terminal.columns = 80;
    ProgressBar bar(fake.output());
    bar.show("a\033[2Jb\nc", 0, 2);
    CHECK(fake.written.back().starts_with("\ra?[2Jb?c ["));
}

TEST_CASE("a log has few lines: none of short work, then tenths or minutes") {
    FakeTerminal fake;
    fake.terminal.screen = false;
    ProgressBar bar(fake.output());
    for (uint64_t i = 0; i <= 1000; ++i) {
        if (i < 10)
            CHECK(fake.written.empty());
        bar.show("case", i, 1000);
        fake.time += seconds(1);
    }
    // A tenth of the work takes 100 seconds, so lines come every minute.
    CHECK(fake.written.size() == 16);
    CHECK(fake.written.front() == "case: 60 of 1000, 1:00, 15:40 left\n");
    bar.clear();
    CHECK(fake.written.size() == 16);
}

TEST_CASE("a log of quicker work has a line for each tenth, ten seconds apart") {
    FakeTerminal fake;
    fake.terminal.screen = false;
    ProgressBar bar(fake.output());
    for (uint64_t i = 0; i <= 50; ++i) {
        bar.show("case", i, 50);
        fake.time += seconds(1);
    }
    CHECK(fake.written.size() == 5);
    CHECK(fake.written.front() == "case: 10 of 50, 0:10, 0:40 left\n");
}

TEST_CASE("the time left is that of the work at hand") {
    FakeTerminal fake;
    ProgressBar bar(fake.output());
    bar.show("reading", 0.9);
    fake.time += seconds(100);
    bar.show("building", 0.0);
    fake.time += seconds(2);
    bar.show("building", 0.5);
    CHECK(fake.written.back().ends_with("50 %, 0:02, 0:02 left\033[K"));
}

TEST_CASE("an empty output shows nothing") {
    ProgressBar bar({});
    bar.show("x", 1, 2);
    bar.clear();
}

}  // namespace
}  // namespace valkyr::app
