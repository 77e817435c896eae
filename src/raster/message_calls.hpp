// Message calls: name the message routines and count how often each was called.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace valkyr::raster {

/// The message routines, in the order of exec::Environment.
inline constexpr std::array<std::string_view, 13> kMessageNames{
    "attribute",     "varying",       "varying_special", "texture", "image_load",
    "image_address", "convert_store", "early_zs",        "atest",   "zs_emit",
    "blend",         "tile_load",     "tile_store"};

/// Calls by message (exec::VertexCall::message_calls): a call is one warp of 16 lanes. Work that
/// host code does inline is not counted.
using MessageCalls = std::array<uint64_t, kMessageNames.size()>;

inline void add_calls(MessageCalls& to, const MessageCalls& from) {
    for (size_t i = 0; i < to.size(); ++i)
        to[i] += from[i];
}

}  // namespace valkyr::raster
