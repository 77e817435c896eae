// Hidden work: determines which hidden colours and depths of a draw tiles may skip.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// Returns the hidden work of a draw whose shapes, tile state and counters are set; `key` is the
/// key of its fragment kernel.
HiddenState hidden_work(const DrawRecord& draw,
                        const exec::FragmentKey& key,
                        const exec::ProgramInfo& fragment,
                        const PassTargets& targets);

}  // namespace valkyr::raster
