// GLSL outline: finds the functions, the storage and the constants of a GLSL text.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/glsl_outline.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace valkyr::debug {

namespace {

/// The words that begin a declaration of something that TGSI keeps in a register of its own.
constexpr std::string_view kStorage[] = {"uniform", "in",     "out",   "attribute",
                                         "varying", "buffer", "inout", "shared"};

bool is_storage(const GlslToken& token) {
    return std::ranges::find(kStorage, token.text) != std::end(kStorage);
}

/// "const float x = 2.0" and "const float x[2] = ...": the value.
void add_constant(GlslTokens statement, GlslOutline& outline) {
    const auto equals =
        std::ranges::find_if(statement, [](const GlslToken& token) { return token.is("="); });
    if (equals == statement.end() || equals == statement.begin())
        return;
    const auto at = static_cast<size_t>(equals - statement.begin());
    size_t name = at - 1;
    while (name > 0 && !statement[name].is_word())
        --name;
    outline.constants.emplace(statement[name].text, statement.subspan(at + 1));
}

/// "uniform Block { ... } instance": OpenGL names members by the block.
void add_block(GlslTokens statement, GlslOutline& outline) {
    const auto is_brace = [](const GlslToken& token) { return token.is("{"); };
    const auto open =
        static_cast<size_t>(std::ranges::find_if(statement, is_brace) - statement.begin());
    const size_t close =
        open < statement.size() ? closing_bracket(statement, open) : statement.size();
    if (open > 0 && close + 1 < statement.size() && statement[close + 1].is_word())
        outline.blocks.emplace(statement[close + 1].text, statement[open - 1].text);
}

}  // namespace

size_t closing_bracket(GlslTokens tokens, size_t at) {
    unsigned depth = 0;
    for (size_t i = at; i < tokens.size(); ++i) {
        const std::string& text = tokens[i].text;
        if (text == "(" || text == "{" || text == "[")
            ++depth;
        else if ((text == ")" || text == "}" || text == "]") && --depth == 0)
            return i;
    }
    return tokens.size();
}

GlslOutline outline_of(GlslTokens tokens) {
    GlslOutline outline;
    size_t begin = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is("(") && i > begin && tokens[i - 1].is_word() &&
            !tokens[i - 1].is("layout")) {
            const size_t close = closing_bracket(tokens, i);
            if (close + 1 < tokens.size() && tokens[close + 1].is("{")) {
                const size_t end = closing_bracket(tokens, close + 1);
                outline.functions[tokens[i - 1].text] =
                    tokens.subspan(close + 2, end - std::min(end, close + 2));
                i = end;
                begin = i + 1;
                continue;
            }
            i = close;
        } else if (tokens[i].is("{")) {  // a block or struct: its members are names, too
            i = closing_bracket(tokens, i);
        } else if (tokens[i].is(";")) {
            const GlslTokens statement = tokens.subspan(begin, i - begin);
            if (std::ranges::any_of(statement, is_storage)) {
                for (const GlslToken& token : statement)
                    if (token.is_word())
                        outline.names.insert(token.text);
                add_block(statement, outline);
            } else {
                add_constant(statement, outline);
            }
            begin = i + 1;
        }
    }
    return outline;
}

}  // namespace valkyr::debug
