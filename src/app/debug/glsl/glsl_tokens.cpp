// GLSL tokens: splits a GLSL text into words with their lines, behind its preprocessor.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/glsl_tokens.hpp"

#include "app/debug/glsl/glsl_condition.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace valkyr::debug {

namespace {

constexpr unsigned kMostNestedMacros = 16;
constexpr size_t kMostExpansions = 4 * kMostGlslTokens;  ///< macros may grow to nothing, too

bool starts_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool in_word(char c) {
    return starts_word(c) || is_digit(c);
}

/// Replaces comments by blanks, and joins continued lines: each removed line end comes back behind
/// the joined line, so that later lines keep their numbers.
std::string without_comments(std::string_view source) {
    std::string text;
    size_t owed = 0;
    for (size_t i = 0; i < source.size(); ++i) {
        const std::string_view rest = source.substr(i);
        if (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
            ++owed;
            i += rest[1] == '\n' ? 1 : 2;
        } else if (rest.starts_with("//")) {
            i += std::min(rest.find('\n'), rest.size()) - 1;
        } else if (rest.starts_with("/*")) {
            const size_t end = std::min(rest.find("*/", 2), rest.size() - 1);
            text += ' ';
            text.append(static_cast<size_t>(std::count(
                            rest.begin(), rest.begin() + static_cast<ptrdiff_t>(end), '\n')),
                        '\n');
            i += end + 1;
        } else {
            text += source[i];
            if (source[i] == '\n')
                text.append(std::exchange(owed, 0), '\n');
        }
    }
    return text;
}

/// The end of a number that begins at `at`: digits, letters and points, signs behind an exponent.
size_t number_end(std::string_view text, size_t at) {
    const bool hexadecimal = text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X");
    size_t end = at;
    while (end < text.size() && (in_word(text[end]) || text[end] == '.' ||
                                 (!hexadecimal && (text[end] == '+' || text[end] == '-') &&
                                  end > at && (text[end - 1] == 'e' || text[end - 1] == 'E'))))
        ++end;
    return end;
}

constexpr std::string_view kLongSigns[] = {
    "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "^^",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

/// Splits a line.
std::vector<GlslToken> tokens_of_line(std::string_view line, uint32_t number) {
    std::vector<GlslToken> tokens;
    for (size_t at = 0; at < line.size();) {
        size_t end = at + 1;
        if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
            at = end;
            continue;
        }
        const bool point = line[at] == '.' && at + 1 < line.size() && is_digit(line[at + 1]);
        if (starts_word(line[at]))
            while (end < line.size() && in_word(line[end]))
                ++end;
        else if (is_digit(line[at]) || point)
            end = number_end(line, at);
        else
            for (const std::string_view sign : kLongSigns)
                if (line.substr(at).starts_with(sign)) {
                    end = at + sign.size();
                    break;
                }
        tokens.push_back({std::string(line.substr(at, end - at)), number});
        at = end;
    }
    return tokens;
}

struct Macro {
    bool has_parameters = false;
    std::vector<std::string> parameters;
    std::vector<GlslToken> body;
};

/// Runs the directives and expands macros.
class Preprocessor {
public:
    std::vector<GlslToken> run(std::string_view source) {
        const std::string text = without_comments(source);
        uint32_t number = 0;
        for (size_t at = 0; at <= text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            std::vector<GlslToken> line =
                tokens_of_line(std::string_view(text).substr(at, end - at), ++number);
            if (!line.empty() && line[0].is("#"))
                directive(line);
            else if (active())
                pending_.insert(pending_.end(), line.begin(), line.end());
            at = end + 1;
        }
        flush();
        return std::move(out_);
    }

private:
    /// A condition that is open: whether its branch is read, and whether one has been.
    struct Branch {
        bool reads = false;
        bool has_read = false;
    };

    [[nodiscard]] bool active() const { return std::ranges::all_of(branches_, &Branch::reads); }

    /// Expands what has been read up to a directive, which may change macros.
    void flush() {
        const std::vector<GlslToken> tokens = std::exchange(pending_, {});
        expand(tokens, 0, out_);
    }

    void directive(const std::vector<GlslToken>& line) {
        if (line.size() < 2)
            return;
        flush();
        const std::vector<GlslToken> rest(line.begin() + 2, line.end());
        const std::string& name = line[1].text;
        if (name == "if" || name == "ifdef" || name == "ifndef")
            open(name, rest);
        else if (name == "elif" || name == "else")
            change(name, rest);
        else if (name == "endif" && !branches_.empty())
            branches_.pop_back();
        else if (!active())
            return;
        else if (name == "define")
            define(rest);
        else if (name == "undef" && !rest.empty())
            macros_.erase(rest[0].text);
        else if (name == "version")
            set_version(rest);
    }

    void open(const std::string& name, const std::vector<GlslToken>& rest) {
        bool holds = name == "if" && is_true(rest);
        if (name != "if")
            holds = (!rest.empty() && macros_.contains(rest[0].text)) == (name == "ifdef");
        branches_.push_back({holds, holds});
    }

    void change(const std::string& name, const std::vector<GlslToken>& rest) {
        if (branches_.empty())
            return;
        Branch& branch = branches_.back();
        branch.reads = !branch.has_read && (name == "else" || is_true(rest));
        branch.has_read |= branch.reads;
    }

    bool is_true(const std::vector<GlslToken>& condition) {
        // "defined X" is answered before macros are expanded.
        std::vector<GlslToken> answered;
        for (size_t i = 0; i < condition.size(); ++i) {
            if (!condition[i].is("defined")) {
                answered.push_back(condition[i]);
                continue;
            }
            const bool inside = i + 1 < condition.size() && condition[i + 1].is("(");
            const size_t at = i + (inside ? 2 : 1);
            const bool there = at < condition.size() && macros_.contains(condition[at].text);
            answered.push_back({there ? "1" : "0", condition[i].line});
            i = at + (inside ? 1 : 0);
        }
        std::vector<GlslToken> expanded;
        expand(answered, 0, expanded);
        std::vector<std::string> words;
        for (const GlslToken& token : expanded)
            words.push_back(token.text);
        return condition_holds(words);
    }

    void define(const std::vector<GlslToken>& rest) {
        if (rest.empty())
            return;
        Macro macro;
        size_t at = 1;
        // A macro's parameters follow its name without a blank, which tokens do not show: "(x)"
        // with nothing behind it is a body.
        if (at < rest.size() && rest[at].is("(")) {
            const auto close = std::find_if(rest.begin(), rest.end(),
                                            [](const GlslToken& t) { return t.is(")"); });
            const bool names =
                std::all_of(rest.begin() + 2, std::max(close, rest.begin() + 2),
                            [](const GlslToken& t) { return t.is_word() || t.is(","); });
            if (names && close != rest.end() && close + 1 != rest.end()) {
                macro.has_parameters = true;
                for (auto each = rest.begin() + 2; each < close; ++each)
                    if (each->is_word())
                        macro.parameters.push_back(each->text);
                at = static_cast<size_t>(close - rest.begin()) + 1;
            }
        }
        macro.body.assign(rest.begin() + static_cast<ptrdiff_t>(std::min(at, rest.size())),
                          rest.end());
        macros_[rest[0].text] = std::move(macro);
    }

    void set_version(const std::vector<GlslToken>& rest) {
        if (rest.empty())
            return;
        macros_["__VERSION__"].body = {rest[0]};
        if (std::ranges::any_of(rest, [](const GlslToken& t) { return t.is("es"); }) ||
            rest[0].is("100"))
            for (const char* name : {"GL_ES", "GL_FRAGMENT_PRECISION_HIGH"})
                macros_[name].body = {{"1", rest[0].line}};
    }

    /// Appends the tokens with macros expanded.
    void expand(const std::vector<GlslToken>& tokens, unsigned depth, std::vector<GlslToken>& out) {
        for (size_t i = 0; i < tokens.size() && out.size() < kMostGlslTokens; ++i) {
            if (++steps_ > kMostExpansions)
                return;
            const auto found = macros_.find(tokens[i].text);
            if (found == macros_.end() || depth >= kMostNestedMacros) {
                out.push_back(tokens[i]);
                continue;
            }
            const Macro macro = found->second;
            std::map<std::string, std::vector<GlslToken>> values;
            if (macro.has_parameters) {
                const auto end = read_values(tokens, i + 1, macro, values);
                if (!end) {
                    out.push_back(tokens[i]);
                    continue;
                }
                expand_body(macro, values, tokens[i].line, depth, out);
                i = *end;
            } else {
                expand_body(macro, values, tokens[i].line, depth, out);
            }
        }
    }

    void expand_body(const Macro& macro,
                     const std::map<std::string, std::vector<GlslToken>>& values,
                     uint32_t line,
                     unsigned depth,
                     std::vector<GlslToken>& out) {
        std::vector<GlslToken> body;
        for (const GlslToken& token : macro.body) {
            const auto value = values.find(token.text);
            if (value == values.end())
                body.push_back({token.text, line});
            else
                body.insert(body.end(), value->second.begin(), value->second.end());
            if (body.size() > kMostGlslTokens)
                return;
        }
        expand(body, depth + 1, out);
    }

    /// Reads the values of a macro's parameters behind its name; the position of the closing
    /// parenthesis. Nothing: there are none.
    static std::optional<size_t>
    read_values(const std::vector<GlslToken>& tokens,
                size_t at,
                const Macro& macro,
                std::map<std::string, std::vector<GlslToken>>& values) {
        if (at >= tokens.size() || !tokens[at].is("("))
            return std::nullopt;
        size_t parameter = 0;
        for (unsigned depth = 0; at < tokens.size(); ++at) {
            const GlslToken& token = tokens[at];
            if (token.is("(") && depth++ == 0)
                continue;
            if (token.is(")") && --depth == 0)
                return at;
            if (token.is(",") && depth == 1)
                ++parameter;
            else if (parameter < macro.parameters.size())
                values[macro.parameters[parameter]].push_back(token);
        }
        return std::nullopt;
    }

    std::map<std::string, Macro> macros_;
    std::vector<Branch> branches_;
    std::vector<GlslToken> pending_;
    std::vector<GlslToken> out_;
    size_t steps_ = 0;
};

}  // namespace

bool GlslToken::is_word() const {
    return !text.empty() && starts_word(text[0]);
}

bool GlslToken::is_number() const {
    return !text.empty() && (is_digit(text[0]) || (text[0] == '.' && text.size() > 1));
}

std::vector<GlslToken> glsl_tokens(std::string_view source) {
    return Preprocessor().run(source);
}

}  // namespace valkyr::debug
