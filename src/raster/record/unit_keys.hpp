// Unit keys: add the textures, samplers and images that a program uses to the key of its kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/record/state_keys.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace valkyr::raster {

/// Returns the number of bound units that a program's mask reaches.
inline uint8_t unit_count(uint32_t mask, uint32_t bound) {
    return static_cast<uint8_t>(
        std::min<uint32_t>(bound, static_cast<uint32_t>(std::bit_width(mask))));
}

/// Calls visit(member, value) for each key member that depends on a program's units, until visit
/// returns false.
template <typename Key, typename Visit>
bool visit_units(const exec::ResourceTables& tables,
                 const exec::ProgramInfo& info,
                 Key& key,
                 Visit visit) {
    const auto units = [&](uint32_t used, uint32_t bound, auto& count, auto& members, auto value) {
        const uint8_t reached = unit_count(used, bound);
        bool goes_on = visit(count, reached);
        for (uint32_t i = 0; i < reached && goes_on; ++i)
            if ((used >> i & 1) != 0)
                goes_on = visit(members[i], value(i));
        return goes_on;
    };
    return units(info.textures_read, tables.texture_count, key.texture_units, key.textures,
                 [&](uint32_t i) { return texture_key(tables.textures[i]); }) &&
           units(info.samplers_read, tables.sampler_count, key.sampler_units, key.samplers,
                 [&](uint32_t i) { return tables.samplers[i].modes; }) &&
           units(info.images_used, tables.image_count, key.image_units, key.images,
                 [&](uint32_t i) { return image_key(tables.images[i]); });
}

/// Adds the units of a program to a key.
template <typename Key>
void add_units(const exec::ResourceTables& tables, const exec::ProgramInfo& info, Key& key) {
    visit_units(tables, info, key, [](auto& member, const auto& value) {
        member = value;
        return true;
    });
}

/// Returns whether the units of a program match a key of this program.
template <typename Key>
bool same_units(const exec::ResourceTables& tables, const exec::ProgramInfo& info, const Key& key) {
    return visit_units(tables, info, key,
                       [](const auto& member, const auto& value) { return member == value; });
}

}  // namespace valkyr::raster
