// Named spot: finds a texel by the name of its texture.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history_log.hpp"

#include <vector>

namespace valkyr::debug {

/// The pixel of the request in its resource: "NAME[:LEVEL[:LAYER]]". A scene's texture may be
/// called by its name alone. Of several textures with the name, the last one is meant.
/// errors   OutOfRange: no such texture, level, layer or texel; the error lists the textures
Result<Spot> named_spot(const HistoryRequest& request, const std::vector<KnownTexture>& known);

}  // namespace valkyr::debug
