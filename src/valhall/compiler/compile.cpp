// Compilation: lowers a shader and runs the ordered list of passes.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/double_templates.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/compiler/ir/ir_print.hpp"
#include "valhall/compiler/ir/ir_verify.hpp"
#include "valhall/compiler/ir/value_log.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/ssa_passes.hpp"

#include <algorithm>

namespace valkyr::valhall {
namespace {

/// Passes that can be left out and do not stand in kSsaPasses.
constexpr std::string_view kLaterPasses[] = {"hoist_uniforms", "schedule", "interleave",
                                             "mark_last_use"};

/// errors  OutOfRange: a name that no optional pass has
Result<void> check_pass_names(const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::ranges::find(kSsaPasses, std::string_view(name), &SsaPass::name) ==
                std::end(kSsaPasses) &&
            std::ranges::find(kLaterPasses, name) == std::end(kLaterPasses))
            return Error{Errc::OutOfRange, {}, "no pass \"" + name + "\" can be left out"};
    return {};
}

class Pipeline {
public:
    Pipeline(ir::Function& function, const CompileOptions& options)
        : function_(function)
        , options_(options) {}

    Result<void> run() {
        VALKYR_TRY_VOID(finish("lower"));
        for (const SsaPass& pass : kSsaPasses) {
            if (!enabled(pass.name))
                continue;
            pass.run(function_);
            VALKYR_TRY_VOID(finish(pass.name));
        }
        has_prologue_ = enabled("hoist_uniforms") && hoist_uniforms(function_, prologue_);
        if (function_.log != nullptr)
            function_.log->name_uniforms(function_.uniforms);
        if (has_prologue_) {
            VALKYR_TRY_VOID(finish("hoist_uniforms"));
            prologue_.cancellation = function_.cancellation;
            VALKYR_TRY_VOID(generate(prologue_, "prologue."));
        }
        return generate(function_, "");
    }

    /// The uniform prologue, or null; its pool begins with the results.
    ir::Function* prologue() { return has_prologue_ ? &prologue_ : nullptr; }

private:
    [[nodiscard]] bool enabled(std::string_view name) const {
        return std::ranges::find(options_.disabled_passes, name) == options_.disabled_passes.end();
    }

    /// Turns SSA into instructions on registers, with branches, slots and waits.
    Result<void> generate(ir::Function& function, std::string_view prefix) {
        const Cancellation& cancellation = function.cancellation;
        VALKYR_TRY_VOID(ir::lower_constants(function));
        VALKYR_TRY_VOID(cancellation.check());
        dump("lower_constants", function, prefix);
        if (enabled("schedule")) {
            ir::schedule(function);
            VALKYR_TRY_VOID(cancellation.check());
            dump("schedule", function, prefix);
        }
        if (enabled("interleave")) {
            ir::interleave(function);
            VALKYR_TRY_VOID(cancellation.check());
            dump("interleave", function, prefix);
        }
        VALKYR_TRY_VOID(ir::allocate_registers(function));
        VALKYR_TRY_VOID(cancellation.check());
        dump("allocate_registers", function, prefix);
        ir::insert_flow(function);
        VALKYR_TRY_VOID(cancellation.check());
        ir::mark_last_use(function, enabled("mark_last_use"));
        dump("insert_flow", function, prefix);
        return cancellation.check();
    }

    /// After a pass on SSA: the rules of the IR must hold (checked in debug builds).
    /// errors  Cancelled
    Result<void> finish(std::string_view pass) {
        VALKYR_TRY_VOID(function_.cancellation.check());
#ifndef NDEBUG
        const std::string breach = ir::verify(function_);
        if (!breach.empty())
            check_failed(__FILE__, __LINE__, (std::string(pass) + ": " + breach).c_str());
#endif
        dump(pass, function_);
        return {};
    }

    void dump(std::string_view pass, const ir::Function& function, std::string_view prefix = {}) {
        if (options_.dump)
            options_.dump(std::string(prefix) + std::string(pass), ir::print(function));
    }

    ir::Function& function_;
    const CompileOptions& options_;
    ir::Function prologue_;
    bool has_prologue_ = false;
};

void fill_varyings(exec::ProgramInfo& info, const VaryingLayout& layout) {
    info.varying_slot_count = static_cast<uint32_t>(layout.slots.size());
    std::ranges::copy(layout.slots, info.varyings);
    if (info.stage != exec::Stage::Fragment)
        return;
    // Fragments count the components that they really read.
    for (uint32_t i = 0; i < info.varying_slot_count; ++i)
        info.varyings[i].components = 0;
}

void fill_program(Program& program, ir::Function& function) {
    ir::PackedCode code = ir::pack(function);
    program.words = std::move(code.words);
    program.source_lines = std::move(code.lines);
    program.double_ranges = std::move(code.double_ranges);
    program.fau = std::move(function.uniforms);
    program.info = function.info;
    program.info.tls_bytes = align_up(function.tls_bytes, 16U);
}

/// With a log, source_lines hold instruction numbers (main program) or points: makes them lines.
void finish_log(Program& program, ir::ValueLog& log, const ir::Function* prologue) {
    log.finish(program.source_lines, prologue);
    const std::vector<uint32_t>& lines = log.info->point_lines;
    const auto line_of = [&](uint32_t point) { return point < lines.size() ? lines[point] : 0; };
    for (size_t i = 0; i < program.source_lines.size(); ++i)
        program.source_lines[i] = line_of(log.info->word_points[i]);
    if (program.prologue)
        for (uint32_t& line : program.prologue->source_lines)
            line = line_of(line);
}

/// Replaces result numbers in prologue words by the registers that hold the results at the end.
void name_prologue_registers(Program& program, const ir::Function& prologue) {
    for (FauWord& word : program.fau) {
        if (word.kind == FauKind::Prologue)
            word.value = prologue.pool[word.value].value;
    }
}

}  // namespace

Result<Program> compile(const tgsi::Shader& shader, const CompileOptions& options) {
    VALKYR_TRY_VOID(check_pass_names(options.disabled_passes));
    VaryingLayout own_layout;
    if (options.varyings == nullptr) {
        VALKYR_TRY(layout, standalone_varyings(shader));
        own_layout = std::move(layout);
    }
    const VaryingLayout& layout = options.varyings != nullptr ? *options.varyings : own_layout;
    if (layout.slots.size() > exec::kMaxVaryingSlots)
        return Error{Errc::OutOfRange, {}, "more varying slots than a vertex record has"};

    VaryingLayout own_inputs;
    const bool reads_records = shader.stage == tgsi::Stage::Geometry ||
                               shader.stage == tgsi::Stage::TessCtrl ||
                               shader.stage == tgsi::Stage::TessEval;
    if (reads_records && options.input_varyings == nullptr) {
        VALKYR_TRY(inputs, input_varyings(shader));
        own_inputs = std::move(inputs);
    }
    const VaryingLayout& inputs =
        options.input_varyings != nullptr ? *options.input_varyings : own_inputs;

    ir::Function function;
    function.info.stage = lower::stage_of(shader.stage);
    function.cancellation = options.cancellation;
    function.find_template = double_template;
    ir::ValueLog log;
    log.info = options.debug;
    if (options.debug != nullptr) {
        *options.debug = {};
        function.log = &log;
    }
    fill_varyings(function.info, layout);
    lower::Lowering lowering(shader, options, {layout, inputs}, function);
    if (lower::Lowering::knows_indexes(shader, options, {layout, inputs}, function))
        lowering.keep_arrays_in_registers();
    VALKYR_TRY_VOID(lowering.run());
    Pipeline pipeline(function, options);
    VALKYR_TRY_VOID(pipeline.run());

    if (options.statistics != nullptr)
        *options.statistics = {function.spilled_values,
                               static_cast<uint32_t>(function.loops.size())};
    Program program;
    fill_program(program, function);
    if (ir::Function* prologue = pipeline.prologue()) {
        program.prologue = std::make_unique<Program>();
        name_prologue_registers(program, *prologue);
        fill_program(*program.prologue, *prologue);
    }
    VALKYR_TRY_VOID(options.cancellation.check());
    if (options.debug != nullptr)
        finish_log(program, log, pipeline.prologue());
    return program;
}

}  // namespace valkyr::valhall
