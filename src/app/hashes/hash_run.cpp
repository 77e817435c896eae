// Hash run: hashes works on several configurations and compares the hashes.
// SPDX-License-Identifier: MIT
#include "app/hashes/hash_run.hpp"

#include "app/conform/parallel.hpp"
#include "base/fnv1a.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <mutex>

namespace valkyr::hashes {

namespace {

Cell hash_cell(const Work& work, const conform::Configuration& configuration) {
    Cell cell;
    const auto hash = work.hash([&]() -> Result<std::unique_ptr<raster::Device>> {
        auto device = configuration.open();
        cell.skipped |= !device && device.error().code == Errc::Unsupported;
        return device;
    });
    if (hash)
        cell.hash = *hash;
    else
        cell.error = hash.error().text;
    return cell;
}

std::string kind_of(const std::string& name) {
    return name.substr(0, name.find('/'));
}

/// The kinds of works, in the order of the rows.
std::vector<std::string> kinds_of(const std::vector<Row>& rows) {
    std::vector<std::string> kinds;
    for (const Row& row : rows)
        if (kinds.empty() || kinds.back() != kind_of(row.name))
            kinds.push_back(kind_of(row.name));
    return kinds;
}

/// The hash of the hashes that `pick` gives for the rows of a kind; a row without one counts as 0.
template <typename Pick>
std::string hash_of_kind(const std::vector<Row>& rows, const std::string& kind, Pick pick) {
    Fnv1a all;
    for (const Row& row : rows)
        if (kind_of(row.name) == kind)
            all.add_number(pick(row).value_or(0), sizeof(uint64_t));
    return hash_text(all.value());
}

std::optional<uint64_t> recorded_hash(const HashList& recorded, const std::string& name) {
    const auto found = recorded.find(name);
    return found == recorded.end() ? std::nullopt : std::optional(found->second);
}

std::string cell_text(const Cell& cell) {
    return cell.hash ? hash_text(*cell.hash) : cell.error;
}

/// The line of a row that is not as it should be, or nothing.
std::string problem_of(const Row& row,
                       const std::vector<conform::Configuration>& configurations,
                       std::optional<uint64_t> recorded) {
    std::optional<uint64_t> wanted = recorded;
    bool good = true;
    for (const Cell& cell : row.cells) {
        if (cell.skipped)
            continue;
        if (!wanted)
            wanted = cell.hash;
        good &= cell.hash && cell.hash == wanted;
    }
    if (good)
        return {};
    std::string text = row.name + ":";
    if (recorded)
        text += " recorded " + hash_text(*recorded);
    for (size_t c = 0; c < row.cells.size(); ++c)
        if (!row.cells[c].skipped && (!row.cells[c].hash || row.cells[c].hash != recorded))
            text += fmt::format("{}{} {}", text.ends_with(":") ? " " : "; ", configurations[c].name,
                                cell_text(row.cells[c]));
    return text + "\n";
}

}  // namespace

std::vector<Row>
run_works(const std::vector<Work>& works,
          const std::vector<conform::Configuration>& configurations,
          unsigned jobs,
          const std::function<void(size_t done, const std::string& name)>& progress) {
    std::vector<Row> rows(works.size());
    std::mutex mutex;
    size_t done = 0;
    conform::in_parallel(works.size(), jobs, [&](size_t i) {
        rows[i].name = works[i].name;
        for (const conform::Configuration& configuration : configurations)
            rows[i].cells.push_back(hash_cell(works[i], configuration));
        const std::lock_guard lock(mutex);
        progress(++done, works[i].name);
    });
    return rows;
}

Comparison compare(const std::vector<Row>& rows,
                   const std::vector<conform::Configuration>& configurations,
                   const HashList& recorded) {
    Comparison result;
    for (const Row& row : rows) {
        const auto known = recorded_hash(recorded, row.name);
        const std::string problem = problem_of(row, configurations, known);
        result.problems += problem;
        result.equal += problem.empty() ? 1 : 0;
        result.unknown += problem.empty() && !known ? 1 : 0;
    }
    return result;
}

std::string table_text(const std::vector<Row>& rows,
                       const std::vector<conform::Configuration>& configurations,
                       const HashList& recorded) {
    const std::vector<std::string> kinds = kinds_of(rows);
    std::string text = fmt::format("{:<28}", "");
    for (const std::string& kind : kinds) {
        const auto count =
            std::ranges::count_if(rows, [&](const Row& row) { return kind_of(row.name) == kind; });
        text += fmt::format(" {:<16}", fmt::format("{} {}", kind, count));
    }
    for (size_t c = 0; c < configurations.size(); ++c) {
        text += fmt::format("\n{:<28}", configurations[c].name);
        if (!rows.empty() && rows.front().cells[c].skipped) {
            text += " not available here";
            continue;
        }
        for (const std::string& kind : kinds)
            text +=
                " " + hash_of_kind(rows, kind, [&](const Row& row) { return row.cells[c].hash; });
    }
    text += fmt::format("\n{:<28}", "recorded");
    for (const std::string& kind : kinds)
        text += " " + hash_of_kind(rows, kind, [&](const Row& row) {
                    return recorded_hash(recorded, row.name);
                });
    return text + "\n";
}

HashList list_of(const std::vector<Row>& rows) {
    HashList list;
    for (const Row& row : rows)
        for (const Cell& cell : row.cells)
            if (cell.hash)
                list.emplace(row.name, *cell.hash);
    return list;
}

}  // namespace valkyr::hashes
