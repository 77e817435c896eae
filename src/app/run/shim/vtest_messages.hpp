// Vtest messages: names what the shim looks at in messages to Valkyr's server.
// SPDX-License-Identifier: MIT
//
// vtest_protocol.h: a message is two words, the length of what follows in words (that of
// CREATE_RENDERER in bytes) and the command, and what follows. So is a reply.
#pragma once

#include "virgl/protocol/protocol.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::shim {

using virgl::Message;

inline constexpr size_t kHeaderBytes = 8;
/// The first words that follow a header.
using MessageWords = std::array<uint32_t, 11>;

// The words of CREATE_RESOURCE: the number of the resource, what it is and, if not 0, the bytes of
// its memory, whose descriptor is the reply. A reply with the number precedes it from version 3.
inline constexpr size_t kNumberWord = 0;
inline constexpr size_t kTargetWord = 1;
inline constexpr size_t kBindWord = 3;
inline constexpr size_t kWidthWord = 4;
inline constexpr size_t kHeightWord = 5;
inline constexpr size_t kMemoryWord = 10;

/// Whether CREATE_RESOURCE with these words makes a fence, whose memory has no meaning.
inline bool is_fence(const MessageWords& creation) {
    return creation[kTargetWord] == static_cast<uint32_t>(virgl::Target::Buffer) &&
           creation[kBindWord] == virgl::kBindCustom && creation[kWidthWord] == virgl::kFenceBytes;
}
/// Whether it makes the buffer of a window.
inline bool is_window(const MessageWords& creation) {
    return (creation[kBindWord] & virgl::kBindDisplayTarget) != 0;
}

}  // namespace valkyr::shim
