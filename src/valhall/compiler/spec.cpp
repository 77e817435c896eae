// Base words and modifier fields, looked up once from the instruction tables.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/spec.hpp"

#include <array>

namespace valkyr::valhall::ir {
namespace {

struct OpFields {
    uint64_t base = 0;
    std::array<BitField, kModCount> mods{};
};

std::array<OpFields, kOpCount> make_fields() {
    std::array<OpFields, kOpCount> table{};
    for (const OpInfo& info : all_ops()) {
        OpFields& fields = table[static_cast<unsigned>(info.op)];
        fields.base = info.fixed_value;
        for (const ModInfo& mod : info.mods) {
            fields.mods[static_cast<unsigned>(mod.mod)] = mod.bits;
            fields.base |= place_bits(mod.default_value, mod.bits.start, mod.bits.size);
        }
    }
    return table;
}

const OpFields& fields_of(Op op) {
    static const std::array<OpFields, kOpCount> table = make_fields();
    return table[static_cast<unsigned>(op)];
}

}  // namespace

uint64_t base_word(Op op) {
    return is_pseudo(op) ? 0 : fields_of(op).base;
}

BitField mod_field(Op op, Mod mod) {
    return is_pseudo(op) ? BitField{} : fields_of(op).mods[static_cast<unsigned>(mod)];
}

}  // namespace valkyr::valhall::ir
