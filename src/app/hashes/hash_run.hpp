// Hash run: hashes works on several configurations and compares the hashes.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/suite.hpp"
#include "app/hashes/hash_list.hpp"
#include "app/hashes/works.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::hashes {

/// The hash of one work on one configuration.
struct Cell {
    std::optional<uint64_t> hash;
    bool skipped = false;  ///< the configuration is not available on this host
    std::string error;     ///< why there is no hash
};

/// All hashes of one work, by configuration.
struct Row {
    std::string name;
    std::vector<Cell> cells;
};

/// Hashes every work on every configuration with `jobs` threads; rows in the order of works.
/// progress  called after each work, one call at a time
std::vector<Row>
run_works(const std::vector<Work>& works,
          const std::vector<conform::Configuration>& configurations,
          unsigned jobs,
          const std::function<void(size_t done, const std::string& name)>& progress);

/// The result of a comparison.
struct Comparison {
    size_t equal = 0;      ///< rows whose hashes are all equal, and equal to the recorded one
    size_t unknown = 0;    ///< of these, rows without a recorded hash
    std::string problems;  ///< a line for each other row: its hashes, or why one is missing
    [[nodiscard]] bool good() const { return problems.empty(); }
};
Comparison compare(const std::vector<Row>& rows,
                   const std::vector<conform::Configuration>& configurations,
                   const HashList& recorded);

/// One line a configuration, and a column a kind of works with the hash of all its hashes; the last
/// line is that of the recorded hashes of these works.
std::string table_text(const std::vector<Row>& rows,
                       const std::vector<conform::Configuration>& configurations,
                       const HashList& recorded);

/// The hashes of the first configuration that is available.
HashList list_of(const std::vector<Row>& rows);

}  // namespace valkyr::hashes
