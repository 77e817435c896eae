// Comparisons: compare by the functions of depth, stencil, alpha and shadow tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

namespace valkyr::raster {

/// Returns whether `a func b` holds. For floats, a NaN fails all functions except NotEqual and
/// Always.
template <typename T>
constexpr bool compare(exec::CompareFunc func, T a, T b) {
    switch (func) {
    case exec::CompareFunc::Never: return false;
    case exec::CompareFunc::Less: return a < b;
    case exec::CompareFunc::Equal: return a == b;
    case exec::CompareFunc::LessEqual: return a <= b;
    case exec::CompareFunc::Greater: return a > b;
    case exec::CompareFunc::NotEqual: return a != b;
    case exec::CompareFunc::GreaterEqual: return a >= b;
    case exec::CompareFunc::Always: return true;
    }
    return true;
}

}  // namespace valkyr::raster
