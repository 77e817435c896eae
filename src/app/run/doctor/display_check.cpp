// Display check: finds out which display programs can reach.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/display_check.hpp"

#include "app/run/doctor/isolated.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace valkyr::app {

namespace {

/// Displays of other machines may never answer.
constexpr std::chrono::seconds kLimit{5};
constexpr unsigned kFirstPort = 6000;
constexpr const char* kUseXvfb = "use `valkyr run --xvfb -- PROGRAM`";

Error unreachable(int error) {
    return Error{Errc::System, {}, std::strerror(error)};
}

/// Connects to a local socket and disconnects. The path of an abstract socket begins with a zero
/// byte.
Result<std::string> reach_socket(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return unreachable(ENAMETOOLONG);
    path.copy(address.sun_path, path.size());
    const auto length = offsetof(sockaddr_un, sun_path) + path.size() + (path[0] != 0 ? 1 : 0);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool reached = client >= 0 && connect(client, reinterpret_cast<sockaddr*>(&address),
                                                static_cast<socklen_t>(length)) == 0;
    const int error = errno;
    if (client >= 0)
        close(client);
    return reached ? Result<std::string>(path) : unreachable(error);
}

Result<std::string> reach_port(const std::string& host, unsigned port) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
        error != 0)
        return Error{Errc::System, {}, host + ": " + gai_strerror(error)};
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(list, &freeaddrinfo);
    int error = ECONNREFUSED;
    for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
        const int client = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool reached = client >= 0 && connect(client, one->ai_addr, one->ai_addrlen) == 0;
        error = errno;
        if (client >= 0)
            close(client);
        if (reached)
            return host;
    }
    return unreachable(error);
}

/// Connects to an X display as X clients do.
Result<std::string> reach_display(const std::string& text) {
    const auto name = parse_display(text);
    if (!name)
        return Error{Errc::Syntax, {}, "this is no name of a display"};
    if (!name->host.empty())
        return reach_port(name->host, kFirstPort + name->number);
    const std::string path = "/tmp/.X11-unix/X" + std::to_string(name->number);
    auto reached = reach_socket('\0' + path);
    return reached.has_value() ? reached : reach_socket(path);
}

/// The socket of the Wayland compositor; empty: the environment names none.
std::string wayland_socket(const Variables& variables) {
    std::string name = variables("WAYLAND_DISPLAY");
    if (name.empty() || name[0] == '/')
        return name;
    return variables("XDG_RUNTIME_DIR") + "/" + name;
}

/// The row of the X display if there is none.
Finding no_display(const Variables& variables, bool has_xvfb) {
    Finding row{"display", "DISPLAY is not set", Verdict::Missing, {}};
    const std::string socket = wayland_socket(variables);
    const bool wayland =
        !socket.empty() && isolated([&] { return reach_socket(socket); }, kLimit).has_value();
    row.remedy =
        wayland ? "for programs of X install Xwayland (Debian: xwayland), or " : "set DISPLAY, or ";
    if (wayland)
        row.found += "; Wayland: " + socket;
    if (!has_xvfb)
        row.remedy += "install Xvfb (Debian: xvfb) and ";
    row.remedy += kUseXvfb;
    return row;
}

Finding given_display(const std::string& display) {
    const auto reached = isolated([&] { return reach_display(display); }, kLimit);
    if (reached.has_value())
        return {"display", "DISPLAY " + display, Verdict::Ok, {}};
    return {"display", "DISPLAY " + display + ": " + reached.error().text, Verdict::Missing,
            std::string("set DISPLAY to a display that runs, or unset it and ") + kUseXvfb};
}

}  // namespace

std::optional<DisplayName> parse_display(const std::string& text) {
    const size_t colon = text.rfind(':');
    if (colon == text.npos)
        return std::nullopt;
    DisplayName name;
    name.host = text.substr(0, colon);
    if (name.host == "unix")
        name.host.clear();
    const std::string_view rest = std::string_view(text).substr(colon + 1);
    const char* const last = rest.data() + rest.size();
    const auto [end, error] = std::from_chars(rest.data(), last, name.number);
    if (error != std::errc() || (end != last && *end != '.'))
        return std::nullopt;
    return name;
}

std::string find_program(const Variables& variables, const std::string& name) {
    const std::string path = variables("PATH");
    for (size_t begin = 0; begin < path.size();) {
        const size_t end = std::min(path.find(':', begin), path.size());
        std::string file = path.substr(begin, end - begin) + "/" + name;
        if (access(file.c_str(), X_OK) == 0)
            return file;
        begin = end + 1;
    }
    return {};
}

DisplayFindings display_findings(const Variables& variables, bool xvfb) {
    const std::string display = variables("DISPLAY");
    const std::string program = find_program(variables, "Xvfb");
    DisplayFindings findings;
    if (!display.empty())
        findings.rows.push_back(given_display(display));
    else if (xvfb)
        findings.rows.push_back({"display", "one that `run --xvfb` starts", Verdict::Ok, {}});
    else
        findings.rows.push_back(no_display(variables, !program.empty()));
    const bool needed = xvfb && display.empty();
    if (!program.empty())
        findings.rows.push_back({"Xvfb", program, Verdict::Ok, {}});
    else
        findings.rows.push_back({"Xvfb", "not installed", needed ? Verdict::Missing : Verdict::Note,
                                 "for `valkyr run --xvfb` install Xvfb (Debian: xvfb)"});
    findings.usable =
        std::none_of(findings.rows.begin(), findings.rows.end(),
                     [](const Finding& row) { return row.verdict == Verdict::Missing; });
    return findings;
}

}  // namespace valkyr::app
