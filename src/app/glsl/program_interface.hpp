// Program interface: asks OpenGL for the uniforms, inputs and outputs of a linked program.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/doctor/client_drawing.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

enum class ResourceKind { Uniform, Block, Input, Output, StorageBlock };

/// A resource of a program (OpenGL 4.6 core profile section 7.3.1).
struct ProgramResource {
    ResourceKind kind = ResourceKind::Uniform;
    std::string name;  ///< "lights[0].color"
    uint32_t type = 0;
    int32_t size = 0;           ///< elements of an array, else 1
    int32_t block = -1;         ///< uniforms: among the blocks; -1: of none
    int32_t offset = -1;        ///< uniforms of blocks: bytes
    int32_t array_stride = 0;   ///< bytes
    int32_t matrix_stride = 0;  ///< bytes
    int32_t location = -1;
    uint32_t stages = 0;  ///< bits of GlslStage's order that refer to it; inputs, outputs: all
};

/// All resources as lines of text.
std::string describe_interface(GetFunction get, unsigned program);
/// Reads such lines; others are left out.
std::vector<ProgramResource> parse_interface(std::string_view text);

}  // namespace valkyr::app
