// Doctor: checks everything that `valkyr run` needs, and says what to do.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/doctor.hpp"

#include "app/cli/own_program.hpp"
#include "app/run/client_folder.hpp"
#include "app/run/doctor/display_check.hpp"
#include "app/run/doctor/folder_check.hpp"
#include "app/run/doctor/host_check.hpp"
#include "app/run/doctor/isolated.hpp"
#include "app/run/doctor/libraries.hpp"
#include "app/run/doctor/mesa_driver.hpp"
#include "app/run/doctor/probes.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace valkyr::app {

namespace {

constexpr std::chrono::seconds kProbeLimit{20};

void append(Findings& rows, Findings more) {
    std::move(more.begin(), more.end(), std::back_inserter(rows));
}

/// The lines that `wanted` accepts, "; " between them.
template <typename Wanted>
std::string lines_of(std::string_view text, const Wanted& wanted) {
    std::string lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (!line.empty() && wanted(line))
            (lines += lines.empty() ? "" : "; ") += line;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// How programs are started: the options of `valkyr run`.
struct RunOptions {
    bool xvfb = false;
    std::string client;
};

/// Starts doctor's client under `valkyr run`.
/// returns  the description of its context
/// errors   as output_of()
Result<std::string> probe(const char* name, const RunOptions& options) {
    const std::string self = own_program();
    std::vector<std::string> words = {self, "run", "--quiet"};
    if (options.xvfb)
        words.emplace_back("--xvfb");
    if (!options.client.empty())
        words.insert(words.end(), {"--client", options.client});
    for (const char* word : {"--", self.c_str(), "doctor", kProbeOption, name})
        words.emplace_back(word);
    const auto output = output_of(words, kProbeLimit);
    if (!output.has_value())
        return Error{Errc::System, {}, lines_of(output.error().text, [](std::string_view line) {
                         return line != kDoctorHint;
                     })};
    // Libraries of the system may print other lines.
    return lines_of(*output, [](std::string_view line) { return line.starts_with("OpenGL "); });
}

/// The row of a probe.
/// without  the verdict if the probe fails
Finding
context_finding(const char* row, const char* name, const RunOptions& options, Verdict without) {
    const auto context = probe(name, options);
    if (context.has_value())
        return {row, *context, Verdict::Ok, {}};
    const std::string& text = context.error().text;
    if (text.find("another driver draws") != text.npos)
        return {row, text, without,
                "unset LIBGL_ALWAYS_INDIRECT, and set __GLX_VENDOR_LIBRARY_NAME=mesa if another "
                "vendor's libraries are installed"};
    return {row, text, without,
            without == Verdict::Missing
                ? "mend what is missing above; if nothing is, report this text"
                : "only programs that use EGL are concerned"};
}

/// The row of arrays, which Mesa 22.3 translates wrongly where the counter of a loop is the index.
Finding array_finding(const RunOptions& options) {
    const auto drawn = probe(kArrayProbe, options);
    if (drawn.has_value())
        return {"arrays in loops", "the elements are those that the shader names", Verdict::Ok, {}};
    const std::string& text = drawn.error().text;
    return {"arrays in loops", text, Verdict::Note,
            text.find(kWrongElements) != text.npos
                ? "Mesa 22.3 translates such shaders wrongly: install valkyr-client (made by "
                  "tools/package.sh --client) or a newer Mesa"
                : "report this text; other checks say whether programs run"};
}

Finding glxgears_finding(const Variables& variables) {
    const std::string program = find_program(variables, "glxgears");
    if (!program.empty())
        return {"glxgears", program, Verdict::Ok, {}};
    return {"glxgears", "not installed", Verdict::Missing,
            "install glxgears (Debian: mesa-utils), the program that shows that all works"};
}

/// The row of the client that programs get.
Finding client_finding(const Result<std::optional<ClientFolder>>& client) {
    if (!client.has_value())
        return {"Mesa's client", client.error().text, Verdict::Missing,
                "give --client or VALKYR_CLIENT a folder with Mesa's libraries, or system"};
    if (!*client)
        return {"Mesa's client", "the system's", Verdict::Ok, {}};
    return {
        "Mesa's client", (*client)->libraries + " (" + (*client)->origin + ")", Verdict::Ok, {}};
}

}  // namespace

Findings examine(const Variables& variables, bool xvfb, const std::string& wanted_client) {
    const auto client = find_client(wanted_client, own_program());
    const std::optional<ClientFolder> folder = client.has_value() ? *client : std::nullopt;
    // A client of its own has its drivers, whatever the environment says.
    const Variables used = [&](const std::string& name) {
        return folder && name == "LIBGL_DRIVERS_PATH" ? folder->drivers : variables(name);
    };
    Findings rows = {client_finding(client)};
    LibraryFindings libraries = library_findings(folder);
    append(rows, std::move(libraries.rows));
    rows.push_back(driver_finding(mesa_folders(used, libraries.mesa)));
    DisplayFindings display = display_findings(variables, xvfb);
    append(rows, std::move(display.rows));
    append(rows, folder_findings());
    append(rows, host_findings());
    rows.push_back(glxgears_finding(variables));
    rows.push_back(
        context_finding("context of EGL", kEglProbe, {false, wanted_client}, Verdict::Note));
    rows.push_back(
        rows.back().verdict == Verdict::Ok
            ? array_finding({false, wanted_client})
            : Finding{"arrays in loops", "not tried without a context of EGL", Verdict::Note, {}});
    rows.push_back(
        display.usable
            ? context_finding("context of GLX", kGlxProbe, {xvfb, wanted_client}, Verdict::Missing)
            : Finding{"context of GLX", "not tried without a display", Verdict::Note, {}});
    return rows;
}

bool is_well(const Findings& findings) {
    return std::none_of(findings.begin(), findings.end(),
                        [](const Finding& finding) { return finding.verdict == Verdict::Missing; });
}

}  // namespace valkyr::app
