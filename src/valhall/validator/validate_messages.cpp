// Validator rules about single messages: V12, V14, V15, and the kinds of memory instructions.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/validator/validate_p.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

constexpr uint8_t kBarrierSlot = 7;
constexpr unsigned kLaneId = 1;  // FAU page 3

/// A source that must be the same in all lanes that send the message.
struct UniformOperand {
    Op op;
    uint8_t source;
};
constexpr UniformOperand kUniformOperands[] = {
    {Op::LD_ATTR, 2},        {Op::LEA_ATTR, 2},       {Op::LD_TEX, 2},
    {Op::LEA_TEX, 2},        {Op::LD_VAR, 1},         {Op::LD_VAR_FLAT, 0},
    {Op::LD_VAR_BUF_F32, 1}, {Op::LD_VAR_BUF_F16, 1}, {Op::TEX_SINGLE, 0},
    {Op::TEX_FETCH, 0},      {Op::TEX_GATHER, 0},     {Op::VAR_TEX_BUF_SINGLE, 0},
    {Op::VAR_TEX_SINGLE, 0}, {Op::VAR_TEX_GATHER, 0}, {Op::VAR_TEX_BUF_GATHER, 0},
    {Op::LD_BUFFER_I8, 1},   {Op::LD_BUFFER_I16, 1},  {Op::LD_BUFFER_I24, 1},
    {Op::LD_BUFFER_I32, 1},  {Op::LD_BUFFER_I48, 1},  {Op::LD_BUFFER_I64, 1},
    {Op::LD_BUFFER_I96, 1},  {Op::LD_BUFFER_I128, 1}, {Op::BRANCHZI, 1},
};

/// Registers that hold something different in every lane at the start of a stage.
uint64_t per_lane_preloads(exec::Stage stage) {
    using exec::register_bits;
    switch (stage) {
    case exec::Stage::Vertex:
        return register_bits(exec::kRecordNumberRegister) | register_bits(exec::kVertexIdRegister);
    case exec::Stage::Fragment:
    case exec::Stage::Blend: return register_bits(exec::kPixelRegister);
    case exec::Stage::Compute:
        return register_bits(exec::kLocalIdRegister) | register_bits(exec::kGlobalIdRegister);
    }
    return 0;
}

/// Registers that still hold their preloaded value on every path.
struct Untouched {
    uint64_t registers = 0;
    bool join(const Untouched& other) {
        const uint64_t before = registers;
        registers &= other.registers;
        return registers != before;
    }
};

void forget_written(Untouched& state, const Instr& instr) {
    for (const RegisterAccess& access : RegisterAccesses(instr))
        if (access.is_write())
            state.registers &= ~(uint64_t{1} << access.reg);
}

bool differs_between_lanes(const Source& source, const Untouched& state) {
    if (source.kind == SourceKind::Register)
        return state.registers >> source.index & 1;
    return is_special(source, 3, kLaneId);
}

/// Sample mode whose position LD_VAR* saved last in this block, or kNothingSaved.
using SavedMode = uint8_t;
constexpr SavedMode kNothingSaved = 0xFF;

void check_update(const Instr& instr, uint32_t word, SavedMode& saved, RuleReport& report) {
    const auto update = instr.get<UpdateMode>(Mod::update);
    const uint8_t sample = instr.mod(Mod::sample);
    if (instr.op == Op::LD_VAR_SPECIAL && update != UpdateMode::clobber)
        report.add(word, instr, "the update mode must be clobber");
    if (update == UpdateMode::retrieve && saved != sample)
        report.add(word, instr,
                   "retrieve without a store of the same sample mode before it in the block");
    if (update == UpdateMode::store)
        saved = sample;
    else if (update == UpdateMode::clobber)
        saved = kNothingSaved;
}

}  // namespace

bool is_special(const Source& source, unsigned page, unsigned k) {
    return source.kind == SourceKind::Special && source.index == 16 * page + k;
}

bool is_plain_load(Op op) {
    const std::string_view name = op_info(op).name;
    return name.starts_with("LOAD.") || op == Op::LD_TEX || op == Op::LD_TEX_IMM;
}

bool is_plain_store(Op op) {
    return op_info(op).name.starts_with("STORE.") || op == Op::ST_CVT;
}

bool is_atomic(Op op) {
    return op_info(op).name.starts_with("ATOM");
}

bool has_side_effect(Op op) {
    return is_plain_store(op) || is_atomic(op);
}

bool is_varying_load(Op op) {
    const Unit unit = op_info(op).unit;
    return unit == Unit::Varying || unit == Unit::VaryingTexture;
}

void check_slots(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        const auto slot = message_slot(instr);
        if (!slot)
            continue;
        const bool barrier = instr.op == Op::BARRIER;
        if (barrier != (*slot == kBarrierSlot))
            report.add(word, instr, barrier ? "needs slot7" : "slot7 belongs to BARRIER");
    }
}

void check_retrieve(const ValidatedProgram& p, RuleReport& report) {
    for (const BasicBlock& block : p.graph.blocks()) {
        SavedMode saved = kNothingSaved;
        for (uint32_t word = block.first; word <= block.last; ++word)
            if (has_modifier(p.instrs[word].op, Mod::update))
                check_update(p.instrs[word], word, saved, report);
    }
}

void check_uniform_operands(const ValidatedProgram& p, RuleReport& report) {
    const auto transfer = [&](Untouched& state, uint32_t word) {
        forget_written(state, p.instrs[word]);
    };
    const auto states = solve_forward(p.graph, Untouched{per_lane_preloads(p.stage())}, transfer);
    for (uint32_t number = 0; number < p.graph.blocks().size(); ++number) {
        const BasicBlock& block = p.graph.blocks()[number];
        Untouched state = states[number];
        for (uint32_t word = block.first; word <= block.last; ++word) {
            const Instr& instr = p.instrs[word];
            for (const UniformOperand& row : kUniformOperands)
                if (row.op == instr.op && differs_between_lanes(instr.src[row.source], state))
                    report.add(word, instr,
                               "source " + std::to_string(row.source + 1) +
                                   " must be the same in all lanes");
            forget_written(state, instr);
        }
    }
}

}  // namespace valkyr::valhall
