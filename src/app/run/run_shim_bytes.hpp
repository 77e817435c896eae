// Shim bytes: hold the shared library of run_shim.cpp inside the command.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace valkyr::app {

std::string_view run_shim_bytes();

}  // namespace valkyr::app
