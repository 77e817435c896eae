// Trap log: collects the places where NaN and infinity came from, over all devices of a run.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/trap/trap_watch.hpp"
#include "app/debug/trap/work_counter.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace valkyr::debug {

/// Which of the two a trap looks for.
enum class TrapKind : uint8_t { None, Nan, Infinity, All };

struct TrapOptions {
    TrapKind kind = TrapKind::None;
    uint32_t count = 1;  ///< places that are reported

    [[nodiscard]] bool is_set() const { return kind != TrapKind::None; }
    [[nodiscard]] bool wants(Special special) const {
        return kind == TrapKind::All ||
               kind == (special == Special::Nan ? TrapKind::Nan : TrapKind::Infinity);
    }
};

/// A place in a program, and where it first made something.
struct TrapFinding {
    std::string where;   ///< "draw 5, fragment shader \"shader 3\", pixel 150,97: line 14: ..."
    std::string target;  ///< options of `valkyr debug`: "--draw 5 --pixel 150,97"; empty: none
    uint64_t frame = 0;  ///< TrapLog::frame()
    uint64_t lanes = 0;  ///< that it happened in, over the whole run
};

/// Draws and dispatches are numbered from the beginning of the frame, over all devices. Threads of
/// several devices may share a log.
class TrapLog {
public:
    explicit TrapLog(const TrapOptions& options)
        : options_(options) {}

    [[nodiscard]] const TrapOptions& options() const { return options_; }

    /// The number of a program, the same for equal words.
    uint32_t program(const std::vector<uint64_t>& words);
    /// Counts a lane. `make` makes the finding if the place is new and wanted.
    /// line  of the program's text, or a number that no line has
    void count(uint32_t program,
               uint32_t line,
               const TrapHit& hit,
               const std::function<TrapFinding()>& make);

    /// Later findings belong to this frame, whose draws and dispatches are counted from 0.
    void start_frame(uint64_t number);
    /// As start_frame(), but pictures go on with the counts from before the first one.
    void start_picture(uint64_t number);
    /// The number of a draw or dispatch that starts now.
    uint32_t start_work(bool is_draw);
    /// Memory ran out: something was not looked at.
    void set_exhausted() noexcept { exhausted_ = true; }
    [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

    /// The findings in their order. Call it when no device works any more.
    [[nodiscard]] const std::vector<TrapFinding>& findings() const { return findings_; }

private:
    /// Program, line, whether the prologue, and what was found how.
    using Place = std::tuple<uint32_t, uint32_t, bool, Special, bool>;

    TrapOptions options_;
    std::mutex mutex_;
    std::map<std::vector<uint64_t>, uint32_t> programs_;
    std::map<Place, size_t> places_;  ///< the finding
    std::vector<TrapFinding> findings_;
    WorkCounter work_;
    std::atomic<bool> exhausted_ = false;
};

}  // namespace valkyr::debug
