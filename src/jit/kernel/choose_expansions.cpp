// Expansion choice: decides for every step how its message becomes host code.
// SPDX-License-Identifier: MIT
#include "jit/kernel/choose_expansions.hpp"

#include "jit/expand/fragment/blend_choice.hpp"
#include "jit/expand/fragment/inline_atest.hpp"
#include "jit/expand/fragment/inline_tile.hpp"
#include "jit/expand/fragment/inline_varying.hpp"
#include "jit/expand/image/inline_image.hpp"
#include "jit/expand/memory/inline_atomic.hpp"
#include "jit/expand/memory/inline_buffer.hpp"
#include "jit/expand/memory/inline_local.hpp"
#include "jit/expand/memory/inline_memory.hpp"
#include "jit/expand/texture/texture_state.hpp"
#include "jit/expand/vertex/inline_attribute.hpp"
#include "jit/expand/vertex/inline_emission.hpp"
#include "jit/expand/vertex/inline_record.hpp"
#include "jit/guest/lane_words.hpp"

#include <array>
#include <initializer_list>

namespace valkyr::jit {

using valhall::Op;

namespace {

MessageChoice always_routine(const MessageSource& /*m*/) {
    return {Expansion::Routine};
}

/// The chooser of instructions that belong to message units but send no message.
MessageChoice no_message(const MessageSource& /*m*/) {
    return {Expansion::None};
}

MessageChoice first_of(const MessageSource& m, std::initializer_list<Chooser> choosers) {
    for (const Chooser choose : choosers)
        if (const MessageChoice choice = choose(m); choice.expansion != Expansion::Routine)
            return choice;
    return {Expansion::Routine};
}

MessageChoice choose_load(const MessageSource& m) {
    return first_of(m, {choose_local_access, choose_input_load, choose_memory_load});
}

MessageChoice choose_store(const MessageSource& m) {
    return first_of(
        m, {choose_record_store, choose_emission_store, choose_local_access, choose_memory_store});
}

struct Row {
    Op op;
    Chooser choose;
};
/// The choosers of all instructions except ALU and control flow.
constexpr auto kRows = std::to_array<Row>({
    {Op::LD_VAR_BUF_IMM_F32, choose_varying},
    {Op::LD_VAR_BUF_IMM_F16, choose_varying},
    {Op::LD_VAR_BUF_F32, choose_varying},
    {Op::LD_VAR_BUF_F16, choose_varying},
    {Op::LD_VAR_IMM, choose_varying},
    {Op::LD_VAR_FLAT_IMM, choose_varying},
    {Op::LD_VAR, always_routine},
    {Op::LD_VAR_FLAT, always_routine},
    {Op::LD_VAR_SPECIAL, choose_varying_special},
    {Op::ATEST, choose_atest},
    {Op::ZS_EMIT, choose_zs_emit},
    {Op::BLEND, choose_blend},
    {Op::LD_TILE, choose_tile_access},
    {Op::ST_TILE, choose_tile_access},
    {Op::LD_ATTR_IMM, choose_attribute},
    {Op::LD_ATTR, choose_attribute},
    {Op::LEA_ATTR_IMM, always_routine},
    {Op::LEA_ATTR, always_routine},
    {Op::LD_BUFFER_I8, choose_buffer_load},
    {Op::LD_BUFFER_I16, choose_buffer_load},
    {Op::LD_BUFFER_I24, choose_buffer_load},
    {Op::LD_BUFFER_I32, choose_buffer_load},
    {Op::LD_BUFFER_I48, choose_buffer_load},
    {Op::LD_BUFFER_I64, choose_buffer_load},
    {Op::LD_BUFFER_I96, choose_buffer_load},
    {Op::LD_BUFFER_I128, choose_buffer_load},
    {Op::LOAD_I8, choose_load},
    {Op::LOAD_I16, choose_load},
    {Op::LOAD_I24, choose_load},
    {Op::LOAD_I32, choose_load},
    {Op::LOAD_I48, choose_load},
    {Op::LOAD_I64, choose_load},
    {Op::LOAD_I96, choose_load},
    {Op::LOAD_I128, choose_load},
    {Op::STORE_I8, choose_store},
    {Op::STORE_I16, choose_store},
    {Op::STORE_I24, choose_store},
    {Op::STORE_I32, choose_store},
    {Op::STORE_I48, choose_store},
    {Op::STORE_I64, choose_store},
    {Op::STORE_I96, choose_store},
    {Op::STORE_I128, choose_store},
    {Op::ATOM1_RETURN_I32, choose_atomic},
    {Op::ATOM1_RETURN_I64, always_routine},
    {Op::ATOM_I32, choose_atomic},
    {Op::ATOM_I64, always_routine},
    {Op::ATOM_RETURN_I32, choose_atomic},
    {Op::ATOM_RETURN_I64, always_routine},
    {Op::TEX_SINGLE, choose_texture},
    {Op::TEX_FETCH, choose_texture},
    {Op::TEX_GATHER, choose_texture},
    {Op::VAR_TEX_SINGLE, choose_varying_texture},
    {Op::VAR_TEX_GATHER, choose_varying_texture},
    {Op::VAR_TEX_BUF_SINGLE, choose_varying_texture},
    {Op::VAR_TEX_BUF_GATHER, choose_varying_texture},
    {Op::LD_TEX_IMM, choose_image},
    {Op::LD_TEX, choose_image},
    {Op::LEA_TEX_IMM, choose_image},
    {Op::LEA_TEX, choose_image},
    {Op::ST_CVT, choose_convert_store},
    {Op::LEA_BUF_IMM, no_message},
    {Op::BARRIER, no_message},
    // read_program() refuses these.
    {Op::TEX_DUAL, no_message},
    {Op::VAR_TEX_DUAL, no_message},
    {Op::VAR_TEX_BUF_DUAL, no_message},
    {Op::VAR_TEX_GRADIENT, no_message},
    {Op::VAR_TEX_BUF_GRADIENT, no_message},
});

std::array<Chooser, valhall::kOpCount> make_table() {
    std::array<Chooser, valhall::kOpCount> table{};
    for (const Row& row : kRows)
        table[static_cast<size_t>(row.op)] = row.choose;
    return table;
}

}  // namespace

Chooser chooser_of(Op op) {
    static const auto table = make_table();
    return table[static_cast<size_t>(op)];
}

void choose_expansions(GuestProgram& program, const KernelSource& source) {
    KnownWords known(program);
    LaneWords lanes;
    for (uint32_t b = 0; b < program.blocks.size() && !source.cancellation.requested(); ++b) {
        const Block& block = program.blocks[b];
        known.begin_block(b);
        lanes.begin_block();
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            Step& step = program.steps[k];
            if (const Chooser choose = chooser_of(step.instr.op))
                step.message = choose({{source}, k, block, known});
            if (program.runs_whole(block))
                step.quad_lanes = lanes.quad_lanes(step, known);
            lanes.pass(step, known);
            known.pass(step);
        }
    }
}

}  // namespace valkyr::jit
