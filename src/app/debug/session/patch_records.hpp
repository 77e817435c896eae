// Patch records: finds, fills and reads registers of tessellation shaders in records.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "tgsi/interpreter/interpreter.hpp"

#include <array>
#include <optional>

namespace valkyr::debug {

/// The part of a record that has a register's value.
struct PatchRegister {
    exec::ResourceTable table{};  ///< PatchRecords: a register of the patch
    size_t offset = 0;            ///< bytes
    uint32_t words = 0;           ///< x first
};
/// The place of an input of a tessellation shader, or of an output of a control shader; none if no
/// record has it.
std::optional<PatchRegister>
patch_register(const WarpCase& warp, const tgsi::Declaration& declaration, uint32_t index);

/// Makes the work-group of the case's patches, whose records are complete; `block` is its size.
void make_patch_group(WarpCase& warp, const std::array<uint32_t, 3>& block);

/// Makes one patch, and its work-group, of the values of a group as the TGSI interpreter has them.
/// The first invocation gives the values of the patch.
/// errors  OutOfRange: too many varyings
Result<void> fill_patch(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group);

/// Sets the outputs of a group to those that a run of its patch left.
void read_patch(const WarpCase& warp,
                const tgsi::Shader& shader,
                const WarpResult& result,
                tgsi::Group& group);

}  // namespace valkyr::debug
