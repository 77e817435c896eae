// Record origins: find which vertex record of a geometry program's lane an address names.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/message_source.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::jit {

/// The vertex of the lane's input primitive whose record the pair of registers from `address` on
/// holds the address of: this block computed it from the initial r48 to r53. nullopt: it is not
/// known.
std::optional<uint32_t> input_vertex_of(const MessageSource& m, Reg address);

/// The number, among the emission_records(max_vertices) that the lane may write, of the record
/// whose address the pair holds: this block computed it from the initial r59 and constants.
std::optional<uint32_t> emitted_record_of(const MessageSource& m, Reg address);

}  // namespace valkyr::jit
