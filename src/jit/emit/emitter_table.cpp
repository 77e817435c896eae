// Emitter table: finds the emitter of an Op.
// SPDX-License-Identifier: MIT
#include "jit/emit/emitter.hpp"

#include <array>
#include <utility>

namespace valkyr::jit {

using valhall::Op;

namespace {

template <size_t... indices>
std::array<Emitter, valhall::kOpCount> make_table(std::index_sequence<indices...>) {
    return {&emit<static_cast<Op>(indices)>...};
}

}  // namespace

Emitter emitter_of(Op op) {
    static const auto table = make_table(std::make_index_sequence<valhall::kOpCount>());
    return table[static_cast<size_t>(op)];
}

bool emits_by_part(Op op) {
    const valhall::OpInfo& info = valhall::op_info(op);
    return info.has_dest && valhall::is_alu(info.unit) && !is_cross_lane(op);
}

}  // namespace valkyr::jit
