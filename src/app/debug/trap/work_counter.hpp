// Work counter: numbers the draws and dispatches of a frame, over all devices of a run.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

namespace valkyr::debug {

class WorkCounter {
public:
    /// Draws and dispatches are counted from 0 again.
    void start_frame(uint64_t number) {
        frame_ = number;
        draws_ = 0;
        dispatches_ = 0;
    }
    /// As start_frame(), but each picture goes on with the counts that there were before the first.
    void start_picture(uint64_t number) {
        if (!before_pictures_)
            before_pictures_.emplace(draws_, dispatches_);
        frame_ = number;
        draws_ = before_pictures_->first;
        dispatches_ = before_pictures_->second;
    }
    [[nodiscard]] uint64_t frame() const { return frame_; }
    /// The number of a draw or dispatch that starts now.
    uint32_t start(bool is_draw) { return is_draw ? draws_++ : dispatches_++; }

private:
    uint64_t frame_ = 0;
    uint32_t draws_ = 0;
    uint32_t dispatches_ = 0;
    std::optional<std::pair<uint32_t, uint32_t>> before_pictures_;  ///< draws and dispatches
};

}  // namespace valkyr::debug
