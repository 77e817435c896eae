// Command isa: prints the instruction set reference.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"
#include "app/commands.hpp"
#include "app/isa/isa_reference.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace valkyr::app {

namespace {

using namespace valhall;

struct IsaOptions {
    std::string name;
    std::string unit;
    std::string html;
    bool list = false;
    bool json = false;
};

int print(const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? kExitOk : kExitError;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

const OpInfo* find_in_any_case(const std::string& name) {
    for (const OpInfo& info : all_ops())
        if (upper(std::string(info.name)) == upper(name))
            return &info;
    return nullptr;
}

int print_page(const std::string& name) {
    if (const OpInfo* const info = find_in_any_case(name))
        return print(isa_page(*info));
    std::string text = "valkyr isa: there is no instruction " + name;
    constexpr size_t kMost = 12;
    const auto similar = isa_suggestions(name);
    for (size_t i = 0; i < std::min(similar.size(), kMost); ++i)
        text += (i == 0 ? "; there are " : ", ") + similar[i];
    if (similar.size() > kMost)
        text += ", ...";
    std::fprintf(stderr, "%s\n", text.c_str());
    return kExitError;
}

int print_list(const std::string& unit) {
    if (unit.empty())
        return print(isa_list(std::nullopt));
    for (auto u = Unit::Fma;; u = static_cast<Unit>(static_cast<int>(u) + 1)) {
        if (unit_name(u) == upper(unit))
            return print(isa_list(u));
        if (u == Unit::None)
            break;
    }
    std::fprintf(stderr, "valkyr isa: there is no unit %s\n", unit.c_str());
    return kExitError;
}

int isa(const IsaOptions& options) {
    if (options.json)
        return print(isa_json());
    if (!options.html.empty()) {
        const auto written = write_output(options.html, isa_html());
        if (written.has_value())
            return kExitOk;
        std::fprintf(stderr, "valkyr isa: %s\n", written.error().text.c_str());
        return kExitError;
    }
    if (!options.name.empty())
        return print_page(options.name);
    return print_list(options.unit);
}

}  // namespace

void add_isa_command(CommandLine& line) {
    const Command command = line.subcommand("isa", "Look up Valhall instructions");
    auto options = std::make_shared<IsaOptions>();
    const Option name = command.option("NAME", options->name, "Instruction, e.g. FMA.f32");
    const Option unit =
        command.option("--unit", options->unit, "List one unit: FMA CVT SFU V LS T VT NONE");
    const Option list =
        command.flag("--list", options->list, "List all instructions (also without NAME)");
    const Option json = command.flag("--json", options->json, "Print the whole set as JSON");
    const Option html =
        command.option("--html", options->html, "Write the whole set as an HTML page");
    name.excludes(unit).excludes(list).excludes(json).excludes(html);
    json.excludes(html).excludes(unit);
    html.excludes(unit);
    command.runs([options] { return isa(*options); });
}

}  // namespace valkyr::app
