// Attribute index: extracts the number of an attribute from handles and immediates.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/handle.hpp"
#include "valhall/isa/instr.hpp"

namespace valkyr::jit {

/// An index beyond every table, so that the load gives 0.
inline constexpr uint32_t kNoAttribute = 0xFFFFFFFF;

inline uint32_t attribute_of(uint32_t handle) {
    return exec::table_of(handle) == exec::ResourceTable::Attributes ? exec::index_of(handle)
                                                                     : kNoAttribute;
}

/// The number of the attribute that two immediates name.
inline uint32_t immediate_attribute(const valhall::Instr& instr, unsigned table, unsigned index) {
    constexpr auto attributes = static_cast<int64_t>(exec::ResourceTable::Attributes);
    return instr.imm[table] == attributes ? static_cast<uint32_t>(instr.imm[index]) : kNoAttribute;
}

}  // namespace valkyr::jit
