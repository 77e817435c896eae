// Message counter: where the message routines that a thread calls are counted.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/message_calls.hpp"

namespace valkyr::raster {

/// Counters of the worker whose job this thread does; null: nobody counts.
inline constinit thread_local MessageCalls* message_counter = nullptr;

/// Counts the calls of this thread while it lives.
class MessageCounting {
public:
    explicit MessageCounting(MessageCalls& calls)
        : before_(message_counter) {
        message_counter = &calls;
    }
    MessageCounting(const MessageCounting&) = delete;
    MessageCounting& operator=(const MessageCounting&) = delete;
    ~MessageCounting() { message_counter = before_; }

private:
    MessageCalls* before_;
};

}  // namespace valkyr::raster
