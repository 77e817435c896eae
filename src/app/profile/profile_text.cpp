// Profile text: prints a profile for a terminal.
// SPDX-License-Identifier: MIT
#include "app/profile/profile_text.hpp"

#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace valkyr::profile {

namespace {

/// Prints the parts of one profile.
class Writer {
public:
    Writer(const Profile& profile, const TextOptions& options)
        : profile_(profile)
        , options_(options) {}

    std::string write() {
        head();
        draws();
        kernels();
        functions();
        if (options_.mali)
            estimate(*options_.mali);
        return std::move(out_);
    }

private:
    template <typename... Values>
    void print(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }

    [[nodiscard]] double percent(double seconds) const {
        return profile_.sampled > 0 ? 100 * seconds / profile_.sampled : 0;
    }

    void head() {
        double kernels = 0;
        for (const KernelCost& kernel : profile_.kernels)
            kernels += kernel.seconds.all();
        print("{}: {:.3f} ms on one thread, the mean of {} times\n", profile_.what,
              1e3 * profile_.seconds, profile_.frames);
        print("{} samples, one each {:.0f} us, stand for {:.1f} % of it; shaders took {:.1f} %\n",
              profile_.samples, 1e6 * profile_.period,
              profile_.seconds > 0 ? 100 * profile_.sampled / profile_.seconds : 0,
              percent(kernels));
    }

    void draws() {
        if (profile_.draws.empty())
            return;
        print("\ndraws, each finished before the next one begins\n      ms\n");
        for (size_t i = 0; i < profile_.draws.size(); ++i)
            print("{:8.3f}  draw {}: {}\n", 1e3 * profile_.draws[i].seconds, i,
                  profile_.draws[i].what);
    }

    void kernels() {
        print("\nshaders; lanes: live ones of 16 on average\n   time       ms     warps  lanes\n");
        for (const KernelCost& kernel : profile_.kernels)
            print("{:5.1f} %  {:7.3f}  {:8}  {:5}  {} ({})\n", percent(kernel.seconds.all()),
                  1e3 * kernel.seconds.all(), kernel.warps(), lanes_of_most(kernel),
                  kernel.source.program->source_name, kernel.stage);
        uint32_t shown = 0;
        for (const KernelCost& kernel : profile_.kernels)
            if (options_.detail != Detail::Kernel && shown++ < options_.rows)
                details(kernel);
    }

    /// Live lanes of a count; helper lanes do not count.
    static std::string lanes(const WordCount& count) {
        if (count.warps == 0)
            return "";
        return fmt::format("{:.1f}", static_cast<double>(count.lanes - count.helpers) /
                                         static_cast<double>(count.warps));
    }
    static std::string lanes_of_most(const KernelCost& kernel) {
        const auto most = std::ranges::max_element(
            kernel.words, {}, [](const WordCost& word) { return word.count.warps; });
        return most == kernel.words.end() ? "" : lanes(most->count);
    }

    void row(const Seconds& seconds, const WordCount& count, const std::string& text) {
        const std::string time =
            seconds.all() > 0 ? fmt::format("{:5.1f} %", percent(seconds.all())) : "";
        const std::string warps = count.warps != 0 ? std::to_string(count.warps) : "";
        print("{:>7}  {:>8}  {:>5}  {}\n", time, warps, lanes(count), text);
    }

    void details(const KernelCost& kernel) {
        print("\n{} ({}){}\n   time     warps  lanes\n", kernel.source.program->source_name,
              kernel.stage, kernel.glsl.is_known() ? ": " + kernel.glsl.title : "");
        Seconds around = kernel.seconds;
        for (const WordCost& word : kernel.words)
            around.add({-word.seconds.own, -word.seconds.routines});
        row({std::max(around.all(), 0.0), 0}, {}, "(set-up and ends of the warp loop)");
        if (options_.detail == Detail::Host)
            host_rows(kernel, jit::kPrologueWord);
        if (kernel.text.empty() || kernel.source.is_prologue())
            return word_rows(kernel, std::nullopt);
        if (options_.detail == Detail::Glsl && kernel.glsl.is_known())
            return glsl_rows(kernel);
        uint32_t number = 0;
        for (size_t at = 0; at < kernel.text.size();) {
            const size_t end = std::min(kernel.text.find('\n', at), kernel.text.size());
            ++number;
            const WordCost cost = kernel.line(number);
            if (cost.count.warps != 0 || cost.seconds.all() > 0)
                row(cost.seconds, cost.count,
                    fmt::format("{:4} {}", number, kernel.text.substr(at, end - at)));
            if (options_.detail >= Detail::Word)
                word_rows(kernel, number);
            at = end + 1;
        }
        if (options_.detail >= Detail::Word)
            word_rows(kernel, 0);
    }

    /// The lines of the GLSL that something was compiled to; then what belongs to none.
    void glsl_rows(const KernelCost& kernel) {
        Seconds rest;
        for (const WordCost& word : kernel.words)
            rest.add(word.seconds);
        for (uint32_t number = 1; number <= kernel.glsl.source.size(); ++number) {
            const WordCost cost = kernel.glsl_line(number);
            if (cost.count.warps == 0 && cost.seconds.all() <= 0)
                continue;
            row(cost.seconds, cost.count,
                fmt::format("{:4} {}", number, kernel.glsl.source[number - 1]));
            rest.add({-cost.seconds.own, -cost.seconds.routines});
        }
        row({std::max(rest.all(), 0.0), 0}, {}, "(words of no line)");
    }

    /// The words of a line; all of them without one.
    void word_rows(const KernelCost& kernel, std::optional<uint32_t> line) {
        for (size_t word = 0; word < kernel.words.size(); ++word) {
            if (kernel.source.line_of(word) != line.value_or(kernel.source.line_of(word)))
                continue;
            const auto text = valhall::disassemble(kernel.source.program->words[word]);
            row(kernel.words[word].seconds, kernel.words[word].count,
                fmt::format("       {:4} {}", word, text ? *text : ".word"));
            if (options_.detail == Detail::Host)
                host_rows(kernel, static_cast<uint32_t>(word));
        }
    }

    void host_rows(const KernelCost& kernel, uint32_t word) {
        for (const HostCost& host : kernel.host)
            if (host.line.word_index == word)
                row(host.seconds, {},
                    fmt::format("            {:5x} {}", host.line.offset, host.line.text));
    }

    void functions() {
        print("\noutside of shaders\n   time       ms\n");
        double rest = 0;
        for (size_t i = 0; i < profile_.functions.size(); ++i) {
            const FunctionCost& cost = profile_.functions[i];
            if (i >= options_.rows)
                rest += cost.seconds;
            else
                print("{:5.1f} %  {:7.3f}  {}\n", percent(cost.seconds), 1e3 * cost.seconds,
                      cost.name);
        }
        if (rest > 0)
            print("{:5.1f} %  {:7.3f}  (others)\n", percent(rest), 1e3 * rest);
    }

    void estimate(const MaliCore& core) {
        print("\ncycles of one core of a {}, an estimate: pipes work side by side, the fullest "
              "one bounds the time;\ncaches, latency, filters other than bilinear and fixed "
              "functions are not modelled\n",
              core.title);
        for (size_t pipe = 0; pipe < kPipes; ++pipe)
            print("{:>11}", pipe_name(static_cast<Pipe>(pipe)));
        print("  bound by\n");
        PipeCycles sum;
        for (const KernelCost& kernel : profile_.kernels) {
            const PipeCycles cycles = kernel_cycles(kernel, core);
            sum.add(cycles);
            cycle_row(cycles, kernel.source.program->source_name + " (" + kernel.stage + ")");
        }
        cycle_row(sum, "all");
    }

    void cycle_row(const PipeCycles& cycles, const std::string& name) {
        for (const double count : cycles.cycles)
            print("{:11.0f}", count);
        print("  {:10}  {}\n", pipe_name(cycles.fullest()), name);
    }

    const Profile& profile_;
    const TextOptions& options_;
    std::string out_;
};

}  // namespace

std::string profile_text(const Profile& profile, const TextOptions& options) {
    return Writer(profile, options).write();
}

}  // namespace valkyr::profile
