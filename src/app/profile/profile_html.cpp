// Profile HTML: shows a profile as one page.
// SPDX-License-Identifier: MIT
#include "app/profile/profile_html.hpp"

#include "app/cli/html.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace valkyr::profile {

namespace {

using app::html_escaped;

constexpr std::string_view kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 1em 2em; color: #222; }
h1 { font-size: 1.3em; } h2 { font-size: 1.1em; margin: 1.4em 0 .3em; } p { margin: .2em 0; color: #555; }
summary, .row { font: 12px/1.6 monospace; white-space: pre; cursor: default; padding: 0 .4em; }
summary { cursor: pointer; } details details { margin-left: 1.2em; } details .row { margin-left: 2.4em; }
table { border-collapse: collapse; font: 12px/1.6 monospace; }
td, th { text-align: right; padding: 0 .7em; } td:last-child, th:last-child { text-align: left; }
)";

/// Prints the parts of one profile.
class Page {
public:
    Page(const Profile& profile, const std::optional<MaliCore>& mali)
        : profile_(profile)
        , mali_(mali) {}

    std::string write() {
        const std::string title = html_escaped(profile_.what);
        out_ = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
               ": profile</title>\n<style>" + std::string(kStyle) + "</style></head><body>\n";
        print(
            "<h1>{}: {:.3f} ms</h1>\n<p>On one thread, the mean of {} times; {} samples stand for "
            "{:.1f} % of it.</p>\n",
            title, 1e3 * profile_.seconds, profile_.frames, profile_.samples,
            profile_.seconds > 0 ? 100 * profile_.sampled / profile_.seconds : 0);
        if (!profile_.draws.empty())
            draws();
        out_ += "<h2>Shaders</h2>\n<p>Part of the frame, warps, live lanes of 16.</p>\n";
        for (const KernelCost& one : profile_.kernels)
            kernel(one);
        out_ += "<h2>Outside of shaders</h2>\n";
        for (const FunctionCost& cost : profile_.functions)
            row("div class=\"row\"", {cost.seconds, 0}, {}, cost.name), out_ += "</div>\n";
        if (mali_)
            estimate(*mali_);
        return out_ + "</body></html>\n";
    }

private:
    template <typename... Values>
    void print(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }

    /// Opens an element with the numbers of a row and its text.
    void row(const std::string& element,
             const Seconds& seconds,
             const WordCount& count,
             const std::string& text) {
        const double part = profile_.sampled > 0 ? seconds.all() / profile_.sampled : 0;
        // From white to orange; a fifth of the frame has the full colour.
        const auto heat = static_cast<int>(255 - 155 * std::min(part * 5, 1.0));
        const std::string time = part > 0 ? fmt::format("{:.1f} %", 100 * part) : "";
        const std::string warps = count.warps != 0 ? std::to_string(count.warps) : "";
        const std::string lanes =
            count.warps != 0
                ? fmt::format("{:.1f}", static_cast<double>(count.lanes - count.helpers) /
                                            static_cast<double>(count.warps))
                : "";
        print("<{} style=\"background:rgb(255,{},{})\">{:>7} {:>9} {:>5}  {}", element,
              (255 + heat) / 2, heat, time, warps, lanes, html_escaped(text));
    }

    void draws() {
        out_ += "<h2>Draws</h2>\n<table><tr><th>ms</th><th>draw</th></tr>\n";
        for (size_t i = 0; i < profile_.draws.size(); ++i)
            print("<tr><td>{:.3f}</td><td>{}: {}</td></tr>\n", 1e3 * profile_.draws[i].seconds, i,
                  html_escaped(profile_.draws[i].what));
        out_ += "</table>\n";
    }

    void kernel(const KernelCost& kernel) {
        WordCount most;
        most.warps = kernel.warps();
        for (const WordCost& word : kernel.words)
            if (word.count.warps == most.warps)
                most = word.count;
        out_ += "<details>";
        row("summary", kernel.seconds, most,
            kernel.source.program->source_name + " (" + kernel.stage + ")");
        out_ += "</summary>\n";
        if (kernel.glsl.is_known())
            glsl_rows(kernel);
        out_ += "<details><summary>(set-up and ends of the warp loop)</summary>\n";
        host_rows(kernel, jit::kPrologueWord);
        out_ += "</details>\n";
        uint32_t number = 0;
        for (size_t at = 0; at < kernel.text.size() && !kernel.source.is_prologue();) {
            const size_t end = std::min(kernel.text.find('\n', at), kernel.text.size());
            const WordCost cost = kernel.line(++number);
            const std::string text =
                fmt::format("{:4} {}", number, kernel.text.substr(at, end - at));
            out_ += "<details>";
            row("summary", cost.seconds, cost.count, text);
            out_ += "</summary>\n";
            word_rows(kernel, number);
            out_ += "</details>\n";
            at = end + 1;
        }
        // Without a text all words are shown; else those of no line.
        const bool has_text = !kernel.text.empty() && !kernel.source.is_prologue();
        word_rows(kernel, has_text ? std::optional<uint32_t>(0) : std::nullopt);
        out_ += "</details>\n";
    }

    /// The GLSL, each line with the lines of the text that come from it.
    void glsl_rows(const KernelCost& kernel) {
        out_ += "<details><summary>" + html_escaped(kernel.glsl.title) + "</summary>\n";
        for (uint32_t number = 1; number <= kernel.glsl.source.size(); ++number) {
            const WordCost cost = kernel.glsl_line(number);
            row("div class=\"row\"", cost.seconds, cost.count,
                fmt::format("{:4} {}", number, kernel.glsl.source[number - 1]));
            out_ += "</div>\n";
        }
        out_ += "</details>\n";
    }

    void word_rows(const KernelCost& kernel, std::optional<uint32_t> line) {
        for (size_t word = 0; word < kernel.words.size(); ++word) {
            if (kernel.source.line_of(word) != line.value_or(kernel.source.line_of(word)))
                continue;
            const auto text = valhall::disassemble(kernel.source.program->words[word]);
            out_ += "<details>";
            row("summary", kernel.words[word].seconds, kernel.words[word].count,
                fmt::format("{:4} {}", word, text ? *text : ".word"));
            out_ += "</summary>\n";
            host_rows(kernel, static_cast<uint32_t>(word));
            out_ += "</details>\n";
        }
    }

    void host_rows(const KernelCost& kernel, uint32_t word) {
        for (const HostCost& host : kernel.host) {
            if (host.line.word_index != word)
                continue;
            row("div class=\"row\"", host.seconds, {},
                fmt::format("{:5x} {}", host.line.offset, host.line.text));
            out_ += "</div>\n";
        }
    }

    void estimate(const MaliCore& core) {
        print("<h2>Cycles of one core of a {}, an estimate</h2>\n<p>Pipes work side by side; "
              "the fullest one bounds the time. Caches, latency, filters other than bilinear and "
              "fixed functions are not modelled.</p>\n<table><tr>",
              core.title);
        for (size_t pipe = 0; pipe < kPipes; ++pipe)
            print("<th>{}</th>", pipe_name(static_cast<Pipe>(pipe)));
        out_ += "<th>bound by</th><th>shader</th></tr>\n";
        for (const KernelCost& kernel : profile_.kernels) {
            const PipeCycles cycles = kernel_cycles(kernel, core);
            out_ += "<tr>";
            for (const double count : cycles.cycles)
                print("<td>{:.0f}</td>", count);
            print("<td>{}</td><td>{} ({})</td></tr>\n", pipe_name(cycles.fullest()),
                  html_escaped(kernel.source.program->source_name), kernel.stage);
        }
        out_ += "</table>\n";
    }

    const Profile& profile_;
    const std::optional<MaliCore>& mali_;
    std::string out_;
};

}  // namespace

std::string profile_html(const Profile& profile, const std::optional<MaliCore>& mali) {
    return Page(profile, mali).write();
}

}  // namespace valkyr::profile
