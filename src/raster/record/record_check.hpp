// Record check: compares two records of a draw by what they hold.
// SPDX-License-Identifier: MIT
//
// Debug builds compare each record that goes on from another one with the record that is made of
// nothing but the state (draw_builder.cpp).
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/record/pipeline.hpp"

namespace valkyr::raster {

/// Whether draws are checked so: in debug builds, and where the build defines it (the preset asan).
#if !defined(NDEBUG) || defined(VALKYR_CHECK_RECORDS)
inline constexpr bool kChecksRecords = true;
#else
inline constexpr bool kChecksRecords = false;
#endif

/// The name of the first part in which two records of a pipeline's draw differ; null if there is
/// none. Both are of passes with the same number and attachments.
const char*
record_difference(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline);

}  // namespace valkyr::raster
