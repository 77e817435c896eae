// Random phases: makes bodies of shaders whose invocations share memory without races.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace valkyr::test {

/// Chooses a number below the limit, which is at least 1.
using Choose = std::function<uint32_t(uint32_t limit)>;
/// Each byte is a choice; behind the last one it is always the middle.
Choose choices_of(std::span<const uint8_t> bytes);

/// Random statements in TGSI. Equal choices make equal statements.
///
/// The phases between barriers take turns, and in one phase invocations write what is theirs alone,
/// in the next they only read. For each lane, the number of barriers that it has passed says the
/// phase. So both sides of a branch pass an even number of barriers, or both an odd one, and the
/// body of a loop an even one; lanes may be at different barriers, and may end anywhere.
///
/// TEMP[0].x numbers the invocations, TEMP[1].x what they have in common; a subclass sets them.
/// TEMP[2] to TEMP[5] are values, TEMP[6] and TEMP[7] are free in a statement, TEMP[8] to TEMP[15]
/// are counters.
class RandomPhases {
protected:
    /// Immediates that the statements use.
    static constexpr const char* kImmediates =
        "IMM[0] UINT32 {0, 60, 1, 2}\nIMM[1] UINT32 {3, 4, 1020, 8}\n";
    static constexpr unsigned kDepth = 2;  ///< of branches and loops within each other

    explicit RandomPhases(const Choose& choose)
        : below_(choose) {}
    virtual ~RandomPhases() = default;
    RandomPhases(const RandomPhases&) = delete;
    RandomPhases& operator=(const RandomPhases&) = delete;

    /// Reads what other invocations may have written.
    virtual void load() = 0;
    /// Writes what is the invocation's own.
    virtual void store() = 0;
    virtual void barrier() = 0;

    bool one_in(uint32_t n) { return below_(n) == 0; }
    std::string value() { return "TEMP[" + std::to_string(2 + below_(4)) + "]"; }
    /// A component of an immediate.
    const char* number();
    /// The value with one of several write masks.
    std::string masked(const std::string& value);
    /// A value becomes what it was, combined with a register.
    void take(const std::string& from);
    /// Statements that pass an odd number of barriers if `flips`, else an even one.
    void block(unsigned depth, bool flips);

    const Choose& below_;
    std::string body_;
    bool reads_ = false;  ///< the phase: whether invocations only read

private:
    void statement(unsigned depth);
    void arithmetic();
    void branch(unsigned depth);
    void loop(unsigned depth);

    unsigned counters_ = 0;
};

}  // namespace valkyr::test
