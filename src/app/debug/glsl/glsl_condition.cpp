// GLSL condition: evaluates the expression of an #if.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/glsl_condition.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace valkyr::debug {

namespace {

constexpr unsigned kMostNested = 200;

int64_t negated(int64_t a) {
    return static_cast<int64_t>(-static_cast<uint64_t>(a));
}

/// A binary operator; higher ranks bind tighter.
struct Operator {
    std::string_view sign;
    int rank;
    int64_t (*apply)(int64_t, int64_t);
};
constexpr Operator kOperators[] = {
    {"||", 1, [](int64_t a, int64_t b) { return int64_t{a != 0 || b != 0}; }},
    {"&&", 2, [](int64_t a, int64_t b) { return int64_t{a != 0 && b != 0}; }},
    {"|", 3, [](int64_t a, int64_t b) { return a | b; }},
    {"^", 4, [](int64_t a, int64_t b) { return a ^ b; }},
    {"&", 5, [](int64_t a, int64_t b) { return a & b; }},
    {"==", 6, [](int64_t a, int64_t b) { return int64_t{a == b}; }},
    {"!=", 6, [](int64_t a, int64_t b) { return int64_t{a != b}; }},
    {"<", 7, [](int64_t a, int64_t b) { return int64_t{a < b}; }},
    {">", 7, [](int64_t a, int64_t b) { return int64_t{a > b}; }},
    {"<=", 7, [](int64_t a, int64_t b) { return int64_t{a <= b}; }},
    {">=", 7, [](int64_t a, int64_t b) { return int64_t{a >= b}; }},
    {"<<", 8,
     [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) << (b & 31));
     }},
    {">>", 8, [](int64_t a, int64_t b) { return a >> (b & 31); }},
    {"+", 9,
     [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
     }},
    {"-", 9,
     [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
     }},
    {"*", 10,
     [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
     }},
    {"/", 10, [](int64_t a, int64_t b) { return b == 0    ? 0
                                                : b == -1 ? negated(a)
                                                          : a / b; }},
    {"%", 10, [](int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }},
};

class Evaluator {
public:
    explicit Evaluator(std::span<const std::string> words)
        : words_(words) {}

    int64_t binary(int rank) {
        if (++depth_ > kMostNested)
            return 0;
        int64_t value = unary();
        while (const Operator* const found = next_operator(rank)) {
            ++at_;
            value = found->apply(value, binary(found->rank + 1));
        }
        --depth_;
        return value;
    }

private:
    [[nodiscard]] const Operator* next_operator(int rank) const {
        for (const Operator& each : kOperators)
            if (at_ < words_.size() && words_[at_] == each.sign && each.rank >= rank)
                return &each;
        return nullptr;
    }

    int64_t unary() {
        if (at_ >= words_.size() || ++depth_ > kMostNested)
            return 0;
        const std::string& word = words_[at_++];
        int64_t value = 0;
        if (word == "!")
            value = int64_t{unary() == 0};
        else if (word == "-")
            value = negated(unary());
        else if (word == "+")
            value = unary();
        else if (word == "~")
            value = ~unary();
        else if (word == "(")
            value = inside();
        else
            value = static_cast<int64_t>(std::strtoull(word.c_str(), nullptr, 0));
        --depth_;
        return value;
    }

    int64_t inside() {
        const int64_t value = binary(0);
        if (at_ < words_.size() && words_[at_] == ")")
            ++at_;
        return value;
    }

    std::span<const std::string> words_;
    size_t at_ = 0;
    unsigned depth_ = 0;
};

}  // namespace

bool condition_holds(std::span<const std::string> words) {
    return Evaluator(words).binary(0) != 0;
}

}  // namespace valkyr::debug
