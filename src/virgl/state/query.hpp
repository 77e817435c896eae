// Queries: map query types to the device's, and write results to guest storage.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/state/objects.hpp"

namespace valkyr::virgl {

/// errors  malformed: an offset outside the resource's guest storage
Result<QueryObject> make_query(raster::Device& device, const Words& words, ResourcePtr resource);

/// The value of an ended query; renders the draws that it counts.
Result<uint64_t> query_value(raster::Device& device, const QueryObject& query);

/// Writes state, size and value to guest storage, where the client reads them.
Result<void> write_answer(raster::Device& device, const QueryObject& query);

}  // namespace valkyr::virgl
