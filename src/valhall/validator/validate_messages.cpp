// Message rules: check single messages (V12, V14, V15) and the kinds of memory instructions.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "valhall/validator/validate_p.hpp"

namespace valkyr::valhall {

namespace {

constexpr uint8_t kBarrierSlot = 7;

/// Registers that hold something different in every lane at the start of a stage.
uint64_t per_lane_preloads(exec::Stage stage) {
    using exec::register_bits;
    switch (stage) {
    case exec::Stage::Vertex:
        return register_bits(exec::kRecordNumberRegister) | register_bits(exec::kVertexIdRegister);
    case exec::Stage::Geometry: return exec::entry_registers(stage);
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
    return is_special(source, exec::kLaneId);
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

bool is_special(const Source& source, exec::Special special) {
    return source.kind == SourceKind::Special && source.index == special;
}

void check_slots(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        const auto slot = message_slot(instr);
        if (!slot)
            continue;
        const bool barrier = has_effect(instr.op, Effect::barrier);
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
            const auto sources = op_info(instr.op).sources;
            for (size_t k = 0; k < sources.size(); ++k)
                if (sources[k].is_uniform && differs_between_lanes(instr.src[k], state))
                    report.add(word, instr,
                               "source " + std::to_string(k + 1) +
                                   " must be the same in all lanes");
            forget_written(state, instr);
        }
    }
}

}  // namespace valkyr::valhall
