// Linkage: lists declared registers and pairs the stages' outputs and inputs.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::reference {

/// One declared register of a shader's interface.
struct Port {
    uint32_t reg = 0;
    tgsi::Semantic semantic = tgsi::Semantic::Generic;
    uint32_t index = 0;  ///< semantic index
    tgsi::Interpolation interpolation = tgsi::Interpolation::Constant;
    tgsi::Location location = tgsi::Location::Center;
    uint8_t usage_mask = 0xF;
};

/// All declared registers of a file, one entry per register.
std::vector<Port> ports(const tgsi::Shader& shader, tgsi::File file);

/// The register of that semantic, or nothing.
std::optional<uint32_t>
find_port(const std::vector<Port>& list, tgsi::Semantic semantic, uint32_t index);

/// The registers of `inputs` of what `outputs` has written; 0 where nothing is.
/// registers  by output register
std::vector<std::array<uint32_t, 4>> linked(const std::vector<Port>& inputs,
                                            const std::vector<Port>& outputs,
                                            const std::vector<std::array<uint32_t, 4>>& registers);

/// The vertex outputs that a fragment shader interpolates without perspective, including front and
/// back colours.
std::vector<uint32_t> linear_outputs(const std::vector<Port>& vertex_outputs,
                                     const std::vector<Port>& fragment_inputs);

/// One more than the largest register index of the list.
uint32_t register_count(const std::vector<Port>& list);

}  // namespace valkyr::reference
