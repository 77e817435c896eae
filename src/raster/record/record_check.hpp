// Record check: compares the contents of two records of a draw.
// SPDX-License-Identifier: MIT
//
// Debug builds, and tests/raster/record, compare each record that shares parts of an earlier one
// with a record that is made from the state alone (draw_builder.cpp).
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/record/pipeline.hpp"

namespace valkyr::raster {

/// True if draws are checked: in debug builds, and if the build defines it (the preset asan).
#if !defined(NDEBUG) || defined(VALKYR_CHECK_RECORDS)
inline constexpr bool kChecksRecords = true;
#else
inline constexpr bool kChecksRecords = false;
#endif

/// Returns the name of the first part in which two records of one draw differ; null if there is
/// none. Both records must belong to passes with equal numbers and attachments.
const char*
record_difference(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline);

}  // namespace valkyr::raster
