// Cancellation: tells long-running work to stop.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <atomic>
#include <cstdint>

namespace valkyr {

/// A flag that another thread may set at any time and that long loops look at. Copied freely; a
/// default one is never set.
class Cancellation {
public:
    Cancellation() = default;
    /// flag  not 0: cancelled; outlives the work
    explicit Cancellation(const std::atomic<uint32_t>& flag)
        : flag_(&flag) {}

    /// One relaxed load.
    [[nodiscard]] bool requested() const noexcept {
        return flag_ != nullptr && flag_->load(std::memory_order_relaxed) != 0;
    }
    /// errors  Cancelled: it was requested
    [[nodiscard]] Result<void> check() const {
        if (requested())
            return Error{Errc::Cancelled, {}, "cancelled"};
        return {};
    }

private:
    const std::atomic<uint32_t>* flag_ = nullptr;
};

}  // namespace valkyr
