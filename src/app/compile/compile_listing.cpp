// Compile listing: lists host code, alone or beside the shader's text and Valhall words.
// SPDX-License-Identifier: MIT
#include "app/compile/compile_listing.hpp"

#include "valhall/text/disassemble.hpp"

#include <fmt/format.h>

namespace valkyr::app {

namespace {

constexpr size_t kSourceWidth = 46;
constexpr size_t kGuestWidth = 78;

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// At most `width` characters; a longer text is cut and marked.
std::string fit(std::string_view text, size_t width) {
    return text.size() <= width ? std::string(text) : std::string(text.substr(0, width - 2)) + "..";
}

std::string guest_column(const valhall::Program& program, size_t index) {
    const uint64_t word = program.words[index];
    const auto text = valhall::disassemble(word);
    return fmt::format("{:4} {:016x} {}", index, word, text.has_value() ? *text : ".word");
}

/// Rows of the table: the first host line stands beside the first two columns.
void append_rows(std::string& out,
                 std::string_view source,
                 const std::string& guest,
                 const std::vector<const jit::HostLine*>& host) {
    const size_t rows = host.empty() ? 1 : host.size();
    for (size_t row = 0; row < rows; ++row) {
        std::string line =
            fmt::format("{:<{}} | {:<{}} |", row == 0 ? fit(source, kSourceWidth) : "",
                        kSourceWidth, row == 0 ? fit(guest, kGuestWidth) : "", kGuestWidth);
        if (!host.empty())
            line += fmt::format(" {:5x}  {}", host[row]->offset, host[row]->text);
        out += line + "\n";
    }
}

}  // namespace

Result<jit::HostLevel> host_level_option(const std::string& name) {
    const jit::HostLevel level = name == "auto"
                                     ? jit::best_host_level()
                                     : jit::parse_host_level(name).value_or(jit::HostLevel::None);
    if (level == jit::HostLevel::None)
        return Error{Errc::Unsupported, {}, "no recompiler for this host"};
    return level;
}

Result<std::vector<jit::HostLine>> recompile_for_listing(const valhall::Program& program,
                                                         jit::HostLevel level) {
    VALKYR_TRY(recompiler, jit::Recompiler::create(level, {.listing_only = true}));
    auto vertex = std::make_unique<exec::VertexKey>();
    for (exec::Format& format : vertex->attribute_format)
        format = exec::Format::R32G32B32A32_FLOAT;
    auto fragment = std::make_unique<exec::FragmentKey>();
    for (exec::BlendKey& target : fragment->blend)
        target.format = exec::Format::R8G8B8A8_UNORM;
    const jit::KernelKey key{vertex.get(), fragment.get()};
    jit::RecompileOptions options;
    options.listing = true;
    VALKYR_TRY(kernel, recompiler->recompile(program, key, options));
    return kernel->listing();
}

std::string list_host(const std::vector<jit::HostLine>& lines) {
    std::string out;
    for (const jit::HostLine& line : lines)
        out += fmt::format("{:5x}  {}\n", line.offset, line.text);
    return out;
}

std::string list_side_by_side(const valhall::Program& program,
                              const std::vector<jit::HostLine>& lines,
                              std::string_view source) {
    // Host lines by Valhall word. Code of no word (set-up, code behind the last word) is listed
    // first.
    std::vector<std::vector<const jit::HostLine*>> by_word(program.words.size());
    std::vector<const jit::HostLine*> around;
    for (const jit::HostLine& line : lines)
        (line.word_index < by_word.size() ? by_word[line.word_index] : around).push_back(&line);

    const std::vector<std::string_view> text = split_lines(source);
    std::string out;
    append_rows(out, "TGSI", "Valhall", {});
    out += std::string(kSourceWidth, '-') + "-+-" + std::string(kGuestWidth, '-') + "-+-" +
           std::string(40, '-') + "\n";
    append_rows(out, "", "(set-up and ends of the warp loop)", around);
    uint32_t last_line = 0;
    for (size_t i = 0; i < program.words.size(); ++i) {
        const uint32_t number = i < program.source_lines.size() ? program.source_lines[i] : 0;
        const bool known = number != 0 && number <= text.size() && number != last_line;
        append_rows(out, known ? text[number - 1] : std::string_view{}, guest_column(program, i),
                    by_word[i]);
        last_line = number;
    }
    return out;
}

}  // namespace valkyr::app
