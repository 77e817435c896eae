// Trim state: keeps of a client's messages those that later ones depend on, without what they drew.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace valkyr::virgl {

/// The messages of one client up to some place, as a list that becomes shorter: draws, clears,
/// copies and transfers are left out, of settings that replace each other the last one stays, and
/// resources and objects that are gone leave no trace unless a setting still names them.
class TrimState {
public:
    /// errors  BadEncoding: a message that ends too early
    Result<void> add(std::span<const std::byte> message);
    /// Writes what is left as messages. More messages may follow.
    void write(uint32_t client, TraceWriter& writer);

private:
    /// A message, or a command of a stream.
    struct Item {
        bool is_command = false;
        bool dropped = false;
        uint32_t sub = 0;  ///< sub-context of a command
        /// A message with its header; a command with its header.
        std::vector<uint32_t> words;
        [[nodiscard]] uint32_t code() const { return words[0] & 0xFF; }
    };

    Result<void> add_stream(std::span<const uint32_t> stream);
    void keep_last_settings();
    void drop_finished_queries();
    void drop_dead_objects();
    void drop_dead_resources();
    void drop_if_unnamed(size_t end, uint32_t handle, std::vector<size_t>& begins, bool any_sub);

    std::vector<Item> items_;
    uint32_t sub_ = 0;
};

/// The state of all clients at the place of a replay.
class TrimStates {
public:
    /// Call behind each step of the replay, with the chunk that it executed.
    Result<void> note(const TraceChunk& chunk, const Replay& replay);
    /// Writes chunks that lead to this place. Clients keep their numbers if `names` is null; else
    /// they get new ones, which it has afterwards.
    Result<void>
    write(TraceWriter& writer, Replay& replay, std::map<uint32_t, uint32_t>* names = nullptr);

private:
    std::map<uint32_t, TrimState> clients_;
};

}  // namespace valkyr::virgl
