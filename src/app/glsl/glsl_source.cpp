// GLSL source: finds the version of a GLSL text and puts macros behind it.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_source.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

namespace valkyr::app {

namespace {

constexpr uint32_t kFirstVersionWithProfiles = 150;
/// Since then, "#line N" is the number of the next line; before, of its own line.
constexpr uint32_t kFirstVersionOfNextLines = 330;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/// The position behind the comment that begins at `at`; `at` if none begins there.
size_t behind_comment(std::string_view text, size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//"))
        return std::min(text.find('\n', at), text.size());
    if (!rest.starts_with("/*"))
        return at;
    const size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
}

/// The position of the first character that is neither blank nor in a comment.
size_t first_token(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        const size_t next = is_blank(text[at]) ? at + 1 : behind_comment(text, at);
        if (next == at)
            break;
        at = next;
    }
    return at;
}

/// The line at `at` up to its line break, which does not count in a comment; `end` is the position
/// behind that. Comments are left out.
std::string line_at(std::string_view text, size_t at, size_t& end) {
    std::string line;
    while (at < text.size() && text[at] != '\n') {
        const size_t next = behind_comment(text, at);
        line += next == at ? text[at] : ' ';
        at = std::max(next, at + (next == at ? 1 : 0));
    }
    end = std::min(at + 1, text.size());
    return line;
}

/// Reads "# version NUMBER PROFILE"; false: the line is something else.
bool read_version(const std::string& line, GlslVersion& version) {
    const size_t hash = line.find('#');
    if (hash == line.npos)
        return false;
    std::istringstream words(line.substr(hash + 1));
    std::string word;
    std::string profile;
    uint32_t number = 0;
    if (!(words >> word >> number) || word != "version")
        return false;
    words >> profile;
    version.number = number;
    version.es = profile == "es" || number == 100;
    version.compatibility =
        !version.es && (number < kFirstVersionWithProfiles || profile == "compatibility");
    return true;
}

bool is_identifier(std::string_view name) {
    const auto good = [](char c) { return c == '_' || std::isalnum(static_cast<uint8_t>(c)) != 0; };
    return !name.empty() && std::isdigit(static_cast<uint8_t>(name.front())) == 0 &&
           std::all_of(name.begin(), name.end(), good);
}

Result<std::string> define_line(std::string_view define) {
    const size_t equals = std::min(define.find('='), define.size());
    const std::string_view name = define.substr(0, equals);
    const std::string_view value = equals < define.size() ? define.substr(equals + 1) : "1";
    if (!is_identifier(name))
        return Error{Errc::Syntax, {}, "-D: '" + std::string(name) + "' is no name of a macro"};
    if (value.find_first_of("\n\r\\") != value.npos)
        return Error{Errc::Syntax,
                     {},
                     "-D: the value of " + std::string(name) + " has a line break or a backslash"};
    return "#define " + std::string(name) + " " + std::string(value) + "\n";
}

}  // namespace

GlslVersion glsl_version(std::string_view source) {
    GlslVersion version;
    const size_t begin = first_token(source);
    if (begin == source.size() || source[begin] != '#')
        return version;
    size_t end = 0;
    if (!read_version(line_at(source, begin, end), version))
        return version;
    version.end = end;
    version.lines = static_cast<uint32_t>(
        std::count(source.begin(), source.begin() + static_cast<long>(end), '\n'));
    return version;
}

Result<std::string> with_defines(std::string_view source, std::span<const std::string> defines) {
    if (defines.empty())
        return std::string(source);
    std::string lines;
    for (const std::string& define : defines) {
        VALKYR_TRY(line, define_line(define));
        lines += line;
    }
    const GlslVersion version = glsl_version(source);
    const bool names_next = version.es || version.number >= kFirstVersionOfNextLines;
    lines += "#line " + std::to_string(version.lines + (names_next ? 1 : 0)) + "\n";
    std::string text(source.substr(0, version.end));
    if (!text.empty() && text.back() != '\n')
        text += '\n';
    return text + lines + std::string(source.substr(version.end));
}

}  // namespace valkyr::app
