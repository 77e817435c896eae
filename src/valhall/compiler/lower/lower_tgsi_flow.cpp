// Lowering: IF, loops, SWITCH, subroutines.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

constexpr unsigned kMaxCallDepth = 32;
/// Calls that are inlined; nested calls multiply, so that depth alone is no bound.
constexpr unsigned kMaxCalls = 4096;

void lower_if(Lowering& l, const Instruction& inst, const Rule&) {
    if (!l.flow.reachable()) {
        l.flow.begin_if(literal(0));
        return;
    }
    if (inst.opcode == Opcode::UIF) {
        l.flow.begin_if(l.bool_from_uint(l.src(inst, 0, 0)));
        return;
    }
    // -0.0 is false, NaN true.
    const Operand x = l.src_float(inst, 0, 0);
    if (x.kind == OperandKind::Literal)
        l.flow.begin_if(literal((x.value & 0x7FFFFFFF) != 0 ? 0xFFFFFFFF : 0));
    else
        l.flow.begin_if(l.b.fcmp(Condition::ne, ResultType::m1, x, literal(0)));
}

void lower_else(Lowering& l, const Instruction&, const Rule&) {
    l.flow.begin_else();
}

void lower_endif(Lowering& l, const Instruction&, const Rule&) {
    l.flow.end_if();
}

void lower_bgnloop(Lowering& l, const Instruction&, const Rule&) {
    const uint32_t first = l.position();
    const uint32_t end = matching_end(l.shader(), first, Opcode::BGNLOOP, Opcode::ENDLOOP);
    if (l.flow.reachable()) {
        if (l.unroll(first, end))
            return;
        l.load_inputs_before(first, end);
    }
    l.flow.begin_loop(l.written_vars(first, end));
}

void lower_endloop(Lowering& l, const Instruction&, const Rule&) {
    if (!l.flow.end_loop())
        l.unsupported("a loop without exit");
}

void lower_brk(Lowering& l, const Instruction&, const Rule&) {
    l.flow.break_out();
}

void lower_cont(Lowering& l, const Instruction&, const Rule&) {
    l.flow.continue_loop();
}

void lower_switch(Lowering& l, const Instruction& inst, const Rule&) {
    const uint32_t first = l.position();
    const uint32_t end = matching_end(l.shader(), first, Opcode::SWITCH, Opcode::ENDSWITCH);
    std::vector<Operand> cases;
    if (l.flow.reachable()) {
        const Operand selector = l.src(inst, 0, 0);
        unsigned depth = 0;
        for (uint32_t i = first; i < end; ++i) {
            const Instruction& at = l.shader().instructions[i];
            depth += at.opcode == Opcode::SWITCH ? 1 : 0;
            depth -= at.opcode == Opcode::ENDSWITCH ? 1 : 0;
            if (depth != 1)
                continue;
            if (at.opcode == Opcode::CASE)
                cases.push_back(
                    l.b.icmp_u32(Condition::eq, ResultType::m1, selector, l.src(at, 0, 0)));
            else if (at.opcode == Opcode::DEFAULT)
                cases.emplace_back();
        }
    }
    l.flow.begin_switch(l.written_vars(first, end), cases);
}

void lower_case(Lowering& l, const Instruction&, const Rule&) {
    l.flow.begin_case();
}

void lower_endswitch(Lowering& l, const Instruction&, const Rule&) {
    l.flow.end_switch();
}

/// The label of CAL is an instruction number: that of BGNSUB, or of the one behind it.
void lower_cal(Lowering& l, const Instruction& inst, const Rule&) {
    const auto& instructions = l.shader().instructions;
    uint32_t target = inst.label;
    if (target > 0 && target < instructions.size() && instructions[target].opcode != Opcode::BGNSUB)
        --target;
    if (!inst.has_label || target >= instructions.size() ||
        instructions[target].opcode != Opcode::BGNSUB) {
        l.fail(Errc::Semantic, "CAL without a subroutine at its label");
        return;
    }
    l.call(target);
}

void lower_ret(Lowering& l, const Instruction&, const Rule&) {
    l.flow.leave_region();
}

void lower_nothing(Lowering&, const Instruction&, const Rule&) {}

constexpr Rule kFlowRules[] = {
    {Opcode::IF, lower_if},           {Opcode::UIF, lower_if},
    {Opcode::ELSE, lower_else},       {Opcode::ENDIF, lower_endif},
    {Opcode::BGNLOOP, lower_bgnloop}, {Opcode::ENDLOOP, lower_endloop},
    {Opcode::BRK, lower_brk},         {Opcode::CONT, lower_cont},
    {Opcode::SWITCH, lower_switch},   {Opcode::CASE, lower_case},
    {Opcode::DEFAULT, lower_case},    {Opcode::ENDSWITCH, lower_endswitch},
    {Opcode::CAL, lower_cal},         {Opcode::RET, lower_ret},
    {Opcode::NOP, lower_nothing},
};

}  // namespace

uint32_t matching_end(const tgsi::Shader& shader, uint32_t first, Opcode open, Opcode close) {
    unsigned depth = 0;
    for (uint32_t i = first; i < shader.instructions.size(); ++i) {
        const Opcode opcode = shader.instructions[i].opcode;
        if (opcode == open)
            ++depth;
        else if (opcode == close && --depth == 0)
            return i;
    }
    return static_cast<uint32_t>(shader.instructions.size());
}

std::span<const Rule> flow_rules() {
    return kFlowRules;
}

Operand Lowering::bool_from_uint(Operand x) {
    if (x.kind == OperandKind::Literal)
        return literal(x.value != 0 ? 0xFFFFFFFF : 0);
    if (x.kind == OperandKind::Value) {
        const ir::Inst& def = b.def_inst(x.value);
        const bool compares =
            def.op == Op::FCMP_F32 || def.op == Op::ICMP_U32 || def.op == Op::ICMP_S32;
        if (compares && ir::get_mod_as<ResultType>(def, Mod::result_type) == ResultType::m1)
            return x;
        if (def.op == ir::kDouble && is_compare(ir::double_op(def)))
            return x;
    }
    return b.icmp_u32(Condition::ne, ResultType::m1, x, literal(0));
}

void Lowering::call(uint32_t bgnsub) {
    if (call_depth_ == kMaxCallDepth || call_count_ == kMaxCalls) {
        unsupported("recursion, or more than " + std::to_string(kMaxCalls) + " calls");
        return;
    }
    ++call_count_;
    const auto count = static_cast<uint32_t>(shader_.instructions.size());
    const Instruction* caller = current_;
    const uint32_t caller_position = position_;
    ++call_depth_;
    flow.begin_region(written_vars(bgnsub, count));
    lower_range(bgnsub + 1, count);
    flow.end_region();
    --call_depth_;
    current_ = caller;
    position_ = caller_position;
}

std::vector<VarId> Lowering::written_vars(uint32_t first, uint32_t end) {
    ++written_now_;
    written_.clear();
    call_stamp_.resize(shader_.instructions.size(), 0);
    collect_written(first, end);
    return written_;
}

void Lowering::collect_written(uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        const Instruction& inst = shader_.instructions[i];
        if (inst.opcode == Opcode::ENDSUB || inst.opcode == Opcode::END)
            return;
        const auto count = static_cast<uint32_t>(shader_.instructions.size());
        if (inst.opcode == Opcode::CAL && inst.label < count &&
            call_stamp_[inst.label] != written_now_) {
            call_stamp_[inst.label] = written_now_;
            collect_written(inst.label, count);
        }
        const bool discards = inst.opcode == Opcode::KILL || inst.opcode == Opcode::KILL_IF ||
                              inst.opcode == Opcode::DEMOTE;
        if (discards && reads_helper_ && written_stamp_[scratch(kDemotedScratch)] != written_now_) {
            written_stamp_[scratch(kDemotedScratch)] = written_now_;
            written_.push_back(scratch(kDemotedScratch));
        }
        if (inst.opcode == Opcode::EMIT || inst.opcode == Opcode::ENDPRIM) {
            for (const VarId var : {scratch(kEmittedScratch), scratch(kBeginsScratch)}) {
                if (written_stamp_[var] == written_now_)
                    continue;
                written_stamp_[var] = written_now_;
                written_.push_back(var);
            }
        }
        for (unsigned d = 0; d < inst.dst_count; ++d) {
            const tgsi::Dst& dst = inst.dst[d];
            const FileVars* vars = vars_of(dst.reg.file);
            const auto index = static_cast<uint32_t>(dst.reg.index.value);
            RegisterRange range{index, index};
            if (dst.reg.index.indirect)
                range = stays_in_registers(dst.reg) ? indexed_range(dst.reg) : RegisterRange{1, 0};
            for (uint32_t r = range.first; vars != nullptr && r <= range.last && r < vars->count;
                 ++r)
                add_written(vars->base + r * 4, dst.write_mask);
        }
    }
}

void Lowering::add_written(VarId base, unsigned mask) {
    for (unsigned c = 0; c < 4; ++c) {
        const VarId var = base + c;
        if ((mask >> c & 1) == 0 || written_stamp_[var] == written_now_)
            continue;
        written_stamp_[var] = written_now_;
        written_.push_back(var);
    }
}

void Lowering::load_inputs_before(uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        const Instruction& inst = shader_.instructions[i];
        for (unsigned s = 0; s < inst.src_count; ++s) {
            const tgsi::RegisterRef& reg = inst.src[s].reg;
            const std::optional<uint32_t> number = input_number(reg);
            if (reg.file != tgsi::File::Input || !number || *number >= inputs_.count)
                continue;
            for (const uint8_t component : inst.src[s].swizzle) {
                if ((input_used_[*number] >> component & 1) != 0)
                    load_input(*number, component);
            }
        }
    }
}

}  // namespace valkyr::valhall::lower
