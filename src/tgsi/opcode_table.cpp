// The opcode table: rows of opcodes.inc with their operand signatures taken apart at compile time.
// SPDX-License-Identifier: MIT
#include "tgsi/opcode_table.hpp"

#include "tgsi/names.hpp"

namespace valkyr::tgsi {

namespace {

constexpr OperandType type_of_letter(char letter) {
    switch (letter) {
    case 'F': return OperandType::Float;
    case 'I': return OperandType::Signed;
    case 'U': return OperandType::Unsigned;
    case 'D': return OperandType::Double;
    case 'L': return OperandType::Signed64;
    case 'Q': return OperandType::Unsigned64;
    case 'R': return OperandType::Resource;
    default: return OperandType::Untyped;
    }
}

constexpr OpcodeInfo make_row(std::string_view name,
                              OperandKind kind,
                              ChannelRule channels,
                              std::string_view dst,
                              std::string_view src,
                              StageRule stages,
                              uint8_t dedent,
                              uint8_t indent) {
    OpcodeInfo row;
    row.name = name;
    row.kind = kind;
    row.channels = channels;
    row.stages = stages;
    row.dedent = dedent;
    row.indent = indent;
    row.dst_count = static_cast<uint8_t>(dst.size());
    row.src_count = static_cast<uint8_t>(src.size());
    for (size_t i = 0; i < dst.size(); ++i)
        row.dst_types[i] = type_of_letter(dst[i]);
    for (size_t i = 0; i < src.size(); ++i) {
        const bool optional = src[i] >= 'a';
        row.src_types[i] =
            type_of_letter(optional ? static_cast<char>(src[i] - 'a' + 'A') : src[i]);
        row.min_src_count = static_cast<uint8_t>(row.min_src_count + (optional ? 0 : 1));
    }
    return row;
}

constexpr std::array<OpcodeInfo, kOpcodeCount> kTable{
#define VALKYR_TGSI_OPCODE(name, kind, channels, dst, src, stages, dedent, indent)                 \
    make_row(#name, OperandKind::kind, ChannelRule::channels, dst, src, StageRule::stages, dedent, \
             indent),
#include "tgsi/opcodes.inc"
#undef VALKYR_TGSI_OPCODE
};

constexpr std::array<std::string_view, kOpcodeCount> kNames{
#define VALKYR_TGSI_OPCODE(name, ...) #name,
#include "tgsi/opcodes.inc"
#undef VALKYR_TGSI_OPCODE
};

constexpr KeywordTable<Opcode, 1024> kByName(kNames);

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) {
    return kTable[static_cast<size_t>(opcode)];
}

std::optional<Opcode> find_opcode(std::string_view name) {
    return kByName.find(name);
}

bool legal_in_stage(StageRule rule, Stage stage) {
    switch (rule) {
    case StageRule::Any: return true;
    case StageRule::Fragment: return stage == Stage::Fragment;
    case StageRule::Geometry: return stage == Stage::Geometry;
    case StageRule::Workgroup: return stage == Stage::Compute || stage == Stage::TessCtrl;
    }
    return false;
}

}  // namespace valkyr::tgsi
