// Stage rules: check stages and the end of a fragment, V16 to V19.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "valhall/validator/validate_p.hpp"

namespace valkyr::valhall {

namespace {

constexpr int64_t kEpilogueWords = 2;
constexpr uint32_t kReturnBytes = 8;  // passes over the BRANCHZI of the epilogue

// The stages of valhall.xml are bits numbered as exec::Stage is.
static_assert(exec::Stage{0} == exec::Stage::Vertex && exec::Stage{1} == exec::Stage::Fragment &&
              exec::Stage{2} == exec::Stage::Compute && exec::Stage{3} == exec::Stage::Blend &&
              exec::Stage{4} == exec::Stage::Geometry);

/// Whether programs of the stage may use the instruction.
bool exists_in(Op op, exec::Stage stage) {
    return (op_info(op).stages >> static_cast<unsigned>(stage) & 1) != 0;
}

/// Progress of a fragment program at a point: messages that it may or must have sent.
struct Progress {
    bool atest_may = false;
    bool atest_must = false;
    bool zs_may = false;
    bool blend_may = false;
    uint8_t targets_may = 0;  ///< render targets

    bool join(const Progress& other) {
        const Progress before = *this;
        atest_may |= other.atest_may;
        atest_must &= other.atest_must;
        zs_may |= other.zs_may;
        blend_may |= other.blend_may;
        targets_may |= other.targets_may;
        return !(*this == before);
    }
    friend bool operator==(const Progress&, const Progress&) = default;
};

/// Render target of a BLEND by its descriptor operand, as a mask; 0 if it is not a special.
uint8_t blend_target(const Instr& instr) {
    const Source& source = instr.src[0];
    if (source.kind != SourceKind::Special || source.index < exec::kBlendDescriptor0 ||
        source.index >= exec::kBlendDescriptor0 + exec::kMaxRenderTargets)
        return 0;
    return static_cast<uint8_t>(1U << (source.index - exec::kBlendDescriptor0));
}

void advance(Progress& state, const Instr& instr) {
    if (instr.op == Op::ATEST)
        state.atest_may = state.atest_must = true;
    else if (instr.op == Op::ZS_EMIT)
        state.zs_may = true;
    else if (instr.op == Op::BLEND) {
        state.blend_may = true;
        state.targets_may |= blend_target(instr);
    }
}

/// Calls f(state before the instruction, word) for every reachable instruction.
template <typename F>
void for_each_progress(const ValidatedProgram& p, F f) {
    const auto step = [&](Progress& state, uint32_t word) { advance(state, p.instrs[word]); };
    const auto states = solve_forward(p.graph, Progress{}, step);
    for (uint32_t number = 0; number < p.graph.blocks().size(); ++number) {
        const BasicBlock& block = p.graph.blocks()[number];
        Progress state = states[number];
        for (uint32_t word = block.first; block.reachable && word <= block.last; ++word) {
            f(state, word);
            advance(state, p.instrs[word]);
        }
    }
}

/// Describes the mistake in the order of messages at this instruction; null if there is none.
const char* order_problem(const Progress& state, const Instr& instr) {
    switch (instr.op) {
    case Op::ATEST:
        if (state.atest_may)
            return "a second ATEST on this path";
        return state.zs_may || state.blend_may ? "ATEST comes before ZS_EMIT and BLEND" : nullptr;
    case Op::ZS_EMIT:
        if (!state.atest_must)
            return "no ATEST on some path to it";
        if (state.zs_may)
            return "a second ZS_EMIT on this path";
        return state.blend_may ? "ZS_EMIT comes before BLEND" : nullptr;
    case Op::BLEND:
        if (!state.atest_must)
            return "no ATEST on some path to it";
        return state.targets_may & blend_target(instr) ? "a second BLEND of this render target"
                                                       : nullptr;
    default:
        return instr.flow == Flow::end && !state.atest_must ? "ends without ATEST on some path"
                                                            : nullptr;
    }
}

bool is_register(const Source& source, uint8_t reg) {
    return source.kind == SourceKind::Register && source.index == reg;
}

bool writes_only(const Instr& instr, uint8_t reg) {
    return instr.staging[0].base == reg && instr.staging[0].count == 1;
}

bool is_zero(const Source& source) {
    return source.kind == SourceKind::Constant && immediate_table()[source.index % 32] == 0;
}

/// r48 = 0, in either of its two spellings.
bool clears_link(const Instr& instr) {
    if (instr.dest != Destination{exec::kLinkRegister, 3} || !is_zero(instr.src[0]))
        return false;
    return instr.op == Op::MOV_I32 || (instr.op == Op::IADD_IMM_I32 && instr.imm[0] == 0);
}

/// r48 = address behind the epilogue.
bool sets_link(const Instr& instr) {
    return instr.op == Op::IADD_IMM_I32 && instr.dest == Destination{exec::kLinkRegister, 3} &&
           is_special(instr.src[0], exec::kProgramCounter) && instr.src[0].word == 0 &&
           instr.imm[0] == kReturnBytes;
}

bool calls_blend_shader(const Instr& instr, const Instr& blend) {
    return instr.op == Op::BRANCHZI && instr.mod(Mod::eq) && instr.mod(Mod::absolute) &&
           is_zero(instr.src[0]) && instr.src[1].kind == SourceKind::Special &&
           instr.src[1].index == blend.src[0].index && instr.src[1].word == 1;
}

void check_epilogue(const ValidatedProgram& p, uint32_t word, RuleReport& report) {
    const Instr& instr = p.instrs[word];
    const bool ends = instr.flow == Flow::end;
    if (instr.imm[0] != (ends ? 0 : kEpilogueWords))
        report.add(word, instr, ends ? "target must be 0 with .end" : "target must be 2");
    if (word + kEpilogueWords >= p.size())
        return report.add(word, instr, "has no epilogue");
    const Instr& link = p.instrs[word + 1];
    if (!(ends ? clears_link(link) : sets_link(link)))
        report.add(word + 1, link,
                   ends ? "the epilogue of a BLEND with .end sets r48 to 0"
                        : "the epilogue sets r48 to program_counter.w0 + 8");
    if (!calls_blend_shader(p.instrs[word + 2], instr))
        report.add(word + 2, p.instrs[word + 2],
                   "the epilogue branches with BRANCHZI.eq.absolute 0x0 to w1 of the descriptor");
}

}  // namespace

void check_stage(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        if (!exists_in(instr.op, p.stage()))
            report.add(word, instr, "not available in this stage");
        if (instr.flow == Flow::discard && p.stage() != exec::Stage::Fragment)
            report.add(word, instr, ".discard is for fragment programs");
        if (p.stage() == exec::Stage::Blend && waited_slots(instr.flow) & 0xC0)
            report.add(word, instr, "a blend shader must not wait for slots 6 and 7");
    }
}

void check_fragment_order(const ValidatedProgram& p, RuleReport& report) {
    if (p.stage() != exec::Stage::Fragment)
        return;
    for_each_progress(p, [&](const Progress& state, uint32_t word) {
        if (const char* problem = order_problem(state, p.instrs[word]))
            report.add(word, p.instrs[word], problem);
    });
}

void check_coverage(const ValidatedProgram& p, RuleReport& report) {
    for_each_progress(p, [&](const Progress& state, uint32_t word) {
        const Instr& instr = p.instrs[word];
        const bool atest = instr.op == Op::ATEST;
        if (atest || instr.op == Op::ZS_EMIT) {
            if (!is_register(instr.src[atest ? 0 : 2], exec::kCoverageRegister) ||
                !writes_only(instr, exec::kCoverageRegister))
                report.add(word, instr, "reads and writes coverage in r60");
        }
        if (instr.op == Op::BLEND && !is_register(instr.src[1], exec::kCoverageRegister))
            report.add(word, instr, "reads coverage from r60");
        if (instr.op == Op::DISCARD_F32 && state.atest_may)
            report.add(word, instr, "comes before ATEST");
        if (state.blend_may && has_effect(instr.op, kWritesMemory))
            report.add(word, instr, "a side effect after BLEND");
    });
}

void check_blend(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        if (instr.op != Op::BLEND)
            continue;
        if (instr.get<VectorSize>(Mod::vecsize) != VectorSize::v4)
            report.add(word, instr, "the vector size must be v4");
        if (instr.staging[0].base != 0)
            report.add(word, instr, "the colour must start at r0");
        if (p.stage() != exec::Stage::Blend)
            check_epilogue(p, word, report);
    }
}

}  // namespace valkyr::valhall
