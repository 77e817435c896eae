// Message routines: declares the routines by name, for environment.cpp and for tests.
// SPDX-License-Identifier: MIT
//
// The comments of exec::Environment are their contracts. All accept any descriptor, handle and
// coordinate: reads without a source give 0, writes without a target are dropped.
#pragma once

#include "exec/abi.hpp"

#include <type_traits>

namespace valkyr::raster {

using exec::Environment;
using exec::Lanes;
using exec::Warp;

/// The function type of a member of Environment.
template <typename Member>
using Routine = std::remove_pointer_t<Member>;

Routine<decltype(Environment::attribute)> env_attribute;
Routine<decltype(Environment::varying)> env_varying;
Routine<decltype(Environment::varying_special)> env_varying_special;
Routine<decltype(Environment::texture)> env_texture;
Routine<decltype(Environment::image_load)> env_image_load;
Routine<decltype(Environment::image_address)> env_image_address;
Routine<decltype(Environment::convert_store)> env_convert_store;
Routine<decltype(Environment::early_zs)> env_early_zs;
Routine<decltype(Environment::atest)> env_atest;
Routine<decltype(Environment::zs_emit)> env_zs_emit;
Routine<decltype(Environment::blend)> env_blend;
Routine<decltype(Environment::tile_load)> env_tile_load;
Routine<decltype(Environment::tile_store)> env_tile_store;

}  // namespace valkyr::raster
