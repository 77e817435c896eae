// Instruction tables: looks up rows of the generated tables.
// SPDX-License-Identifier: MIT
#include "valhall/isa/isa.hpp"

#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/isa/instr.hpp"
#include "valhall/isa/isa_tables.hpp"

#include <algorithm>

namespace valkyr::valhall {

std::string_view unit_name(Unit unit) {
    constexpr std::string_view kNames[] = {"FMA", "CVT", "SFU", "V", "LS", "T", "VT", "NONE"};
    return kNames[static_cast<size_t>(unit)];
}

const EffectInfo& effect_info(unsigned bit) {
    VALKYR_DCHECK(bit < kEffectCount);
    return tables::kEffectRows[bit];
}

std::span<const OpInfo> all_ops() {
    return tables::kOpRows;
}

std::optional<Op> find_op(std::string_view name) {
    const std::span<const Op> ops = tables::kOpsByName;
    const auto at =
        std::lower_bound(ops.begin(), ops.end(), name,
                         [](Op op, std::string_view text) { return op_info(op).name < text; });
    if (at == ops.end() || op_info(*at).name != name)
        return std::nullopt;
    return *at;
}

std::optional<Op> op_of_word(uint64_t word) {
    const tables::DecodeRow& row =
        tables::kDecodeRows[extract_bits(word, kOpcodeStart, kOpcodeSize)];
    if (!row.assigned)
        return std::nullopt;
    const uint64_t low = extract_bits(word, row.low.start, row.low.size);
    const uint64_t high = extract_bits(word, row.high.start, row.high.size);
    const uint16_t op = tables::kDecodeOps[row.first + (low | high << row.low.size)];
    if (op == tables::kNoOp)
        return std::nullopt;
    return static_cast<Op>(op);
}

const EnumInfo& enum_info(EnumId id) {
    VALKYR_DCHECK(static_cast<unsigned>(id) < kEnumCount);
    return tables::kEnumRows[static_cast<unsigned>(id)];
}

std::span<const std::string_view> enum_tokens(EnumId id) {
    return enum_info(id).tokens;
}

std::span<const uint32_t, 32> immediate_table() {
    return tables::kConstants;
}

std::string_view immediate_note(unsigned index) {
    return tables::kConstantNotes[index & 31];
}

std::string_view special_name(unsigned page, unsigned k) {
    return tables::kSpecialNames[(page & 3) * 16 + (k & 15)];
}

std::string_view special_note(unsigned page, unsigned k) {
    return tables::kSpecialNotes[(page & 3) * 16 + (k & 15)];
}

std::optional<unsigned> find_special(std::string_view name) {
    const auto* const end = std::end(tables::kSpecialNames);
    const auto* const at = std::find(std::begin(tables::kSpecialNames), end, name);
    if (at == end || name.empty())
        return std::nullopt;
    return static_cast<unsigned>(at - std::begin(tables::kSpecialNames));
}

Instr make_instr(Op op) {
    const OpInfo& info = op_info(op);
    Instr instr;
    instr.op = op;
    for (const ModInfo& mod : info.mods)
        instr.set_mod(mod.mod, mod.default_value);
    for (size_t i = 0; i < info.sources.size(); ++i)
        instr.src[i].selector = info.sources[i].selector_default;
    return instr;
}

}  // namespace valkyr::valhall
