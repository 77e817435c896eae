// Register moves: puts parallel moves in an order that loses nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <optional>
#include <vector>

namespace valkyr::valhall::ir {

/// Register `to` = operand `from` (register, constant, uniform, special or literal).
struct Move {
    uint8_t to = 0;
    Operand from;
};

/// Adds a move unless it moves a register to itself.
void add_move(std::vector<Move>& moves, unsigned to, Operand from);

/// Appends instructions with the effect of all moves at once. Cycles go through `spare`, a register
/// that nothing else uses, or else are turned by exchanges. Destinations must differ; `moves` is
/// used up.
void emit_moves(std::vector<Move>& moves,
                std::optional<uint8_t> spare,
                uint32_t line,
                std::vector<Inst>& out);

}  // namespace valkyr::valhall::ir
