// Double operations: name what a range of words computes with binary64 numbers.
// SPDX-License-Identifier: MIT
//
// Machine words know no doubles. The compiler emits 32-bit integer code for an operation, and says
// in Program::double_ranges which words that is. A double is two words, the low one first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace valkyr::valhall {

/// Results are rounded to nearest even, once; subnormals are kept; each NaN result is
/// 0x7FF8000000000000, as a float 0x7FC00000.
enum class DoubleOp : uint8_t {
    Add,
    Multiply,
    Fma,  ///< x * y + z
    Divide,
    SquareRoot,
    Minimum,  ///< of a number and a NaN the number; -0 is below +0
    Maximum,
    Less,  ///< compares: ~0 or 0; false on NaN
    LessEqual,
    Equal,
    Truncate,  ///< to a whole number that is a double
    Floor,
    Ceiling,
    RoundEven,
    Scale,  ///< x * 2^n, n a signed word
    FromFloat,
    FromS32,
    FromU32,
    FromS64,
    FromU64,
    ToFloat,
    ToS32,  ///< to integers: truncated, limited to the range, NaN gives 0
    ToU32,
    ToS64,
    ToU64,
};
inline constexpr unsigned kDoubleOpCount = 25;
inline constexpr unsigned kMaxDoubleSources = 6;

struct DoubleOpInfo {
    std::string_view name;
    uint8_t source_words = 0;
    uint8_t result_words = 0;
};
inline constexpr std::array<DoubleOpInfo, kDoubleOpCount> kDoubleOps{{
    {"add", 4, 2},         {"multiply", 4, 2},   {"fma", 6, 2},      {"divide", 4, 2},
    {"square_root", 2, 2}, {"minimum", 4, 2},    {"maximum", 4, 2},  {"less", 4, 1},
    {"less_equal", 4, 1},  {"equal", 4, 1},      {"truncate", 2, 2}, {"floor", 2, 2},
    {"ceiling", 2, 2},     {"round_even", 2, 2}, {"scale", 3, 2},    {"from_float", 1, 2},
    {"from_s32", 1, 2},    {"from_u32", 1, 2},   {"from_s64", 2, 2}, {"from_u64", 2, 2},
    {"to_float", 2, 1},    {"to_s32", 2, 1},     {"to_u32", 2, 1},   {"to_s64", 2, 2},
    {"to_u64", 2, 2},
}};
static_assert(static_cast<unsigned>(DoubleOp::ToU64) + 1 == kDoubleOpCount);

constexpr const DoubleOpInfo& double_op_info(DoubleOp op) {
    return kDoubleOps[static_cast<unsigned>(op)];
}

/// Whether the result is ~0 or 0.
constexpr bool is_compare(DoubleOp op) {
    return op == DoubleOp::Less || op == DoubleOp::LessEqual || op == DoubleOp::Equal;
}

/// A fact about a program: the words [first, first + count) compute an operation on doubles.
///
/// Lanes enter at the first word alone, run every word's effect on themselves, and leave behind the
/// last one together. What the words leave in registers other than the result's is never read. So
/// an engine may compute the operation instead; the words remain the definition. Flow values
/// of words but the last act within the range only; that of the last one acts behind it.
struct DoubleRange {
    uint32_t first = 0;
    uint32_t count = 0;
    DoubleOp op{};
    std::array<uint8_t, kMaxDoubleSources> sources{};  ///< a register for each source word
    uint8_t result = 0;  ///< register of the first result word; a second one follows it
    friend bool operator==(const DoubleRange&, const DoubleRange&) = default;
};

}  // namespace valkyr::valhall
