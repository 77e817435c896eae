// Console fixture: runs commands of the debugger's console in tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/console/console.hpp"

#include <doctest/doctest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace valkyr::test {

/// A console on a debugger.
struct ConsoleFixture {
    ConsoleFixture(std::unique_ptr<debug::Debugger> made, bool listings)
        : debugger(std::move(made)) {
        console.emplace(*debugger, debug::ConsoleOptions{{.width = 120, .rows = 9}, listings});
    }
    /// Runs a command that succeeds; returns what it prints.
    std::string run(std::string_view line) {
        const auto text = console->execute(line);
        REQUIRE_MESSAGE(text.has_value(), line);
        return *text;
    }
    /// Runs a command that fails; returns the message.
    std::string error(std::string_view line) {
        const auto text = console->execute(line);
        REQUIRE_FALSE_MESSAGE(text.has_value(), line);
        return text.error().text;
    }
    std::unique_ptr<debug::Debugger> debugger;
    std::optional<debug::Console> console;
};

}  // namespace valkyr::test
