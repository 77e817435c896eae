// Trap text: tells what the lines of a shader's text compute with.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/trap_text.hpp"

#include "tgsi/opcode_table.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

/// "  3: RCP TEMP[0].x, TEMP[1].xxxx " without the number and spaces around.
std::string_view instruction_of(std::string_view line) {
    const size_t number = line.find_first_not_of(" \t");
    if (number == std::string_view::npos)
        return {};
    const size_t behind = line.find_first_not_of("0123456789", number);
    if (behind != std::string_view::npos && behind > number && line[behind] == ':')
        line.remove_prefix(behind + 1);
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(first);
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace

TrapText::TrapText(std::string name, std::string_view text)
    : name_(std::move(name)) {
    const tgsi::ParseResult parsed = tgsi::parse(text);
    const std::vector<std::string_view> lines = lines_of(text);
    const auto& immediates = parsed.shader.immediates;
    for (const tgsi::Instruction& inst : parsed.shader.instructions) {
        if (inst.pos.line == 0 || inst.pos.line > lines.size())
            continue;
        Line& line = lines_[inst.pos.line];
        line.text = instruction_of(lines[inst.pos.line - 1]);
        const auto& info = tgsi::opcode_info(inst.opcode);
        line.is_flow = inst.dst_count == 0 && inst.src_count == 0;
        for (unsigned d = 0; d < inst.dst_count; ++d)
            line.makes_floats |= info.dst_types[d] == tgsi::OperandType::Float ||
                                 info.dst_types[d] == tgsi::OperandType::Double;
        for (unsigned s = 0; s < inst.src_count; ++s) {
            const tgsi::RegisterRef& reg = inst.src[s].reg;
            if (reg.file != tgsi::File::Immediate)
                continue;
            for (size_t i = 0; i < immediates.size(); ++i)
                if (reg.index.indirect || static_cast<size_t>(reg.index.value) == i)
                    line.constants.insert(line.constants.end(), immediates[i].words.begin(),
                                          immediates[i].words.end());
        }
    }
}

const TrapText::Line& TrapText::line(uint32_t number) const {
    static const Line kNone;
    const auto found = lines_.find(number);
    return found != lines_.end() ? found->second : kNone;
}

}  // namespace valkyr::debug
