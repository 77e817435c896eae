// Double checker: compares what a program says of its operations on doubles with what they do.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpreter.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::test {

/// Watches the interpreter run a program. In each range of Program::double_ranges the result
/// registers must get the bits that the host computes from the sources, in the lanes that entered;
/// registers that only the range's words wrote must not be read behind it.
class DoubleChecker {
public:
    /// The program outlives the checker.
    explicit DoubleChecker(const valhall::Program& program);

    /// Whether the program has ranges.
    [[nodiscard]] bool needed() const { return !program_.double_ranges.empty(); }
    /// To be called at each step.
    void step(const valhall::StepEvent& event);
    /// The first breach; empty if there is none.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    /// How many ranges were entered and left.
    [[nodiscard]] unsigned checked() const { return checked_; }

private:
    struct Entered {
        std::array<exec::Lanes, valhall::kMaxDoubleSources> sources{};
        uint16_t lanes = 0;
    };

    void enter(const valhall::DoubleRange& range, const valhall::WarpState& state);
    void leave(const valhall::DoubleRange& range, const valhall::StepEvent& event);
    void check_accesses(const valhall::StepEvent& event);
    void fail(uint32_t word, const std::string& text);

    const valhall::Program& program_;
    /// By word: 1 + the range that begins or ends there.
    std::vector<uint32_t> begins_, ends_;
    const exec::Warp* warp_ = nullptr;
    Entered entered_;
    std::array<uint16_t, exec::kRegisters> stale_{};  ///< lanes in which a range left a register
    std::string failure_;
    unsigned checked_ = 0;
};

}  // namespace valkyr::test
