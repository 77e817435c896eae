// Uniform areas: fill in the words that a program's recipe asks for.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/record/pipeline.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>

namespace valkyr::gpu {

using namespace raster;

/// Fills a uniform area of program.fau.size() words; `prologue` holds the registers that the
/// prologue left, or is null.
void fill_words(const valhall::Program& program,
                const FauInputs& inputs,
                const exec::Lanes* prologue,
                uint32_t* fau);

}  // namespace valkyr::gpu
