// Eval groups: work-groups of `valkyr eval`, their options, memory and the words that they change.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/debug/session/warp_case.hpp"
#include "tgsi/interpreter/interpreter.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

struct GroupOptions {
    using Triple = std::array<uint32_t, 3>;
    std::optional<Triple> group;
    std::optional<Triple> grid;        ///< none: ends with the group
    std::vector<std::string> buffers;  ///< N=VALUES
    uint32_t shared_bytes = exec::kMaxSharedBytes;
};

/// Adds --group, --grid, --buffer and --shared.
void add_group_options(Command command, GroupOptions& options);

/// Only compute shaders have work-groups.
/// errors   Unsupported: --group, --grid or --buffer is given
Result<void> refuse_group_options(const GroupOptions& options);
/// Compiled code has system values in registers, so --input must not give them.
/// errors   Unsupported, with the option
Result<void> check_group_inputs(const std::vector<std::string>& values, const tgsi::Shader& shader);

/// A work-group with its memory. tgsi::Group refers to the memory, so it must not be copied.
struct GroupBench {
    GroupBench() = default;
    GroupBench(GroupBench&&) = default;
    GroupBench(const GroupBench&) = delete;

    debug::WorkGroup place;
    std::vector<std::vector<uint32_t>> start;  ///< buffers before the run
    std::vector<std::vector<uint32_t>> buffers;
    std::vector<uint32_t> shared;
};

/// lanes    invocations of a group if the text does not fix its size
/// errors   Syntax, Semantic: of a buffer; OutOfRange: the group is not in the grid, a size
Result<GroupBench>
make_group(const tgsi::Shader& shader, const GroupOptions& options, uint32_t lanes);

/// Fills in the invocations with their system values, and the memory.
void attach_group(GroupBench& bench, const tgsi::Shader& shader, tgsi::Group& group);

/// The rows of four words of buffers and shared memory of which a word has changed, and the byte
/// that each begins at.
std::string changes_text(const GroupBench& bench);

}  // namespace valkyr::app
