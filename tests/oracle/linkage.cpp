// Linkage: lists declared registers and pairs the stages' outputs and inputs.
// SPDX-License-Identifier: MIT
#include "tests/oracle/linkage.hpp"

#include <algorithm>

namespace valkyr::reference {

std::vector<Port> ports(const tgsi::Shader& shader, tgsi::File file) {
    std::vector<Port> list;
    for (const tgsi::Declaration& d : shader.declarations) {
        if (d.file != file)
            continue;
        for (uint32_t reg = d.first; reg <= d.last; reg++)
            list.push_back({reg, d.semantic, d.semantic_index + (reg - d.first), d.interpolation,
                            d.location, d.usage_mask});
    }
    return list;
}

std::optional<uint32_t>
find_port(const std::vector<Port>& list, tgsi::Semantic semantic, uint32_t index) {
    for (const Port& port : list)
        if (port.semantic == semantic && port.index == index)
            return port.reg;
    return std::nullopt;
}

std::vector<std::array<uint32_t, 4>> linked(const std::vector<Port>& inputs,
                                            const std::vector<Port>& outputs,
                                            const std::vector<std::array<uint32_t, 4>>& registers) {
    std::vector<std::array<uint32_t, 4>> row(register_count(inputs));
    for (const Port& port : inputs)
        if (const auto reg = find_port(outputs, port.semantic, port.index))
            row[port.reg] = registers[*reg];
    return row;
}

std::vector<uint32_t> linear_outputs(const std::vector<Port>& vertex_outputs,
                                     const std::vector<Port>& fragment_inputs) {
    using tgsi::Semantic;
    std::vector<uint32_t> list;
    const auto add = [&](Semantic semantic, uint32_t index) {
        if (const auto reg = find_port(vertex_outputs, semantic, index))
            list.push_back(*reg);
    };
    for (const Port& port : fragment_inputs) {
        if (port.interpolation != tgsi::Interpolation::Linear ||
            port.semantic == Semantic::Position)
            continue;
        add(port.semantic, port.index);
        if (port.semantic == Semantic::Color)
            add(Semantic::BColor, port.index);
    }
    return list;
}

uint32_t register_count(const std::vector<Port>& list) {
    uint32_t count = 0;
    for (const Port& port : list)
        count = std::max(count, port.reg + 1);
    return count;
}

}  // namespace valkyr::reference
