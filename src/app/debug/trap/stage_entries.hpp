// Stage entries: the functions of a kernel that takes the calls of any stage.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

namespace valkyr::debug {

/// A function for the calls of each stage.
struct StageEntries {
    exec::KernelEntry vertex;
    exec::KernelEntry geometry;
    exec::KernelEntry compute;
    exec::KernelEntry fragment;
};

/// The kernel of a program of a stage.
inline exec::Kernel entry_of(exec::Stage stage, const StageEntries& entries, const void* self) {
    switch (stage) {
    case exec::Stage::Vertex: return {entries.vertex, self};
    case exec::Stage::Geometry: return {entries.geometry, self};
    case exec::Stage::Compute: return {entries.compute, self};
    case exec::Stage::Fragment:
    case exec::Stage::Blend: break;
    }
    return {entries.fragment, self};
}

}  // namespace valkyr::debug
