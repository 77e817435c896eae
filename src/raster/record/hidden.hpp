// Hidden work: says which hidden colours and depths of a draw tiles may leave out.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// Sets `replaces`, `lasting` and the depth fields of a draw whose other fields are complete; `key`
/// is that of its fragment kernel. With `enabled` false nothing may be left out.
void set_hidden(DrawRecord& draw,
                const exec::FragmentKey& key,
                const exec::ProgramInfo& fragment,
                const PassTargets& targets,
                bool enabled);

}  // namespace valkyr::raster
