// Hash list: reads and writes the recorded hashes.
// SPDX-License-Identifier: MIT
#include "app/hashes/hash_list.hpp"

#include <charconv>
#include <fmt/core.h>

namespace valkyr::hashes {

/// Generated: the texts of files, by their names.
std::string_view recorded_file(std::string_view name);

namespace {

constexpr size_t kDigits = 16;

Error wrong(uint32_t line, std::string text) {
    return {Errc::Syntax, {.line = line, .column = 1}, std::move(text)};
}

Result<void> add_line(std::string_view line, uint32_t number, HashList& list) {
    const size_t space = line.find(' ');
    const std::string_view digits = space == line.npos ? "" : line.substr(space + 1);
    uint64_t hash = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, hash, 16);
    if (space == 0 || digits.size() != kDigits || error != std::errc() || rest != end)
        return wrong(number, "not NAME and 16 hexadecimal digits");
    if (!list.emplace(line.substr(0, space), hash).second)
        return wrong(number, std::string(line.substr(0, space)) + " stands twice");
    return {};
}

}  // namespace

Result<HashList> parse_hash_list(std::string_view text) {
    HashList list;
    for (uint32_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!line.empty() && line.front() != '#')
            VALKYR_TRY_VOID(add_line(line, number, list));
    }
    return list;
}

std::string hash_list_text(const HashList& list, std::string_view release) {
    std::string text =
        fmt::format("# Hashes of all that {} draws (docs/results/same_bits.md).\n", release);
    for (const auto& [name, hash] : list)
        text += fmt::format("{} {}\n", name, hash_text(hash));
    return text;
}

std::string hash_text(uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

std::string_view recorded_hashes() {
    return recorded_file("same_bits.txt");
}

}  // namespace valkyr::hashes
