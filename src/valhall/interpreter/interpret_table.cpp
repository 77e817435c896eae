// Table of instruction functions: finds the function that executes an instruction.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpret_table.hpp"

#include <array>
#include <utility>

namespace valkyr::valhall::interpret {

namespace {

template <size_t... indices>
std::array<OpFunction, kOpCount> make_table(std::index_sequence<indices...>) {
    return {&execute<static_cast<Op>(indices)>...};
}

const std::array<OpFunction, kOpCount> kTable = make_table(std::make_index_sequence<kOpCount>());

}  // namespace

OpFunction function_of(Op op) {
    return kTable[static_cast<unsigned>(op)];
}

}  // namespace valkyr::valhall::interpret
