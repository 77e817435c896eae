// Lowering: walks over the instructions, and calls the rule of each.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include "tgsi/opcode_table.hpp"
#include "valhall/compiler/ir/value_log.hpp"

#include <utility>

namespace valkyr::valhall::lower {
namespace {

/// Instructions that a function may grow to: subroutines are inlined, so text size is no bound.
constexpr size_t kMaxInsts = size_t{1} << 20;
/// For how many instructions an operation on doubles counts: its words are many.
constexpr size_t kDoubleInsts = 256;

using RuleTable = std::array<Rule, tgsi::kOpcodeCount>;

RuleTable make_rules() {
    RuleTable table{};
    for (const std::span<const Rule> rules :
         {float_rules(), transcendental_rules(), integer_rules(), flow_rules(), fragment_rules(),
          texture_rules(), texture_query_rules(), pack_rules(), int64_rules(), double_rules(),
          memory_rules(), atomic_rules(), lane_rules(), sample_rules(), geometry_rules(),
          compute_rules()}) {
        for (const Rule& rule : rules)
            table[static_cast<unsigned>(rule.opcode)] = rule;
    }
    return table;
}

const Rule& rule_of(Opcode opcode) {
    static const RuleTable table = make_rules();
    return table[static_cast<unsigned>(opcode)];
}

std::string_view stage_name(tgsi::Stage stage) {
    switch (stage) {
    case tgsi::Stage::Fragment: return "fragment";
    case tgsi::Stage::Vertex: return "vertex";
    case tgsi::Stage::Geometry: return "geometry";
    case tgsi::Stage::TessCtrl: return "tessellation control";
    case tgsi::Stage::TessEval: return "tessellation evaluation";
    case tgsi::Stage::Compute: return "compute";
    }
    return "unknown";
}

/// Flow opcodes are reported to Flow even where they are unreachable.
bool opens_or_closes(Opcode opcode) {
    switch (opcode) {
    case Opcode::IF:
    case Opcode::UIF:
    case Opcode::ELSE:
    case Opcode::ENDIF:
    case Opcode::BGNLOOP:
    case Opcode::ENDLOOP:
    case Opcode::SWITCH:
    case Opcode::CASE:
    case Opcode::DEFAULT:
    case Opcode::ENDSWITCH: return true;
    default: return false;
    }
}

}  // namespace

exec::Stage stage_of(tgsi::Stage stage) {
    switch (stage) {
    case tgsi::Stage::Fragment: return exec::Stage::Fragment;
    case tgsi::Stage::Compute:
    case tgsi::Stage::TessCtrl:
    case tgsi::Stage::TessEval: return exec::Stage::Compute;
    case tgsi::Stage::Geometry: return exec::Stage::Geometry;
    case tgsi::Stage::Vertex: break;
    }
    return exec::Stage::Vertex;
}

Lowering::Lowering(const tgsi::Shader& shader,
                   const CompileOptions& options,
                   const Layouts& layouts,
                   ir::Function& function)
    : b(function)
    , flow(b)
    , shader_(shader)
    , options_(options)
    , layouts_(layouts)
    , function_(function) {
    // Four components and a little more of each instruction; unused memory is never touched.
    const size_t expected = shader.instructions.size() * 5 + 64;
    function_.insts.reserve(expected);
    function_.pool.reserve(expected);
}

void Lowering::fail(Errc code, std::string text) {
    if (error_)
        return;
    error_ = Error{code, current_ != nullptr ? current_->pos : SourcePos{}, std::move(text)};
}

void Lowering::unsupported(const std::string& what) {
    fail(Errc::Unsupported, what + " is not supported");
}

Result<void> Lowering::run() {
    info().stage = stage_of(shader_.stage);
    read_properties();
    assign_memory_arrays();
    assign_variables();
    find_used_inputs();
    if (failed())
        return std::move(*error_);

    if (function_.log != nullptr)
        describe_registers();
    flow.begin();
    emit_preloads();
    clear_memory_arrays();
    reserve_memory();
    flow.set(scratch(kDemotedScratch), literal(0));
    std::vector<VarId> out_vars;
    if (is_patch_stage())
        begin_patch();
    if (shader_.stage == tgsi::Stage::Geometry) {
        begin_geometry();
        out_vars = {scratch(kEmittedScratch), scratch(kBeginsScratch)};
    }
    for (VarId v = 0; v < outputs_.count * 4; ++v)
        out_vars.push_back(outputs_.base + v);
    flow.begin_region(out_vars);
    lower_range(0, static_cast<uint32_t>(shader_.instructions.size()));
    flow.end_region();
    if (!failed()) {
        b.set_line(0);
        if (!shader_.instructions.empty())
            set_place(shader_.instructions.back());
        finish();
    }
    if (failed())
        return std::move(*error_);
    return {};
}

void Lowering::finish() {
    current_ = nullptr;
    switch (shader_.stage) {
    case tgsi::Stage::Vertex: finish_vertex(); break;
    case tgsi::Stage::Fragment: finish_fragment(); break;
    case tgsi::Stage::Compute: b.end_program(); break;
    case tgsi::Stage::Geometry: finish_geometry(); break;
    case tgsi::Stage::TessCtrl: b.end_program(); break;
    case tgsi::Stage::TessEval: finish_evaluation(); break;
    }
}

void Lowering::unsupported_here(const std::string& what) {
    std::string opcode;
    if (current_ != nullptr)
        opcode = "opcode " + std::string(tgsi::opcode_info(current_->opcode).name) + ": ";
    unsupported(opcode + what + " in " + std::string(stage_name(shader_.stage)) + " shaders");
}

void Lowering::lower_range(uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end && !failed(); ++i) {
        const Instruction& inst = shader_.instructions[i];
        if (inst.opcode == Opcode::END || inst.opcode == Opcode::ENDSUB)
            break;
        if (inst.opcode == Opcode::BGNSUB) {
            // Main ends where the subroutines begin, unless it goes on behind them.
            while (i < end && shader_.instructions[i].opcode != Opcode::ENDSUB)
                ++i;
            continue;
        }
        if (function_.cancellation.requested())
            return fail(Errc::Cancelled, "cancelled");
        position_ = i;
        lower_one(inst);
        i = position_;  // behind a loop whose rounds were lowered
    }
}

/// For the log: the registers of each variable, and the registers that are in memory.
void Lowering::describe_registers() {
    DebugInfo& info = *function_.log->info;
    for (const tgsi::File file : {tgsi::File::Temporary, tgsi::File::Output, tgsi::File::Address,
                                  tgsi::File::Input, tgsi::File::SystemValue}) {
        const FileVars& vars = *vars_of(file);
        info.files.push_back({file, vars.count, vars.base});
    }
    for (const MemoryArray& array : arrays_)
        info.arrays.push_back({array.file, array.first, array.count, array.tls_offset});
}

void Lowering::set_place(const Instruction& inst) {
    if (function_.log == nullptr) {
        b.set_line(inst.pos.line);
        return;
    }
    const uint32_t point = function_.log->begin_point(
        inst.pos.line,
        opens_or_closes(inst.opcode) && inst.opcode != Opcode::IF && inst.opcode != Opcode::UIF);
    b.set_line(point);
    if (flow.reachable())
        function_.log->note(point, flow.values());
}

void Lowering::lower_one(const Instruction& inst) {
    current_ = &inst;
    last_patch_register_.reset();
    set_place(inst);
    if (!flow.reachable() && !opens_or_closes(inst.opcode))
        return;
    const Rule& rule = rule_of(inst.opcode);
    if (rule.lower == nullptr) {
        unsupported("opcode " + std::string(tgsi::opcode_info(inst.opcode).name));
        return;
    }
    if (!store_numbers(inst))
        rule.lower(*this, inst, rule);
    const size_t size = function_.insts.size() + kDoubleInsts * function_.made_doubles;
    if (size > kMaxInsts || !flow.within_limits())
        fail(Errc::OutOfRange, "the shader grows beyond " + std::to_string(kMaxInsts) +
                                   " instructions when subroutines are inlined");
}

}  // namespace valkyr::valhall::lower
