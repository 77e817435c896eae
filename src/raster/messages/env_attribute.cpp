// Attribute messages: fetches vertex attributes for LD_ATTR (GL 4.6 section 10.3).
// SPDX-License-Identifier: MIT
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/register_convert.hpp"

#include <array>

namespace valkyr::raster {
namespace {

/// Zeros that are read instead of an element outside its buffer: a texel of the largest format.
constexpr std::array<uint8_t, 32> kNothing{};

const uint8_t* element(const exec::AttributeDescriptor& attribute,
                       const FormatInfo& info,
                       uint32_t vertex_id,
                       uint32_t instance_id) {
    const uint32_t index = attribute.divisor == 0 ? vertex_id : instance_id / attribute.divisor;
    const uint64_t offset = uint64_t{index} * attribute.stride;
    const bool inside = attribute.address != nullptr && info.block_bytes <= attribute.size &&
                        offset <= attribute.size - info.block_bytes;
    return inside ? attribute.address + offset : kNothing.data();
}

}  // namespace

void env_attribute(const Warp& warp,
                   const exec::AttributeMessage& message,
                   const Lanes& vertex_id,
                   const Lanes& instance_id,
                   Lanes* out) noexcept {
    const exec::ResourceTables& tables = warp.draw->tables;
    const bool bound = tables.attributes != nullptr && message.index < tables.attribute_count;
    const exec::AttributeDescriptor attribute =
        bound ? tables.attributes[message.index] : exec::AttributeDescriptor{};
    const FormatInfo& info = exec::format_info(attribute.format);
    const unsigned count = component_count(message.components);
    for_each_lane(warp.running, [&](unsigned lane) {
        Values components{};
        if (bound)
            components = decode_texel(
                info, element(attribute, info, vertex_id.v[lane], instance_id.v[lane]));
        write_registers(out, lane, components, count, is_half(message.format),
                        register_kind(message.format, info), info);
    });
}

}  // namespace valkyr::raster
