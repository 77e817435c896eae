// Hidden work: says which hidden colours and depths of a draw tiles may leave out.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// The hidden work of a draw that has its shapes, its tiles and its counters; `key` is that of its
/// fragment kernel.
HiddenState hidden_work(const DrawRecord& draw,
                        const exec::FragmentKey& key,
                        const exec::ProgramInfo& fragment,
                        const PassTargets& targets);

}  // namespace valkyr::raster
