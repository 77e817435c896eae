// Trap text: tells what the lines of a shader's text compute with.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// The facts about a TGSI text that a trap needs, by line from 1 on.
class TrapText {
public:
    struct Line {
        std::string text;
        bool makes_floats = false;        ///< the result is of floats or doubles
        bool is_flow = false;             ///< it has no operands: ELSE, ENDIF, END
        std::vector<uint32_t> constants;  ///< words of the immediates that it reads
    };

    TrapText() = default;
    /// name  of the shader, for messages
    TrapText(std::string name, std::string_view text);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// The instruction in this line; an empty one if there is none.
    [[nodiscard]] const Line& line(uint32_t number) const;

private:
    std::string name_;
    std::map<uint32_t, Line> lines_;
};

}  // namespace valkyr::debug
