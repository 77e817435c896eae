// Anchors of GLSL: walks through main() and lists what its TGSI text will show.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/anchors.hpp"
#include "app/debug/glsl/glsl_outline.hpp"
#include "app/debug/glsl/number_bits.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

constexpr unsigned kMostNestedCalls = 32;
constexpr size_t kMostSteps = 100'000;

/// The symbols that a function or operator of GLSL leaves in TGSI, separated by blanks. Mesa spells
/// some in more than one way; those that are missing cost nothing.
struct Trace {
    std::string_view name;
    std::string_view symbols;
};
constexpr Trace kFunctions[] = {
    {"sin", "sin"},
    {"cos", "cos"},
    {"tan", "sin cos div"},
    {"pow", "pow log2 mul exp2"},
    {"exp", "exp2"},
    {"exp2", "exp2"},
    {"log", "log2"},
    {"log2", "log2"},
    {"sqrt", "sqrt rsqrt div"},
    {"inversesqrt", "rsqrt"},
    {"normalize", "dot rsqrt mul"},
    {"length", "dot sqrt rsqrt div"},
    {"distance", "add dot sqrt rsqrt div"},
    {"dot", "dot"},
    {"reflect", "dot mul add"},
    {"refract", "dot sqrt mul add"},
    {"faceforward", "dot compare"},
    {"cross", "mul mul add"},
    {"floor", "floor"},
    {"ceil", "ceil"},
    {"fract", "fract"},
    {"trunc", "trunc"},
    {"round", "round"},
    {"roundEven", "round"},
    {"mod", "div floor mul add"},
    {"modf", "trunc add"},
    {"abs", "abs"},
    {"sign", "sign compare"},
    {"min", "min"},
    {"max", "max"},
    {"clamp", "max min"},
    {"mix", "mix mul add"},
    {"step", "compare"},
    {"smoothstep", "add mul max min mul mul"},
    {"dFdx", "ddx"},
    {"dFdxFine", "ddx"},
    {"dFdxCoarse", "ddx"},
    {"dFdy", "ddy"},
    {"dFdyFine", "ddy"},
    {"dFdyCoarse", "ddy"},
    {"fwidth", "ddx ddy add"},
    {"lessThan", "compare"},
    {"lessThanEqual", "compare"},
    {"greaterThan", "compare"},
    {"greaterThanEqual", "compare"},
    {"equal", "compare"},
    {"notEqual", "compare"},
    {"fma", "mul add"},
    {"texelFetch", "texture"},
    {"shadow2D", "texture"},
    {"shadow2DProj", "texture"},
    {"textureSize", "texture size"},
    {"imageLoad", "load"},
    {"imageStore", "store"},
    {"imageSize", "image size"},
    {"barrier", "barrier"},
    {"EmitVertex", "emit"},
    {"EmitStreamVertex", "emit"},
    {"EndPrimitive", "end primitive"},
    {"bitCount", "bits"},
    {"floatBitsToInt", ""},
};

struct Sign {
    std::string_view sign;
    std::string_view symbols;
};
constexpr Sign kSigns[] = {
    {"*", "mul"},      {"*=", "mul"},      {"/", "div"},      {"/=", "div"},     {"+", "add"},
    {"+=", "add"},     {"-", "add"},       {"-=", "add"},     {"++", "add"},     {"--", "add"},
    {"<", "compare"},  {">", "compare"},   {"<=", "compare"}, {">=", "compare"}, {"==", "compare"},
    {"!=", "compare"}, {"<<", "shift"},    {">>", "shift"},   {"&", "and"},      {"|", "or"},
    {"^", "xor"},      {"%", "remainder"}, {"?", "select"},
};

/// Lists the anchors of statements.
class Walker {
public:
    explicit Walker(const GlslOutline& outline)
        : outline_(outline) {}

    std::vector<Anchor> run() {
        const auto main = outline_.functions.find("main");
        if (main != outline_.functions.end())
            statements(main->second, 0);
        return std::move(anchors_);
    }

private:
    void add(std::string symbol, uint32_t line) {
        if (anchors_.size() < kMostAnchors)
            anchors_.push_back({std::move(symbol), user_ != 0 ? user_ : line});
    }
    void add_all(std::string_view symbols, uint32_t line) {
        while (!symbols.empty()) {
            const size_t end = std::min(symbols.find(' '), symbols.size());
            add(std::string(symbols.substr(0, end)), line);
            symbols.remove_prefix(std::min(end + 1, symbols.size()));
        }
    }

    /// False: the walk is too deep or too long. Calls of functions that call many others may take
    /// long without any anchor.
    bool goes_on(unsigned depth) {
        return depth <= kMostNestedCalls && ++steps_ <= kMostSteps &&
               anchors_.size() < kMostAnchors;
    }

    void statements(GlslTokens tokens, unsigned depth) {
        if (!goes_on(depth))
            return;
        for (size_t i = 0; i < tokens.size() && anchors_.size() < kMostAnchors;)
            i += statement(tokens.subspan(i), depth);
    }

    /// Walks through one statement; its length.
    size_t statement(GlslTokens tokens, unsigned depth) {
        if (!goes_on(depth))
            return tokens.size();
        const GlslToken& first = tokens[0];
        if (first.is("{")) {
            const size_t end = closing_bracket(tokens, 0);
            statements(tokens.subspan(1, end - 1), depth + 1);
            return std::min(end + 1, tokens.size());
        }
        if (first.is("if") || first.is("for") || first.is("while") || first.is("switch"))
            return controlled(tokens, depth);
        if (first.is("else") || first.is("do")) {
            add(first.is("else") ? "else" : "loop", first.line);
            return tokens.size() > 1 ? 1 + statement(tokens.subspan(1), depth + 1) : 1;
        }
        size_t end = 0;
        while (end < tokens.size() && !tokens[end].is(";") && !tokens[end].is("}"))
            end = tokens[end].is("(") || tokens[end].is("{") || tokens[end].is("[")
                      ? std::min(closing_bracket(tokens, end) + 1, tokens.size())
                      : end + 1;
        assignment(tokens.first(end), depth);
        return std::min(end + 1, tokens.size());
    }

    /// "if (...) statement", "for (...) statement": the head's anchors, then the statement's.
    size_t controlled(GlslTokens tokens, unsigned depth) {
        const uint32_t line = tokens[0].line;
        const size_t open = 1;
        if (tokens.size() <= open || !tokens[open].is("("))
            return 1;
        const size_t close = closing_bracket(tokens, open);
        const GlslTokens head = tokens.subspan(open + 1, close - std::min(close, open + 1));
        const bool loops = !tokens[0].is("if") && !tokens[0].is("switch");
        if (loops)
            add("loop", line);
        in_head_ = true;
        statements(head, depth + 1);
        in_head_ = false;
        add("if", line);
        const size_t body = std::min(close + 1, tokens.size());
        const size_t length = body < tokens.size() ? statement(tokens.subspan(body), depth + 1) : 0;
        if (loops)
            add("end loop", line);
        return body + length;
    }

    /// An expression; what it assigns to comes last.
    void assignment(GlslTokens tokens, unsigned depth) {
        if (tokens.empty())
            return;
        if (tokens[0].is("discard"))
            return add("discard", tokens[0].line);
        size_t at = 0;
        for (unsigned inside = 0; at < tokens.size(); ++at) {
            const std::string& text = tokens[at].text;
            inside += text == "(" || text == "[" ? 1U : 0U;
            inside -= (text == ")" || text == "]") && inside > 0 ? 1U : 0U;
            const bool assigns = text.size() <= 3 && text.back() == '=' && text != "==" &&
                                 text != "<=" && text != ">=" && text != "!=";
            if (inside == 0 && assigns)
                break;
        }
        if (at == tokens.size())
            return expression(tokens, depth);
        if (!in_head_ && is_named_number(tokens, at)) {
            numbers_[tokens[at - 1].text] = tokens.subspan(at + 1);
            return;
        }
        const bool changes = tokens[at].text.size() > 1;
        if (changes)
            expression(tokens.first(at), depth);
        assignment(tokens.subspan(at + 1), depth);
        if (changes)
            sign(tokens[at]);
        expression(tokens.first(at), depth);
    }

    /// "float gamma = 2.2": TGSI has the number where the name is used.
    static bool is_named_number(GlslTokens tokens, size_t equals) {
        return tokens[equals].is("=") && equals >= 2 && tokens[equals - 1].is_word() &&
               tokens[equals - 2].is_word() && equals + 2 == tokens.size() &&
               tokens[equals + 1].is_number();
    }

    /// The value of a name that stands for a constant; empty: it does not.
    [[nodiscard]] GlslTokens constant_of(const std::string& name) const {
        if (const auto number = numbers_.find(name); number != numbers_.end())
            return number->second;
        const auto constant = outline_.constants.find(name);
        return constant != outline_.constants.end() ? constant->second : GlslTokens();
    }

    void sign(const GlslToken& token) {
        for (const Sign& each : kSigns)
            if (token.is(each.sign))
                return add_all(each.symbols, token.line);
    }

    /// Operators stand behind their right operand: that of a call, index or name.
    void expression(GlslTokens tokens, unsigned depth) {
        if (!goes_on(depth))
            return;
        const GlslToken* waiting = nullptr;
        for (size_t i = 0; i < tokens.size() && anchors_.size() < kMostAnchors; ++i) {
            const GlslToken& token = tokens[i];
            const bool is_call = token.is_word() && i + 1 < tokens.size() && tokens[i + 1].is("(");
            if (is_call) {
                const size_t close = closing_bracket(tokens, i + 1);
                expression(tokens.subspan(i + 2, close - std::min(close, i + 2)), depth + 1);
                call(token, depth);
                i = close;
            } else if (token.is("(") || token.is("[")) {
                const size_t close = closing_bracket(tokens, i);
                const GlslTokens inside = tokens.subspan(i + 1, close - i - 1);
                // A constant index becomes part of a register's name.
                if (inside.size() != 1 || !inside[0].is_number() || token.is("("))
                    expression(inside, depth + 1);
                i = close;
            } else if (token.is_word()) {
                word(tokens, i, depth);
            } else if (token.is_number()) {
                add("number " + number_bits_of_text(token.text), token.line);
            } else {
                if (waiting != nullptr)
                    sign(*waiting);
                waiting = &token;
            }
        }
        if (waiting != nullptr)
            sign(*waiting);
    }

    /// A name of storage; of a constant the value, in the line of its user.
    void word(GlslTokens tokens, size_t i, unsigned depth) {
        const std::string& text = tokens[i].text;
        const bool member = i > 0 && tokens[i - 1].is(".");
        if (text.starts_with("gl_"))
            return add("name " + text, tokens[i].line);
        if (!member && outline_.names.contains(text))
            return add("name " + member_name(tokens, i), tokens[i].line);
        const GlslTokens constant = constant_of(text);
        if (member || constant.empty() || user_ != 0)
            return;
        user_ = tokens[i].line;
        expression(constant, depth + 1);
        user_ = 0;
    }

    /// "lights.position" of lights[i].position.xyz; the block's name instead of its instance's.
    [[nodiscard]] std::string member_name(GlslTokens tokens, size_t i) const {
        const auto block = outline_.blocks.find(tokens[i].text);
        std::string name = block != outline_.blocks.end() ? block->second : tokens[i].text;
        for (size_t at = i + 1; at + 1 < tokens.size();) {
            if (tokens[at].is("[")) {
                at = closing_bracket(tokens, at) + 1;
                continue;
            }
            if (!tokens[at].is(".") || may_be_swizzle(tokens[at + 1].text))
                break;
            name += "." + tokens[at + 1].text;
            at += 2;
        }
        return name;
    }

    void call(const GlslToken& name, unsigned depth) {
        const auto own = outline_.functions.find(name.text);
        if (own != outline_.functions.end())
            return statements(own->second, depth + 1);
        for (const Trace& each : kFunctions)
            if (name.is(each.name))
                return add_all(each.symbols, name.line);
        if (name.text.starts_with("texture") || name.text.starts_with("texelFetch"))
            add("texture", name.line);
        else if (name.text.starts_with("atomic") || name.text.starts_with("imageAtomic"))
            add("atomic", name.line);
    }

    const GlslOutline& outline_;
    std::vector<Anchor> anchors_;
    std::map<std::string, GlslTokens> numbers_;  ///< local variables that begin as a number
    bool in_head_ = false;                       ///< of a loop, whose variable changes
    size_t steps_ = 0;
    uint32_t user_ = 0;  ///< line that uses the constant whose value is walked through; 0: none is
};

}  // namespace

std::vector<Anchor> glsl_anchors(std::string_view source) {
    const std::vector<GlslToken> tokens = glsl_tokens(source);
    const GlslOutline outline = outline_of(tokens);
    return Walker(outline).run();
}

}  // namespace valkyr::debug
