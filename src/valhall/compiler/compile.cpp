// compile: lowering and the ordered list of passes.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/compiler/ir_print.hpp"
#include "valhall/compiler/ir_verify.hpp"
#include "valhall/compiler/lower_tgsi.hpp"
#include "valhall/compiler/passes.hpp"

#include <algorithm>

namespace valkyr::valhall {
namespace {

class Pipeline {
public:
    Pipeline(ir::Function& function, const CompileOptions& options)
        : function_(function)
        , options_(options) {}

    [[nodiscard]] bool enabled(std::string_view name) const {
        return std::ranges::find(options_.disabled_passes, name) == options_.disabled_passes.end();
    }

    Result<void> run() {
        dump("lower");
        optimize();
        VALKYR_TRY_VOID(lower_constants(function_));
        finish("lower_constants");
        VALKYR_TRY_VOID(allocate_registers(function_));
        dump("allocate_registers");
        insert_flow(function_);
        dump("insert_flow");
        mark_last_use(function_, enabled("mark_last_use"));
        return {};
    }

private:
    struct Pass {
        std::string_view name;
        void (*run)(ir::Function&);
    };

    void optimize() {
        static constexpr Pass kPasses[] = {
            {"propagate_copies", ir::propagate_copies}, {"remove_dead", ir::remove_dead},
            {"value_numbering", ir::number_values},     {"fuse_modifiers", ir::fuse_modifiers},
            {"fuse_compares", ir::fuse_compares},       {"remove_dead", ir::remove_dead},
        };
        finish("lower");
        for (const Pass& pass : kPasses) {
            if (!enabled(pass.name))
                continue;
            pass.run(function_);
            finish(pass.name);
            dump(pass.name);
        }
    }

    /// After a pass on SSA: the rules of the IR must hold (debug builds).
    void finish([[maybe_unused]] std::string_view pass) {
#ifndef NDEBUG
        const std::string breach = ir::verify(function_);
        if (!breach.empty())
            check_failed(__FILE__, __LINE__, (std::string(pass) + ": " + breach).c_str());
#endif
    }

    void dump(std::string_view pass) {
        if (options_.dump)
            options_.dump(pass, ir::print(function_));
    }

private:
    ir::Function& function_;
    const CompileOptions& options_;
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

}  // namespace

Result<Program> compile(const tgsi::Shader& shader, const CompileOptions& options) {
    VaryingLayout own_layout;
    if (options.varyings == nullptr) {
        VALKYR_TRY(layout, standalone_varyings(shader));
        own_layout = std::move(layout);
    }
    const VaryingLayout& layout = options.varyings != nullptr ? *options.varyings : own_layout;
    if (layout.slots.size() > exec::kMaxVaryingSlots)
        return Error{Errc::OutOfRange, {}, "more varying slots than a vertex record has"};

    ir::Function function;
    if (shader.stage == tgsi::Stage::Fragment)
        function.info.stage = exec::Stage::Fragment;
    fill_varyings(function.info, layout);
    lower::Lowering lowering(shader, options, layout, function);
    VALKYR_TRY_VOID(lowering.run());
    VALKYR_TRY_VOID(Pipeline(function, options).run());

    Program program;
    ir::PackedCode code = pack(function);
    program.words = std::move(code.words);
    program.source_lines = std::move(code.lines);
    program.fau = std::move(function.uniforms);
    program.info = function.info;
    program.info.tls_bytes = align_up(function.tls_bytes, 16U);
    return program;
}

}  // namespace valkyr::valhall
