// HTML listing: prints a compiled shader as one page.
// SPDX-License-Identifier: MIT
#include "app/compile/listing_html.hpp"

#include "app/cli/html.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace valkyr::app {

namespace {

constexpr std::string_view kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 0; color: #222; display: flex; flex-direction: column; height: 100vh; }
header { padding: .4em 1em; border-bottom: 1px solid #bbb; }
h1 { font-size: 1.1em; margin: 0; } header p { margin: .2em 0 0; color: #555; }
main { display: grid; grid-template-columns: 30fr 38fr 32fr; flex: 1; min-height: 0; }
section { overflow: auto; border-right: 1px solid #bbb; }
h2 { position: sticky; top: 0; background: #eee; font-size: 1em; margin: 0; padding: .2em .6em; }
ol { list-style: none; margin: 0; padding: 0; font: 12px/1.5 monospace;
     width: max-content; min-width: 100%; }
li { padding: 0 .6em; cursor: default; white-space: pre; display: flex; background: #fff; } li b { font-weight: normal; color: #888; }
li i { font-style: normal; color: #a40; order: 1; margin-left: auto; padding-left: 1em;
       position: sticky; right: 0; margin-right: -.6em; padding-right: .6em; background: inherit; }
li.line { background: #fdf3c4; } li.word { background: #f9d976; }
)";

/// Marks rows of one source line, and more strongly those of one word; scrolls the other columns to
/// the first marked row.
constexpr std::string_view kScript = R"(
const rows = [...document.querySelectorAll('li')];
let kept = null;
function mark(row) {
  const line = row ? row.dataset.line : '', word = row ? row.dataset.word : undefined;
  for (const other of rows) {
    other.classList.toggle('line', !!row && line !== '0' && other.dataset.line === line);
    other.classList.toggle('word', !!row && (other === row || (word !== undefined && other.dataset.word === word)));
  }
  if (!row) return;
  for (const section of document.querySelectorAll('section')) {
    if (section.contains(row)) continue;
    const first = section.querySelector('li.word') || section.querySelector('li.line');
    if (first) section.scrollTop = first.offsetTop - section.offsetTop - section.clientHeight / 3;
  }
}
for (const row of rows) {
  row.addEventListener('mouseenter', () => { if (!kept) mark(row); });
  row.addEventListener('click', () => { kept = kept === row ? null : row; mark(row); });
}
)";

/// Host code of one word or line.
struct Cost {
    size_t instructions = 0;
    size_t bytes = 0;

    void add(const Cost& other) {
        instructions += other.instructions;
        bytes += other.bytes;
    }
    [[nodiscard]] std::string text() const {
        return instructions == 0 ? std::string()
                                 : fmt::format("<i>{} / {} B</i>", instructions, bytes);
    }
};

uint32_t line_of(const valhall::Program& program, uint32_t word) {
    return word < program.source_lines.size() ? program.source_lines[word] : 0;
}

/// Costs by word; code of no word counts for jit::kPrologueWord. An instruction ends where the next
/// one begins, so the length of the last one is unknown and counts as 0.
std::map<uint32_t, Cost> costs_by_word(const std::vector<jit::HostLine>& lines) {
    std::map<uint32_t, Cost> costs;
    for (size_t i = 0; i < lines.size(); ++i) {
        const size_t end = i + 1 < lines.size() ? lines[i + 1].offset : lines[i].offset;
        costs[lines[i].word_index].add({1, end - lines[i].offset});
    }
    return costs;
}

void append_row(std::string& out, const std::string& data, const std::string& content) {
    out += "<li " + data + ">" + content + "</li>\n";
}

std::string source_rows(const valhall::Program& program,
                        const std::map<uint32_t, Cost>& costs,
                        std::string_view source) {
    std::map<uint32_t, Cost> by_line;
    for (const auto& [word, cost] : costs)
        if (word != jit::kPrologueWord)
            by_line[line_of(program, word)].add(cost);
    std::string out;
    for (uint32_t number = 1; !source.empty(); ++number) {
        const size_t end = std::min(source.find('\n'), source.size());
        append_row(out, fmt::format("data-line=\"{}\"", number),
                   by_line[number].text() +
                       fmt::format("<b>{:4}</b> {}", number, html_escaped(source.substr(0, end))));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return out;
}

std::string word_rows(const valhall::Program& program, const std::map<uint32_t, Cost>& costs) {
    std::string out;
    for (uint32_t i = 0; i < program.words.size(); ++i) {
        const auto text = valhall::disassemble(program.words[i]);
        const auto cost = costs.find(i);
        append_row(out, fmt::format("data-line=\"{}\" data-word=\"{}\"", line_of(program, i), i),
                   (cost == costs.end() ? std::string() : cost->second.text()) +
                       fmt::format("<b>{:4} {:016x}</b> {}", i, program.words[i],
                                   html_escaped(text.has_value() ? *text : ".word")));
    }
    return out;
}

std::string host_rows(const valhall::Program& program, const std::vector<jit::HostLine>& lines) {
    std::string out;
    for (const jit::HostLine& line : lines) {
        const bool around = line.word_index == jit::kPrologueWord;
        append_row(out,
                   around ? std::string("data-line=\"0\"")
                          : fmt::format("data-line=\"{}\" data-word=\"{}\"",
                                        line_of(program, line.word_index), line.word_index),
                   fmt::format("<b>{:5x}</b> {}", line.offset, html_escaped(line.text)));
    }
    return out;
}

std::string column(std::string_view title, const std::string& rows) {
    return fmt::format("<section><h2>{}</h2><ol>\n{}</ol></section>\n", title, rows);
}

}  // namespace

std::string list_html(const valhall::Program& program,
                      const std::vector<jit::HostLine>& lines,
                      std::string_view source,
                      std::string_view name) {
    const std::map<uint32_t, Cost> costs = costs_by_word(lines);
    Cost all;
    for (const auto& [word, cost] : costs)
        all.add(cost);
    const std::string title = html_escaped(name);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                      title + "</title>\n<style>" + std::string(kStyle) + "</style></head><body>\n";
    out += fmt::format("<header><h1>{}</h1><p>{} Valhall words, {} host instructions, {} bytes. "
                       "Point at a line to see what belongs to it; click to keep the mark. "
                       "Numbers at the right: host instructions / bytes.</p></header>\n<main>\n",
                       title, program.words.size(), all.instructions, all.bytes);
    out += column("TGSI", source_rows(program, costs, source));
    out += column("Valhall", word_rows(program, costs));
    out += column("Host", host_rows(program, lines));
    return out + "</main>\n<script>" + std::string(kScript) + "</script></body></html>\n";
}

}  // namespace valkyr::app
