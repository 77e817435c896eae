// Harmless run: lets a warp run again without leaving anything in the memory of its draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::debug {

/// Keeps what stores and atomics of a run overwrite, and puts it back. Nothing else may use the
/// memory meanwhile.
class MemoryUndo {
public:
    MemoryUndo() = default;
    MemoryUndo(const MemoryUndo&) = delete;
    MemoryUndo& operator=(const MemoryUndo&) = delete;
    ~MemoryUndo() { undo(); }

    /// Call before the access.
    void note(const valhall::LaneAccess& access);
    /// Puts everything back, the latest first.
    void undo();

private:
    struct Old {
        uint64_t address;
        unsigned count;
        std::array<uint8_t, 16> bytes;
    };
    std::vector<Old> old_;
};

/// A copy of a draw whose stores to images do nothing. The original must outlive it.
class StorelessDraw : public exec::DrawContext {
public:
    explicit StorelessDraw(const exec::DrawContext& original);

private:
    exec::Environment storeless_;
};

}  // namespace valkyr::debug
