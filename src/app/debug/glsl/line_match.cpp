// Line match: finds the line of GLSL that each line of a TGSI text comes from.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/line_match.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace valkyr::debug {

namespace {

constexpr unsigned kStrong = 5;  ///< least weight of an anchor that makes a line certain

using Anchors = std::vector<Anchor>;

/// The anchors of both texts as numbers: equal symbols have equal numbers.
struct Numbered {
    std::vector<uint32_t> symbols;
    explicit Numbered(const Anchors& anchors, std::map<std::string, uint32_t>& numbers) {
        for (const Anchor& anchor : anchors)
            symbols.push_back(
                numbers.try_emplace(anchor.symbol, static_cast<uint32_t>(numbers.size()))
                    .first->second);
    }
};

/// The steps of the best alignment: which cell a cell's best score comes from.
enum class From : uint8_t { Glsl, Tgsi, Both };

/// For each anchor of the TGSI text its partner in the GLSL text.
std::vector<std::optional<size_t>> align(const Anchors& glsl, const Anchors& tgsi) {
    std::map<std::string, uint32_t> numbers;
    const Numbered a(glsl, numbers);
    const Numbered b(tgsi, numbers);
    std::vector<unsigned> weights(numbers.size());
    for (const auto& [symbol, number] : numbers)
        weights[number] = anchor_weight(symbol);
    const size_t width = tgsi.size() + 1;
    std::vector<From> from((glsl.size() + 1) * width, From::Tgsi);
    std::vector<uint32_t> above(width, 0);
    std::vector<uint32_t> row(width, 0);
    for (size_t i = 1; i <= glsl.size(); ++i) {
        for (size_t j = 1; j < width; ++j) {
            From& way = from[i * width + j];
            row[j] = row[j - 1];
            if (above[j] > row[j]) {
                row[j] = above[j];
                way = From::Glsl;
            }
            if (a.symbols[i - 1] != b.symbols[j - 1])
                continue;
            const uint32_t both = above[j - 1] + weights[a.symbols[i - 1]];
            if (both > row[j]) {
                row[j] = both;
                way = From::Both;
            }
        }
        std::swap(row, above);
    }
    std::vector<std::optional<size_t>> partners(tgsi.size());
    for (size_t i = glsl.size(), j = tgsi.size(); i > 0 && j > 0;) {
        const From way = from[i * width + j];
        if (way == From::Both)
            partners[j - 1] = i - 1;
        i -= way != From::Tgsi ? 1 : 0;
        j -= way != From::Glsl ? 1 : 0;
    }
    return partners;
}

/// The line of each symbol that only one line of the GLSL text has.
std::map<std::string, uint32_t> single_lines(const Anchors& glsl) {
    std::map<std::string, uint32_t> lines;
    for (const Anchor& anchor : glsl) {
        const auto [entry, is_new] = lines.try_emplace(anchor.symbol, anchor.line);
        if (!is_new && entry->second != anchor.line)
            entry->second = 0;
    }
    std::erase_if(lines, [](const auto& entry) { return entry.second == 0; });
    return lines;
}

/// A line's best evidence so far.
struct Evidence {
    GlslLine found;
    unsigned weight = 0;
    void add(uint32_t line, bool certain, unsigned its_weight) {
        const unsigned all = its_weight + (certain ? 100 : 0);
        if (all <= weight)
            return;
        found = {line, certain};
        weight = all;
    }
};

/// Gives lines without evidence the line of what follows them, since they prepare it; else of what
/// is before them.
void fill(std::vector<GlslLine>& lines, const std::set<uint32_t>& used) {
    uint32_t next = 0;
    for (auto line = used.rbegin(); line != used.rend(); ++line) {
        GlslLine& here = lines[*line];
        if (here.line == 0)
            here.line = next;
        next = here.line;
    }
    uint32_t last = 0;
    for (const uint32_t line : used) {
        if (lines[line].line == 0)
            lines[line].line = last;
        last = lines[line].line;
    }
}

}  // namespace

std::vector<GlslLine>
match_lines(std::string_view glsl, const tgsi::Shader& shader, const RegisterNames& names) {
    const Anchors ours = glsl_anchors(glsl);
    const Anchors theirs = tgsi_anchors(shader, names);
    if (ours.empty() || theirs.empty())
        return {};
    std::set<uint32_t> used;
    for (const tgsi::Instruction& instruction : shader.instructions)
        if (instruction.opcode != tgsi::Opcode::END)
            used.insert(instruction.pos.line);
    const auto single = single_lines(ours);
    const auto partners = align(ours, theirs);
    std::vector<Evidence> evidence(*used.rbegin() + 1);
    for (size_t j = 0; j < theirs.size(); ++j) {
        const unsigned weight = anchor_weight(theirs[j].symbol);
        const auto only = single.find(theirs[j].symbol);
        const bool certain = weight >= kStrong && only != single.end();
        if (certain)
            evidence[theirs[j].line].add(only->second, true, weight);
        else if (partners[j])
            evidence[theirs[j].line].add(ours[*partners[j]].line, false, weight);
    }
    std::vector<GlslLine> lines;
    for (const Evidence& each : evidence)
        lines.push_back(each.found);
    fill(lines, used);
    return lines;
}

}  // namespace valkyr::debug
