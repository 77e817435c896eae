// Listing: prints whole programs.
// SPDX-License-Identifier: MIT
#include "valhall/text/listing.hpp"

#include "valhall/isa/decode.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace valkyr::valhall {
namespace {

std::string undecodable(uint64_t word) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text = ".word 0x";
    for (unsigned shift = 64; shift > 0; shift -= 4)
        text += kDigits[word >> (shift - 4) & 15];
    return text;
}

/// The words before the first all-zero one.
std::span<const uint64_t> until_end(std::span<const uint64_t> words) {
    return words.first(
        static_cast<size_t>(std::find(words.begin(), words.end(), 0u) - words.begin()));
}

/// The place of the immediate that counts instructions, if the instruction has one.
std::optional<size_t> label_operand(const OpInfo& info) {
    for (size_t i = 0; i < info.immediates.size(); ++i)
        if (info.immediates[i].is_label)
            return i;
    return std::nullopt;
}

/// The index of the instruction that a branch goes to, if it lies in the program.
std::optional<size_t> target_of(const Instr& instr, size_t index, size_t count) {
    const auto operand = label_operand(op_info(instr.op));
    if (!operand)
        return std::nullopt;
    const int64_t target = static_cast<int64_t>(index) + 1 + instr.imm[*operand];
    if (target < 0 || target > static_cast<int64_t>(count))
        return std::nullopt;
    return static_cast<size_t>(target);
}

using LabelNames = std::map<size_t, std::string>;

LabelNames name_targets(std::span<const uint64_t> words) {
    LabelNames names;
    for (size_t i = 0; i < words.size(); ++i)
        if (const auto instr = decode(words[i]); instr.has_value())
            if (const auto target = target_of(*instr, i, words.size()))
                names.emplace(*target, "");
    size_t number = 0;
    for (auto& [index, name] : names)
        name = "L" + std::to_string(number++);
    return names;
}

/// The text of word `index`; a branch whose target has a name shows it in place of the number.
std::string text_of(std::span<const uint64_t> words, size_t index, const LabelNames& names) {
    const auto instr = decode(words[index]);
    if (!instr.has_value())
        return undecodable(words[index]);
    std::string text = disassemble(*instr);
    const auto target = target_of(*instr, index, words.size());
    if (!target || names.count(*target) == 0)
        return text;
    // The immediate is the last operand that the instruction has.
    return text.substr(0, text.rfind(':') + 1) + names.at(*target);
}

/// The lines of a text, without their ends.
std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The comment above the words of a source line: name and number, and the line where it is known.
std::string
source_comment(const Program& program, uint32_t line, std::span<const std::string_view> lines) {
    std::string out = "# " + (program.source_name.empty() ? "line" : program.source_name) + ':' +
                      std::to_string(line);
    if (line <= lines.size() && !lines[line - 1].empty())
        out += ": " + std::string(lines[line - 1]);
    return out + '\n';
}

std::string padded(size_t number, size_t width) {
    std::string text = std::to_string(number);
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

void append_program(std::string& out,
                    const Program& program,
                    std::span<const std::string_view> lines) {
    uint32_t shown = 0;
    for (size_t i = 0; i < program.words.size(); ++i) {
        const uint32_t line = i < program.source_lines.size() ? program.source_lines[i] : 0;
        if (line != 0 && line != shown) {
            out += source_comment(program, line, lines);
            shown = line;
        }
        out += padded(i, 5) + "  " + to_hex_form(program.words[i]) + "    " +
               text_of(program.words, i, {}) + '\n';
    }
}

}  // namespace

std::string list_words(std::span<const uint64_t> words, ListingStyle style) {
    words = until_end(words);
    const LabelNames names = style.labels ? name_targets(words) : LabelNames{};
    std::string out;
    for (size_t i = 0; i <= words.size(); ++i) {
        if (const auto name = names.find(i); name != names.end())
            out += name->second + ":\n";
        if (i == words.size())
            break;
        if (style.bytes)
            out += to_hex_form(words[i]) + "    ";
        out += text_of(words, i, names) + '\n';
    }
    return out;
}

std::string list_program(const Program& program, std::string_view source) {
    const std::vector<std::string_view> lines = split_lines(source);
    std::string out;
    append_program(out, program, lines);
    if (program.prologue != nullptr) {
        out += "# prologue\n";
        append_program(out, *program.prologue, lines);
    }
    return out;
}

}  // namespace valkyr::valhall
