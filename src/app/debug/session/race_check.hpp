// Race check: finds invocations of a work-group that access one byte of shared memory at once.
// SPDX-License-Identifier: MIT
//
// Two accesses of one byte race if different invocations make them in one phase, at least one
// writes, and not both are atomics. The phase of an invocation is the number of barriers that it
// has passed, so barriers alone order accesses: lanes of one warp race as well as others do.
#pragma once

#include "valhall/interpreter/interpreter.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace valkyr::debug {

/// Follows the steps of a work-group and tells the warp and phase of each.
class GroupSteps {
public:
    struct Place {
        uint16_t warp = 0;
        uint32_t phase = 0;
    };
    Place next(const valhall::StepEvent& event);

private:
    std::vector<const exec::Warp*> warps_;
    Place last_;
    bool last_waits_ = false;
};

struct SharedAccess {
    valhall::LaneAccess::Kind kind = valhall::LaneAccess::Kind::Read;
    uint32_t invocation = 0;  ///< its number in the group
    uint32_t word = 0;        ///< of the program
    uint32_t step = 0;        ///< of the recording
    friend bool operator==(const SharedAccess&, const SharedAccess&) = default;
};

/// The first race of two instructions.
struct Race {
    uint32_t byte = 0;   ///< of shared memory
    uint32_t phase = 0;  ///< barriers passed
    SharedAccess first;
    SharedAccess second;
    uint64_t times = 1;  ///< accesses by which these instructions have raced
};

/// Looks at all accesses of a group, in the order of the run.
class RaceCheck {
public:
    /// An access to the bytes from `first` on, by an invocation that has passed `phase` barriers.
    /// Phases come in ascending order.
    void note(const SharedAccess& access, uint32_t phase, uint32_t first, uint32_t bytes);
    /// One for each pair of instructions, in the order in which they were found.
    [[nodiscard]] const std::vector<Race>& races() const { return races_; }

private:
    /// Accesses of one kind by two invocations: any third one is between others, too.
    struct Two {
        std::array<SharedAccess, 2> access;
        unsigned count = 0;

        void add(const SharedAccess& made);
        /// An access by another invocation; null: there is none.
        [[nodiscard]] const SharedAccess* by_another(uint32_t invocation) const;
    };
    struct Byte {
        uint32_t phase = 0;
        std::array<Two, 3> kinds;  ///< by LaneAccess::Kind
    };
    /// The race of two words, and the access that it counted last.
    struct Found {
        size_t place = 0;  ///< in races_
        SharedAccess last;
    };
    void report(const Race& race);

    std::vector<Byte> bytes_;
    std::vector<Race> races_;
    std::map<std::pair<uint32_t, uint32_t>, Found> of_words_;
};

}  // namespace valkyr::debug
